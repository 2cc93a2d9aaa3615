public import ProsceniumCore
package import ProsceniumStore
package import ProsceniumTrace

/// A program without a display: an application and its delegate on a desk, a machine and a disk in memory, and the lines of
/// its life.
///
/// Nothing happens by itself: windows are shown, focused and hidden when the test says so (``desk``), the screen is locked
/// and URLs come when the test says so (``machine``), and time passes with ``advance(by:)`` alone. When a call returns,
/// everything has happened that follows from it at once. There is no thread, no sleep and no display.
///
/// One program at a time: ``Application/shared`` is the application that was made last. Tests that suspend (`await`) while
/// they have a program belong into one serialized suite.
@MainActor public final class HeadlessProgram {
  /// The application of the present process.
  ///
  /// Another one after ``relaunch(arguments:)``. Before ``launch(arguments:)`` it can be set up: ``Application/holdTimes``, say.
  public private(set) var application: Application
  /// The kernel, the session and other programs.
  public let machine = HeadlessMachine()
  /// Where sessions are kept, over all processes of the program.
  public let disk: HeadlessDisk
  /// What a person, the window manager and the monitors do.
  public var desk: HeadlessDesk { HeadlessDesk(program: self) }
  /// The program's time; moves with ``advance(by:)``.
  public var clock: ManualClock { platform.clock }
  /// Everything that the program has done, over all its processes.
  public private(set) var trace = Trace()

  package private(set) var platform = HeadlessPlatform()
  /// The trace as the framework writes it.
  package private(set) var entries: [TraceRecord] = []
  /// What `main` would have returned.
  package private(set) var status: Int32?
  /// Told of every line when it is written: just before the callback that it tells of.
  package var onEntry: ((TraceRecord) -> Void)?
  private var rules = OwnRules.ifAsked()
  /// The lines that a run on X11 has in common with one in memory.
  package private(set) var golden: [String] = []

  private let makeApplication: @MainActor () -> Application
  private let makeDelegate: @MainActor () -> any ApplicationDelegate
  /// Where sessions are kept in place of the disk.
  private let store: StoreSource?
  private let sources: [any SystemSource]
  private var process = 0
  private var isOver = true
  private var hasLaunched = false
  private var takenLines = 0
  private var takenGolden = 0

  /// A program that has not been launched yet, on an empty desk.
  /// - Parameters:
  ///   - application: Makes the application of each process, where it is of a class of its own.
  ///   - delegate: Makes the application delegate of each process: `AppDelegate.init`.
  ///   - disk: What other programs have left on the disk, as ``HeadlessProgram/disk`` of another one.
  public convenience init(
    application: @escaping @MainActor () -> Application = { Application() },
    delegate: @escaping @MainActor () -> any ApplicationDelegate, disk: HeadlessDisk = HeadlessDisk()
  ) {
    self.init(application, delegate, disk, store: nil, sources: [])
  }

  /// A program that keeps its sessions in a store of the test, and hears of sources of the test.
  package convenience init(
    application: Application? = nil, store: StoreSource = .none, sources: [any SystemSource] = []
  ) {
    self.init({ application ?? Application() }, { NoDelegate() }, HeadlessDisk(), store: store, sources: sources)
  }

  private init(
    _ application: @escaping @MainActor () -> Application,
    _ delegate: @escaping @MainActor () -> any ApplicationDelegate,
    _ disk: HeadlessDisk, store: StoreSource?, sources: [any SystemSource]
  ) {
    makeApplication = application
    makeDelegate = delegate
    self.disk = disk
    self.store = store
    self.sources = sources
    self.application = application()
    machine.program = self
    attach()
  }

  private func attach() {
    process += 1
    let process = process
    hasLaunched = false
    platform.application = application
    platform.isPowered = { [disk] in !disk.isCut }
    application.attach(
      platform: platform, trace: TraceRecorder { [weak self] in self?.take($0, from: process) },
      store: store ?? .given(SessionStore(files: disk.files, runsInline: true)),
      sources: sources + [machine.makeSource()])
    application.sleepInhibitor = machine.inhibitor
  }

