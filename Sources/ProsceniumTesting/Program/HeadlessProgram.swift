public import ProsceniumCore
package import ProsceniumStore
package import ProsceniumTrace

/// A program without a display: an application and its delegate on a desk, a machine and a disk in memory, with a
/// trace.
///
/// Nothing happens by itself: the test shows, focuses and hides windows (``desk``), locks the screen and opens URLs
/// (``machine``), and advances the time (``advance(by:)``). When a call returns, its immediate consequences have
/// happened. There is no thread, no sleep and no display.
///
/// One program at a time: `Application.shared` is the application of the program that was made or driven last; driven
/// means that it was launched, or that events were delivered to it (``desk``, ``machine``, ``advance(by:)``,
/// ``waits(until:)``). A test that
/// awaits something else drives its program again before it uses `Application.shared` itself.
@MainActor public final class HeadlessProgram {
  /// The application of the present process.
  ///
  /// Another one after ``relaunch(arguments:)``. Before ``launch(arguments:)`` it can be set up:
  /// `Application.holdTimes`, say.
  public private(set) var application: Application
  /// The kernel, the login session and other programs.
  public let machine = HeadlessMachine()
  /// The disk with the program's sessions, over all its processes.
  public let disk: HeadlessDisk
  /// The desk: the person, the window manager and the monitors.
  public var desk: HeadlessDesk { HeadlessDesk(program: self) }
  /// The program's clock; moves with ``advance(by:)``.
  public var clock: ManualClock { platform.clock }
  /// Everything that the program has done, over all its processes.
  public var trace: Trace { recording.trace }

  package private(set) var platform = HeadlessPlatform()
  /// The exit status of `main`.
  package private(set) var status: Int32?
  /// Called with each record when it is written: just before the callback that it is about.
  package var onEntry: ((TraceRecord) -> Void)?
  private var recording = ProgramRecording()
  private let makeApplication: @MainActor () -> Application
  private let makeDelegate: @MainActor () -> any ApplicationDelegate
  /// The store of the sessions in place of the disk.
  private let store: StoreSource?
  private let sources: [any SystemSource]
  /// The number of the process; records of others are dropped.
  private var process = 0
  private var isOver = true
  private var hasLaunched = false

  /// Makes a program that has not been launched yet, on an empty desk.
  /// - Parameters:
  ///   - application: Makes the application of each process, where it is of a class of its own.
  ///   - delegate: Makes the application delegate of each process: `AppDelegate.init`.
  ///   - disk: The disk; that of another program to find what it has left.
  public convenience init(
    application: @escaping @MainActor () -> Application = { Application() },
    delegate: @escaping @MainActor () -> any ApplicationDelegate, disk: HeadlessDisk = HeadlessDisk()
  ) {
    self.init(application, delegate, disk, store: nil, sources: [])
  }

