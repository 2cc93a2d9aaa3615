private import Glibc
public import ProsceniumCore
import ProsceniumLoop

/// The kernel, logind, the session manager and the other programs of a program in memory.
///
/// A program receives the same events as from the kernel and the bus. A state lasts over a relaunch: a process that
/// starts under a locked screen receives the lock at its launch, before a scene is active, as from logind.
@MainActor public final class HeadlessMachine {
  weak var program: HeadlessProgram?
  /// The present process's delay of sleep and shutdown.
  private(set) var inhibitor = HeadlessInhibitor()
  private weak var source: HeadlessSource?
  private var concealments: Set<ConcealmentReason> = []
  private var isSaverOn = false
  private var announced: ManualClock.Instant?
  /// The user's choices in the settings of the desktop, as the present process has been told.
  var settings = DesktopSettings()
  private(set) lazy var parts = HeadlessParts(self)
  private(set) lazy var calendar = HeadlessCalendar(self)
  /// A panel that shows menu bars.
  public private(set) lazy var menuPanel = HeadlessMenuPanel(self)

  init() {}

  /// The events for the next process.
  func makeSource() -> HeadlessSource {
    let source = HeadlessSource(self)
    (self.source, inhibitor) = (source, HeadlessInhibitor(self))
    return source
  }

  /// The process has ended: the next one has asked for nothing.
  func forgetProcess() {
    (source, settings) = (nil, DesktopSettings())
    parts.forgetProcess()
    menuPanel.forgetProcess()
  }

  /// Whether a process receives events at its launch.
  var hasStates: Bool { !concealments.isEmpty || isSaverOn }

  /// Sends the present states to a process that awaits them, once it has created its first windows.
  func answer() {
    guard source?.isAwaited == true else { return }
    source?.isAwaited = false
    for reason in ConcealmentReason.allCases where concealments.contains(reason) { report(reason, true) }
    if isSaverOn { post(.screenSaver(isOn: true, source: HeadlessSource.logind)) }
    post(.firstWord(isAwaited: false))
  }

  /// The platform of a process that runs.
  var running: HeadlessPlatform? { program.flatMap { $0.isRunning ? $0.platform : nil } }

  /// Whether a process receives events.
  var hasSource: Bool { source?.isStarted == true && running != nil }

  /// Calls a function after the present callback, where a process receives events.
  func later(in wait: Int = 0, _ action: @escaping @MainActor () -> Void) { source?.later(in: wait, action) }

  /// Sends an event that is handled after the present callback.
  func postLater(_ event: SystemEvent) { source?.post(event) }

  func post(_ event: SystemEvent) {
    source?.post(event)
    program?.platform.deliver()
  }

  private func report(_ reason: ConcealmentReason, _ isOn: Bool) {
    post(.concealment(reason, isOn: isOn, source: HeadlessSource.logind))
  }

  private func change(_ reason: ConcealmentReason, _ isOn: Bool) {
    if isOn { concealments.insert(reason) } else { concealments.remove(reason) }
    report(reason, isOn)
  }

  // MARK: Lock and login session

  /// Locks the screen.
  public func lock() { change(.locked, true) }

  /// Unlocks the screen.
  public func unlock() { change(.locked, false) }

  /// Switches to another user's login session.
  public func switchAway() { change(.switchedAway, true) }

  /// Switches back to the program's login session.
  public func switchBack() { change(.switchedAway, false) }

  /// Starts a screen saver that does not lock the screen.
  public func startScreenSaver() { changeScreenSaver(true) }

  /// Ends the screen saver.
  public func stopScreenSaver() { changeScreenSaver(false) }

  private func changeScreenSaver(_ isOn: Bool) {
    isSaverOn = isOn
    post(.screenSaver(isOn: isOn, source: HeadlessSource.logind))
  }

  // MARK: Sleep and shutdown

  /// Announces that the machine sleeps as soon as no program delays it: see ``isHeldAwake``.
  public func sleep() { announce(.sleeping) }

  /// Wakes the machine up.
  ///
  /// No time has passed for the program: its clock stands still while the machine sleeps.
  public func wake() { withdraw(.sleeping) }

  /// Announces that the machine is shut down as soon as no program delays it: see ``isHeldAwake``.
  ///
  /// The shutdown itself is ``send(signal:)`` with SIGTERM, or ``HeadlessProgram/kill()``.
  public func announceShutdown() { announce(.shuttingDown) }

  /// Cancels the shutdown.
  public func cancelShutdown() { withdraw(.shuttingDown) }

  private func announce(_ reason: ConcealmentReason) {
    inhibitor.begin()
    announced = program?.clock.now
    change(reason, true)
  }

  private func withdraw(_ reason: ConcealmentReason) {
    announced = nil
    change(reason, false)
  }

