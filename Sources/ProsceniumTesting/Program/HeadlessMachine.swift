public import FoundationEssentials
private import Glibc
public import ProsceniumCore
import ProsceniumLoop

/// The kernel, logind, the session manager and the other programs of a program in memory.
///
/// A program hears of it through the entrances that the kernel and the bus use in life. What was said stays true over a
/// relaunch: a process that starts under a locked screen is told so at its launch, before a scene is active, as by
/// logind.
@MainActor public final class HeadlessMachine {
  weak var program: HeadlessProgram?
  /// What the present process holds the machine up with.
  private(set) var inhibitor = HeadlessInhibitor()
  private var source: HeadlessSource?
  private var absences: Set<ConcealmentReason> = []
  private var isSaverOn = false
  private var time = CivilTime(day: 20_000, offset: 0, zone: "UTC", skew: 0)
  private var announced: ManualClock.Instant?

  init() {}

  /// What the next process hears of.
  func makeSource() -> HeadlessSource {
    let source = HeadlessSource(self)
    self.source = source
    inhibitor = HeadlessInhibitor()
    inhibitor.machine = self
    return source
  }

  /// The process has been killed.
  func forgetProcess() { source = nil }

  /// Whether there is something that a process has to be told when it starts.
  var hasNews: Bool { !absences.isEmpty || isSaverOn }

  /// Says what is true now to a process that waits for it, once its first windows have been asked for.
  func answer() {
    guard source?.isAwaited == true else { return }
    source?.isAwaited = false
    for absence in ConcealmentReason.allCases where absences.contains(absence) { say(absence, true) }
    if isSaverOn { post(.screenSaver(isOn: true, source: HeadlessSource.logind)) }
    post(.firstWord(isAwaited: false))
  }

  /// The platform of a process that runs.
  private var running: HeadlessPlatform? { program.flatMap { $0.isRunning ? $0.platform : nil } }

  private func post(_ event: SystemEvent) {
    source?.post(event)
    program?.platform.deliver()
  }

  private func say(_ absence: ConcealmentReason, _ isOn: Bool) {
    post(.concealment(absence, isOn: isOn, source: HeadlessSource.logind))
  }

  private func change(_ absence: ConcealmentReason, _ isOn: Bool) {
    if isOn { absences.insert(absence) } else { absences.remove(absence) }
    say(absence, isOn)
  }

  // MARK: The user's absence

  /// Locks the screen.
  public func lock() { change(.locked, true) }

  /// Unlocks the screen.
  public func unlock() { change(.locked, false) }

  /// Puts another user's session in front.
  public func switchAway() { change(.switchedAway, true) }

  /// Puts the program's session in front again.
  public func switchBack() { change(.switchedAway, false) }

  /// Lets a screen saver come that locks nothing.
  public func startScreenSaver() { changeScreenSaver(true) }

  /// Takes the screen saver away.
  public func stopScreenSaver() { changeScreenSaver(false) }

  private func changeScreenSaver(_ isOn: Bool) {
    isSaverOn = isOn
    post(.screenSaver(isOn: isOn, source: HeadlessSource.logind))
  }

  // MARK: Sleep and shutdown

  /// Says that the machine is about to sleep, as soon as programs let it: see ``isHeldAwake``.
  public func sleep() { announce(.sleeping) }

  /// Wakes the machine up.
  ///
  /// No time has passed for the program: its clock stands still while the machine sleeps.
  public func wake() { takeBack(.sleeping) }

  /// Says that the machine is about to be shut down, as soon as programs let it: see ``isHeldAwake``.
  ///
  /// That it goes down is ``send(signal:)`` with SIGTERM, or ``HeadlessProgram/kill()``.
  public func announceShutdown() { announce(.shuttingDown) }

  /// Takes the shutdown back.
  public func cancelShutdown() { takeBack(.shuttingDown) }