  /// Makes a program with a store and with sources of the test.
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
    platform.owner = application
    // What happens before the launch is no event of the process, which finds it.
    platform.life.isOn = { [disk, weak self] in !disk.isCut && self?.hasLaunched != false }
    // A callback of the end may have started the next process.
    platform.life.onQuit = { [weak self, weak machine] in
      if self?.process ?? process == process { machine?.forgetProcess() }
    }
    machine.forgetProcess()
    var host = ApplicationHost()
    host.store = store ?? .given(SessionStore(files: disk.files, runsInline: true))
    host.sources = sources + [machine.makeSource()]
    host.machine.power = machine.power
    host.machine.accessories = machine.parts.accessories
    host.machine.location = machine.parts.location
    host.machine.accounts = machine.parts.accounts
    host.machine.sensors = machine.sensors
    host.machine.work = machine.work
    host.machine.notices = machine.parts.noticeTimes
    host.services.mediaPlayer = machine.parts.mediaPlayer
    host.services.accessibility = machine.accessibility
    host.services.notices = machine.parts.notices
    host.services.push = machine.parts.push
    host.services.handoff = machine.parts.handoff
    host.services.keys = machine.keys
    host.services.inputMethod = machine.parts.inputMethod
    host.services.dialogs = machine.parts.dialogs
    host.programData = { [disk] place throws(StoreError) in try disk.open(place) }
    host.cacheSpace = { [disk] in disk.cacheSpace }
    application.attach(
      platform: platform, trace: TraceRecorder { [weak self] in self?.record($0, from: process) }, host: host)
    application.conductor?.sleepInhibitor = machine.inhibitor
  }

  private func record(_ record: TraceRecord, from process: Int) {
    guard process == self.process, !disk.isCut else { return }
    recording.add(record, time: platform.now)
    onEntry?(record)
  }

  // MARK: Processes

  /// Launches the program; once in each process: a second call does nothing.
  ///
  /// Calls the launch callbacks, connects the scenes that are there and shows their windows. Where the screen is
  /// locked, say, no scene has been active. Changes that a hold delays come with ``advance(by:)``. A launch that fails
  /// ends the process: ``exitStatus`` is 1 where two configurations have one name, say, and 2 where the command line
  /// asks for what cannot be done.
  /// - Parameter arguments: The command line without the program's name.
  public func launch(arguments: [String] = []) {
    guard !hasLaunched else { return }
    // Another program may have been made or driven meanwhile.
    Application.sharedIfLaunched = application
    launch(makeDelegate(), arguments: arguments)
  }

  /// Launches the program with a delegate of the test's own.
  package func launch(_ delegate: any ApplicationDelegate, arguments: [String] = []) {
    guard !hasLaunched else { return }
    platform.windowManager.events = []
    (hasLaunched, isOver) = (true, false)
    // Set after the program was made.
    if let home = disk.home { application.host.directories = ["HOME": home, "TMPDIR": home] }
    // A callback may start another process, on another platform.
    let own = platform
    let status = application.run(delegate: delegate, arguments: ["program"] + arguments)
    self.status = status
    if status != 0, own.quitStatus == nil { own.perform(.quit(status)) }
    platform.deliver()
    machine.answer()
  }

  /// Ends the process by its own doing, as a trap or `abort()` does: otherwise as ``kill()``.
  ///
  /// Within a callback of a session's connection it counts against the session: one that ended two runs is held back.
  public func crash() {
    noteCrash()
    kill()
  }

  func noteCrash() { if !isOver, case .given(let store) = application.host.store { store.access.noteCrash() } }

  /// Kills the process, as SIGKILL does.
  ///
  /// Nothing more is called, traced or written, and its windows and dialogs are gone; a write that a thread of its own
  /// has begun may still succeed. The objects of the process are still there for as long as the test or a task keeps
  /// them; what they do has no effect. But a task of it that goes on and asks for `Application.shared`, or for the
  /// `current` object of a class, gets that of the next process. Within a callback the others of the same
  /// event are still called, such as those of other scenes, also without effect. Does nothing where no process runs.
  public func kill() {
    guard !isOver else { return }
    isOver = true
    process += 1
    platform.disconnect()
    // What a callback that kills has asked for before waits in the inbox.
    application.conductor?.close()
    application.host = .dead
    machine.forgetProcess()
    disk.changeProcess()
  }

  /// Starts another process of the program, as the user, the session manager or a service manager does.
  ///
  /// It has a new application and a new delegate, and finds the disk, the desk, the machine and the time as they are
  /// now: a screen that is locked is locked. A process that still runs is killed first. Which windows come back, and
  /// why, depends on the end of the last process: ``kill()`` is a crash, an exit is none.
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

  // MARK: Scenes and windows

  /// The connected scenes, the oldest session first; none of a process that was killed, or has no power.
  public var scenes: [Scene] { isOver || disk.isCut ? [] : application.orderedScenes }

  /// The windows of the connected scenes, the oldest scene's first.
  public var windows: [Window] { scenes.flatMap { ($0 as? WindowScene)?.windows ?? [] } }

  // MARK: Time

  /// Advances the time: holds end, frames are drawn and tasks that sleep on ``clock`` are resumed, each at its time.
  ///
  /// Tasks run only when the test suspends, so a resumed one continues after this: see ``waits(until:)``.
  /// - Parameter duration: The time; thirty years at most.
  public func advance(by duration: Duration) { platform.advance(bySeconds: duration.inSeconds) }

  /// Advances the time by milliseconds.
  package func advance(by milliseconds: Int) { platform.advance(by: milliseconds) }

  /// Suspends, so that tasks run, until a condition is true; the program's time does not advance.
  ///
  /// For programs that save or load in a `Task`. Work on other threads takes its real time. What other programs have
  /// written into files that the program watches, or into an accessory's, is read meanwhile, and in no other call of
  /// the kit.
  /// - Parameter condition: The condition; evaluated again and again on the main actor.
  /// - Returns: Whether it became true within a thousand turns of the main actor and ten seconds of real time.
  public func waits(until condition: () -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(10)
    var turns = 0
    // Other tests may occupy the main actor for a long while, and a thread may take longer than all turns.
    while turns < 1000 || ContinuousClock.now < limit {
      platform.pollSources()
      if condition() { return true }
      turns += 1
      // What has not come at once is another thread's, which wants a processor, too.
      if turns < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
    return false
  }

  // MARK: Lines

  /// The trace as the framework writes it.
  package var entries: [TraceRecord] { recording.records }
  /// The lines that a run on X11 has in common with one in memory.
  package var golden: [String] { trace.filter(\.isLifeCycle).map(\.description) }
  /// The golden lines since the last call, or the last expectation.
  package func newLines() -> [String] { recording.take().filter(\.isLifeCycle).map(\.description) }

  /// Compares everything that has happened since the last expectation with the expected lines: each step of each scene,
  /// each call of the application's delegate, each error, in this order, and nothing else.
  ///
  /// The lines look like `scene1 sceneDidBecomeActive foregroundInactive -> foregroundActive` and
  /// `applicationDidBecomeActive [active]`; the message of a failure has them to be copied.
  /// - Parameters:
  ///   - text: The lines; a text of several has one on each line, and space around them does not count.
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Throws: ``TraceMismatch``, whose description is the difference. Lines that have been compared are not compared
  ///   again.
  public func expect(_ text: String..., fileID: StaticString = #fileID, line: UInt = #line) throws(TraceMismatch) {
    let expected = text.flatMap { $0.split(whereSeparator: \.isNewline) }.map(\.trimmed).filter { !$0.isEmpty }
    let actual = recording.take().filter(\.isExpected).map(\.description)
    let mismatch = TraceMismatch(expected: expected, actual: actual, location: "\(fileID):\(line)")
    if let mismatch { throw mismatch }
  }

  /// Checks that nothing has happened since the last expectation.
  /// - Parameters:
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Throws: ``TraceMismatch``, with all that has happened.
  public func expectNothingMore(fileID: StaticString = #fileID, line: UInt = #line) throws(TraceMismatch) {
    try expect(fileID: fileID, line: line)
  }

  /// Skips the lines since the last expectation: those of the launch, say, in a test of something else.
  public func ignoreLines() { _ = recording.take() }

  /// Calls a function with the program, and fails if it leaves lines that no expectation has examined.
  ///
  /// A whole test fits into it:
  /// `try HeadlessProgram(delegate: AppDelegate.init).exhaustively { program in ... }`
  /// - Parameters:
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: The function.
  /// - Returns: The result of the function.
  /// - Throws: The function's error, or ``TraceMismatch``.
  @discardableResult
  public func exhaustively<Result>(
    fileID: StaticString = #fileID, line: UInt = #line, _ body: @MainActor (HeadlessProgram) throws -> Result
  ) throws -> Result {
    let result = try body(self)
    try expectNothingMore(fileID: fileID, line: line)
    return result
  }

  /// Calls a function that suspends with the program, and fails if it leaves lines that no expectation has examined.
  ///
  /// As the other one, for bodies that let tasks run:
  /// `try await HeadlessProgram(delegate: AppDelegate.init).exhaustively { program in ... }`
  /// - Parameters:
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: The function.
  /// - Returns: The result of the function.
  /// - Throws: The function's error, or ``TraceMismatch``.
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
}

/// The delegate of processes that the package's own tests launch with another one.
private final class NoDelegate: ApplicationDelegate {}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    let count = start.reversed().prefix(while: \.isWhitespace).count
    return String(start.dropLast(count))
  }
}