  /// Whether the machine, which is about to sleep or to be shut down, still waits for the program: until everything is
  /// saved and every background task has ended, but no longer than five seconds.
  public var isHeldAwake: Bool {
    announced != nil && program?.isRunning == true && !inhibitor.letsGo && elapsed < Self.delay
  }

  /// How long the machine waits (logind's `InhibitDelayMaxSec`), in milliseconds.
  static let delay = 5000

  /// How long it has waited, in milliseconds.
  var elapsed: Int {
    guard let announced, let now = program?.clock.now else { return 0 }
    return Int((announced.duration(to: now) / .milliseconds(1)).rounded())
  }

  // MARK: The session

  /// Asks the program, as the session manager, to save; the session continues.
  public func saveSession() { running?.send(.sessionSave(endsSession: false, mayInteract: false)) }

  /// Ends the session, as the session manager: the program is asked, and ends once it has agreed.
  ///
  /// If it refuses (`applicationShouldTerminate(_:)` with `.cancel`), the session continues. If it answers `.later`,
  /// the session manager waits, see ``isSessionEnding``.
  /// - Parameters:
  ///   - mayInteract: Whether the program may ask its user; if not, its delegate's answer has no effect.
  ///   - isCancelledElsewhere: Whether another program refuses once this one has agreed.
  public func endSession(mayInteract: Bool = true, isCancelledElsewhere: Bool = false) {
    guard let platform = running else { return }
    platform.send(platform.session.ask(mayInteract: mayInteract, isCancelledElsewhere: isCancelledElsewhere))
  }

  /// Another program refuses the end of the session while this one is still being asked.
  public func cancelSessionEnd() {
    if let event = program?.platform.session.cancel() { program?.platform.send(event) }
  }

  /// Whether the session manager waits for the program's answer.
  public var isSessionEnding: Bool { program?.platform.session.isEnding ?? false }

  /// Sends a signal that ends programs; any other does nothing, nor does one where no process runs.
  /// - Parameter number: SIGINT (2), SIGTERM (15) or SIGHUP (1); for SIGKILL there is ``HeadlessProgram/kill()``.
  public func send(signal number: Int32) {
    if [1, 2, 15].contains(number) { running?.send(.signal(number)) }
  }

  // MARK: Time

  /// Changes the wall clock; the program's own clock, `Date()` and `TZ` do not change.
  ///
  /// A clock that is set goes an hour forward; a new day is another date at the same time of day.
  /// - Parameter changes: The changes, which happen at once; a new zone has its own daylight saving.
  public func changeTime(_ changes: SignificantTimeChange...) { calendar.change(Set(changes)) }

  /// Delivers any request of another program.
  package func receive(_ request: IncomingRequest) { post(.request(request)) }
}

/// The source of the machine's events for one process.
@MainActor final class HeadlessSource: SystemSource {
  static let logind = "org.freedesktop.login1"

  /// The process has parts of it, also when the object that made both has gone.
  let machine: HeadlessMachine
  private weak var host: (any SystemHost)?
  /// Whether scenes wait for the report whether the user is present.
  var isAwaited = false

  init(_ machine: HeadlessMachine) { self.machine = machine }

  func start(_ host: any SystemHost) {
    self.host = host
    machine.calendar.begin()
    machine.power.reportLater()
    machine.parts.accessories.reportLater()
    machine.parts.location.reportLater()
    machine.parts.accounts.reportLater()
    machine.sensors.reportLater()
    if machine.accessibility.isThere { later { [weak self] in self?.reportScreenReader() } }
    // Without news it is as on a machine without a bus: nothing waits for an answer.
    guard machine.hasStates else { return }
    isAwaited = true
    post(.firstWord(isAwaited: true))
  }

  // The loop of a headless platform returns when the launch is over, and the program goes on.
  func stop() {}

  func post(_ event: SystemEvent) { host?.post(event) }

  private func reportScreenReader() { post(.accessibility(.watched(true, byScreenReader: true))) }

  var isStarted: Bool { host != nil }

  func later(in wait: Int = 0, _ action: @escaping @MainActor () -> Void) { host?.after(milliseconds: wait, action) }
}

/// Logind's side of a delay of sleep or shutdown.
@MainActor final class HeadlessInhibitor: SleepInhibitor {
  private weak var machine: HeadlessMachine?
  private var isSaved = false
  private var holdsTasks = false
  var letsGo: Bool { isSaved && !holdsTasks }

  init(_ machine: HeadlessMachine? = nil) { self.machine = machine }

  /// Begins the delay of a new announcement: nothing has been saved for it.
  func begin() { isSaved = false }

  func inhibit(reason: String) { holdsTasks = true }
  func release() { holdsTasks = false }
  func saved() { isSaved = true }
  var savingTime: Int { SleepDelay.savingTime(delay: HeadlessMachine.delay, elapsed: machine?.elapsed ?? 0) }
}