  private func announce(_ absence: ConcealmentReason) {
    inhibitor.begin()
    announced = program?.clock.now
    change(absence, true)
  }

  private func takeBack(_ absence: ConcealmentReason) {
    announced = nil
    change(absence, false)
  }

  /// Whether the machine, which is about to sleep or to be shut down, still waits for the program: until everything is
  /// saved and every background task has ended, but no longer than five seconds.
  public var isHeldAwake: Bool {
    guard announced != nil, program?.isRunning == true else { return false }
    return !inhibitor.letsGo && elapsed < Self.delay
  }

  /// How long the machine waits (logind's `InhibitDelayMaxSec`), in milliseconds.
  static let delay = 5000

  /// How long it has waited, in milliseconds.
  var elapsed: Int {
    guard let announced, let now = program?.clock.now else { return 0 }
    return Int((announced.duration(to: now) / .milliseconds(1)).rounded())
  }

  // MARK: The session

  /// Has the session manager ask the program to save, the session going on.
  public func saveSession() {
    running?.send(.sessionSave(SessionSave(endsSession: false, mayInteract: false)))
  }

  /// Has the session manager end the session: the program is asked, and told to end once it has agreed.
  ///
  /// If it refuses (`applicationShouldTerminate(_:)` with `.cancel`), the session goes on for all. While it answers
  /// `.later`, the session manager waits, see ``isSessionEnding``.
  /// - Parameters:
  ///   - mayInteract: Whether the program may ask its user; if not, what its delegate answers changes nothing.
  ///   - isCancelledElsewhere: Whether another program refuses once this one has agreed.
  public func endSession(mayInteract: Bool = true, isCancelledElsewhere: Bool = false) {
    guard let platform = running else { return }
    platform.send(platform.session.end(mayInteract: mayInteract, isCancelledElsewhere: isCancelledElsewhere))
  }

  /// Another program refuses the end of the session while this one is still being asked.
  public func cancelSessionEnd() {
    guard let platform = program?.platform, let event = platform.session.cancel() else { return }
    platform.send(event)
  }

  /// Whether the session manager waits for the program's answer.
  public var isSessionEnding: Bool { program?.platform.session.isEnding ?? false }

  /// Sends a signal that ends programs; any other does nothing, nor does one where no process runs.
  /// - Parameter number: SIGINT (2), SIGTERM (15) or SIGHUP (1); for SIGKILL there is ``HeadlessProgram/kill()``.
  public func send(signal number: Int32) {
    guard [1, 2, 15].contains(number) else { return }
    running?.send(.signal(number))
  }

  // MARK: Time and memory

  /// Changes the time that the user reads; the program's own clock does not move, nor do `Date()` and `TZ`.
  /// - Parameter changes: What has happened at once; a new zone brings its own daylight saving.
  public func changeTime(_ changes: SignificantTimeChange...) {
    let before = time
    for change in Set(changes) {
      switch change {
      case .newDay: time.day += 1
      case .clockSet: time.skew += 3600
      case .timeZone: time.zone += "*"
      case .daylightSaving: time.offset += 3600
      }
    }
    if time != before { post(.time(from: before, to: time)) }
  }

  /// How short memory is.
  public enum MemoryPressure: Hashable, Sendable, CaseIterable {
    /// What can be given back should be.
    case warning
    /// Processes are about to be killed.
    case critical
  }

  /// Lets memory be short.
  ///
  /// Programs hear of pressure that lasts no more often than in life: a second call within a few seconds may be no
  /// news.
  /// - Parameter pressure: How short.
  public func runShortOfMemory(_ pressure: MemoryPressure = .warning) {
    post(.memoryPressure(pressure == .warning ? .warning : .critical))
  }

  // MARK: Other programs

  /// What says which requests the process that runs takes.
  private var openable: OpenableContent? { running?.application?.resolvedManifest.openable }