  private func take(_ entry: TraceRecord, from process: Int) {
    guard process == self.process, !disk.isCut else { return }
    entries.append(entry)
    rules?.check(entry, time: platform.now)
    onEntry?(entry)
    if let line = trace.append(entry) { golden.append(line) }
  }

  // MARK: Processes

  /// Launches the program; once in each process: a second call does nothing.
  ///
  /// Calls the launch callbacks, connects the scenes that are there and shows their windows. Where the screen is locked, say,
  /// no scene has been active. What holds keep back comes with ``advance(by:)``. A launch that fails is the end of the process:
  /// ``exitStatus`` is 1 where two configurations have one name, say, and 2 where the command line asks for what cannot be done.
  /// - Parameter arguments: The command line without the program's name.
  public func launch(arguments: [String] = []) { launch(makeDelegate(), arguments: arguments) }

  /// Launches with a delegate of the test's own.
  package func launch(_ delegate: any ApplicationDelegate, arguments: [String] = []) {
    guard !hasLaunched else { return }
    (hasLaunched, isOver) = (true, false)
    // A callback may start another process, on another platform.
    let own = platform
    let status = application.run(delegate: delegate, arguments: ["program"] + arguments)
    self.status = status
    if status != 0, own.quitStatus == nil { own.perform(.quit(status)) }
    platform.deliver()
    machine.answer()
  }

  /// Kills the process, as SIGKILL or a crash does.
  ///
  /// Nothing more is called, traced or written, and its windows are gone. The objects of the process are still there for as
  /// long as the test or a task keeps them; what they do has no effect. Does nothing where no process runs.
  public func kill() {
    guard !isOver else { return }
    isOver = true
    process += 1
    platform.disconnect()
    machine.forgetProcess()
    disk.changeProcess()
  }

  /// Starts another process of the program, as the user, the session manager or a service manager does.
  ///
  /// It has a new application and a new delegate, and finds the disk, the desk, the machine and the time as they are now: a
  /// screen that is locked is locked. One that still runs is killed first. Which windows come back, and why, is what
  /// the last one's end makes of it: ``kill()`` is a crash, an exit is none.
  /// - Parameter arguments: The command line without the program's name.
  public func relaunch(arguments: [String] = []) {
    kill()
    platform = HeadlessPlatform(after: platform)
    application = makeApplication()
    attach()
    launch(arguments: arguments)
  }

  /// Whether the program has been launched, and has neither ended nor been killed.
  public var isRunning: Bool { !isOver && platform.quitStatus == nil && !disk.isCut }

  /// The exit status of the present process, of a launch that failed too; nil while it runs, and where it was killed.
  public var exitStatus: Int32? { platform.quitStatus }

  // MARK: What is there

  /// The connected scenes, the oldest session first; none of a process that was killed.
  public var scenes: [Scene] { isOver ? [] : application.orderedScenes }

  /// The windows of the connected scenes, the oldest scene's first.
  public var windows: [Window] { scenes.flatMap { ($0 as? WindowScene)?.windows ?? [] } }

  // MARK: Time

  /// Lets time pass: holds run out, frames are drawn and those that sleep on ``clock`` are woken, each in its turn.
  ///
  /// Tasks run only when the test suspends, so one that was woken goes on after this: see ``waits(until:)``.
  /// - Parameter duration: How much; thirty years at most.
  public func advance(by duration: Duration) { platform.advance(bySeconds: duration.inSeconds) }

  /// Lets that many milliseconds pass.
  package func advance(by milliseconds: Int) { platform.advance(by: milliseconds) }

  /// Lets tasks run until something is true, without any time of the program's passing.
  ///
  /// For programs that save or load in a `Task`. What they do on other threads takes as long as it takes.
  /// - Parameter condition: What is waited for; looked at again and again on the main actor.
  /// - Returns: Whether it became true within a thousand turns of the main actor and ten seconds of real time.
  public func waits(until condition: () -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(10)
    var turns = 0
    // Other tests may have the main actor for a long while, and a thread may take longer than all turns.
    while turns < 1000 || ContinuousClock.now < limit {
      platform.deliver()
      if condition() { return true }
      turns += 1
      await Task.yield()
    }
    return false
  }

  // MARK: Lines

  /// The lines that have to be expected and that nobody has looked at yet.
  private func takeLines() -> [String] {
    let lines = trace[takenLines...].filter(\.isExpected).map(\.description)
    (takenLines, takenGolden) = (trace.count, golden.count)
    return lines
  }

  /// Compares everything that has happened since the last expectation with what is expected: each step of each scene, each
  /// call of the application's delegate, each error, in this order, and nothing else.
  ///
  /// The lines look like `scene1 sceneDidBecomeActive foregroundInactive -> foregroundActive` and
  /// `applicationDidBecomeActive [active]`; the message of a failure has them to be copied.
  /// - Parameters:
  ///   - text: The lines; a text of several has one on each line, and space around them does not count.
  ///   - fileID: Where the expectation is.
  ///   - line: Where the expectation is.
  /// - Throws: ``TraceMismatch``, whose description is the difference. What has been compared is not compared again.
  public func expect(_ text: String..., fileID: StaticString = #fileID, line: UInt = #line) throws(TraceMismatch) {
    let expected = text.flatMap { $0.split(whereSeparator: \.isNewline) }.map(\.trimmed).filter { !$0.isEmpty }
    let mismatch = TraceMismatch(expected: expected, actual: takeLines(), location: "\(fileID):\(line)")
    if let mismatch { throw mismatch }
  }

  /// Checks that nothing has happened since the last expectation.
  /// - Parameters:
  ///   - fileID: Where the expectation is.
  ///   - line: Where the expectation is.
  /// - Throws: ``TraceMismatch``, with all that has.
  public func expectNothingMore(fileID: StaticString = #fileID, line: UInt = #line) throws(TraceMismatch) {
    try expect(fileID: fileID, line: line)
  }

  /// Leaves what has happened since the last expectation unexamined: the launch, say, in a test of something else.
  public func ignoreLines() { _ = takeLines() }

  /// Does something with the program, and fails if it leaves lines that nobody has expected.
  ///
  /// A whole test fits into it:
  /// `try HeadlessProgram(delegate: AppDelegate.init).exhaustively { program in ... }`
  /// - Parameters:
  ///   - fileID: Where the call is.
  ///   - line: Where the call is.
  ///   - body: What is done.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or ``TraceMismatch``.
  @discardableResult
  public func exhaustively<Result>(
    fileID: StaticString = #fileID, line: UInt = #line, _ body: @MainActor (HeadlessProgram) throws -> Result
  ) throws -> Result {
    let result = try body(self)
    try expectNothingMore(fileID: fileID, line: line)
    return result
  }

  /// Does something that suspends with the program, and fails if it leaves lines that nobody has expected.
  ///
  /// As the other one, for bodies that let tasks run:
  /// `try await HeadlessProgram(delegate: AppDelegate.init).exhaustively { program in ... }`
  /// - Parameters:
  ///   - fileID: Where the call is.
  ///   - line: Where the call is.
  ///   - body: What is done.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or ``TraceMismatch``.
  @_disfavoredOverload  // A body that does not suspend needs no `await`, in a test that does neither.
  @discardableResult
  public func exhaustively<Result>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @MainActor (HeadlessProgram) async throws -> Result
  ) async throws -> Result {
    let result = try await body(self)
    try expectNothingMore(fileID: fileID, line: line)
    return result
  }

  /// The golden lines since the last call, or the last expectation.
  package func newLines() -> [String] {
    let lines = golden[takenGolden...]
    (takenLines, takenGolden) = (trace.count, golden.count)
    return Array(lines)
  }
}

/// For processes that the package's own tests launch with a delegate that they have made.
private final class NoDelegate: ApplicationDelegate {}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    let count = start.reversed().prefix(while: \.isWhitespace).count
    return String(start.dropLast(count))
  }
}