  /// Writes the refusal to standard error, which the second process shares.
  private func refuse(_ why: String) { StandardError.write("Proscenium: Nothing was opened: \(why)") }

  /// Another program opens URLs with this one.
  ///
  /// Files, and URLs of the schemes that the manifest declares. If there is any other, the whole request is refused, as
  /// in life: the program hears nothing, and standard error says why.
  /// - Parameters:
  ///   - urls: The URLs, in one request.
  ///   - sourceApplication: The id of the other one.
  public func open(_ urls: URL..., from sourceApplication: String? = nil) {
    guard let openable else { return }
    let schemes = Set(openable.schemes.map { $0.lowercased() }).union(["file"])
    for url in urls where !schemes.contains(url.scheme?.lowercased() ?? "") {
      return refuse("the program does not open \(url). Declare its scheme in openedURLSchemes.")
    }
    var request = IncomingRequest()
    request.urls = urls
    if let sourceApplication { request.sender = IncomingRequest.Sender(application: sourceApplication) }
    receive(request)
  }

  /// A launcher asks for one of the program's items.
  /// - Parameter item: The item.
  public func performAction(for item: ApplicationShortcutItem) {
    var request = IncomingRequest()
    request.shortcut = item
    receive(request)
  }

  /// The program is started once more, and hands over to this one.
  ///
  /// The declarations of the manifest are read out of the command line as at a launch: URLs, files, `--action` and
  /// `--background`. One that asks for what cannot be done is refused, and standard error says why.
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - directory: Where it was typed, and relative file names start; nil for a folder that is gone.
  public func startAgain(_ arguments: [String] = [], directory: String? = nil) {
    guard let openable else { return }
    let launch = LaunchOptions(
      arguments: arguments, openable: openable, directory: directory, fileExists: { access($0, F_OK) == 0 })
    if let refusal = launch.refusals.first { return refuse(refusal) }
    var request = IncomingRequest()
    request.arguments = arguments
    request.urls = launch.urls
    request.shortcut = launch.shortcutItem
    request.isBackground = launch.isBackground
    request.directory = directory
    receive(request)
  }

  /// Another instance hands over an activity.
  /// - Parameter activity: The activity; the program gets one that is equal.
  public func handOver(_ activity: UserActivity) {
    var request = IncomingRequest()
    request.activity = .whole(activity.stored)
    receive(request)
  }

  /// Anything that another program can ask for.
  package func receive(_ request: IncomingRequest) { post(.request(request)) }
}

/// What one process hears of the machine.
@MainActor final class HeadlessSource: SystemSource {
  static let logind = "org.freedesktop.login1"

  private weak var machine: HeadlessMachine?
  private weak var host: (any SystemHost)?
  /// Whether no scene is active before it has been said whether the user is there.
  var isAwaited = false

  init(_ machine: HeadlessMachine) { self.machine = machine }

  func start(_ host: any SystemHost) {
    self.host = host
    // Without news it is as on a machine without a bus: nothing waits for an answer.
    guard machine?.hasNews == true else { return }
    isAwaited = true
    post(.firstWord(isAwaited: true))
  }

  // The loop of a headless platform returns when the launch is over, and the program goes on.
  func stop() {}

  func post(_ event: SystemEvent) { host?.post(event) }
}

/// Logind's side of a delay: who holds the machine up.
@MainActor final class HeadlessInhibitor: SleepInhibitor {
  weak var machine: HeadlessMachine?
  private var isSaved = false
  private var holdsTasks = false
  var letsGo: Bool { isSaved && !holdsTasks }

  /// Nothing has been saved for what is announced now.
  func begin() { isSaved = false }

  func inhibit(reason: String) { holdsTasks = true }
  func release() { holdsTasks = false }
  func saved() { isSaved = true }
  var savingTime: Int { SleepDelay.savingTime(delay: HeadlessMachine.delay, elapsed: machine?.elapsed ?? 0) }
}
