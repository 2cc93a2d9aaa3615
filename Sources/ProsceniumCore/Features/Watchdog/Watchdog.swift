import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumStore
import Synchronization

/// The thread that checks whether the main thread's callbacks return in time.
///
/// The main thread records its calls, under a lock that is free except during a check, and sets a timer of the kernel
/// once for all calls between two waits: two system calls, and no thread is woken. The thread waits for that timer, and
/// while it is off, which is whenever the program rests, it waits without a limit. Only a callback that takes longer
/// than a ``WatchdogState/step`` causes a check.
final class Watchdog: Sendable {
  private struct State {
    var watches: WatchdogState
    var policy: WatchdogPolicy
    /// The limits of the calls of each phase in nanoseconds, as ``configure(_:_:application:)`` got them.
    var limits = Limits(WatchdogLimits())
    /// Whether the timer is on.
    var isTicking = false
    /// The process is about to be killed: no callback is called any more.
    var isEnding = false
    var application = CommandLine.arguments.first.flatMap(ProgramName.last) ?? ""
    var store: StoreAccess?
    var reports = 0
    /// A report is being made.
    var isReporting = false
  }

  /// Limits of calls in nanoseconds, of which each call asks for one; nil where there is none.
  private struct Limits {
    let background: UInt64?
    let termination: UInt64?
    let event: UInt64?
    let update: UInt64?

    init(_ limits: WatchdogLimits) {
      background = Watchdog.nanoseconds(limits[.background])
      termination = Watchdog.nanoseconds(limits[.termination])
      event = Watchdog.nanoseconds(limits[.event])
      update = Watchdog.nanoseconds(limits[.update])
    }

    /// A launch callback has no limit of its own, because the launch's counts; a question is not timed.
    subscript(phase: CallPhase) -> UInt64? {
      switch phase {
      case .background: background
      case .termination: termination
      case .event: event
      case .update: update
      case .launch, .question: nil
      }
    }
  }

  /// More reports of one process are a line each, on standard error.
  private static let mostReports = 10
  /// Swift's names are demangled recursively; untouched pages cost nothing.
  private static let stackSize = 512 * 1024

  private let state: Mutex<State>
  private let timer: KernelTimer
  /// The environment's policy, which precedes the manifest's.
  private let order: WatchdogPolicy?
  /// The time at which the watchdog began, and the machine's uptime then, in nanoseconds.
  private let began: (time: UInt64, uptime: UInt64)

  /// Begins with the launch; nil if the environment turns it off, or no thread can be made.
  static func begin() -> Watchdog? {
    let order = policyFromEnvironment()
    guard order != .off, let timer = try? KernelTimer(blocks: true) else { return nil }
    let watchdog = Watchdog(order, timer)
    return DetachedThread.run(stackSize: stackSize) { watchdog.watch() } ? watchdog : nil
  }

  private init(_ order: WatchdogPolicy?, _ timer: consuming KernelTimer) {
    self.order = order
    self.timer = timer
    let limits = WatchdogLimits()
    var watches = WatchdogState(step: Self.step(limits))
    let limit = Self.nanoseconds(limits.launch)
    began = (MonotonicClock.nanoseconds, MonotonicClock.uptime)
    watches.beginLaunch(limit: limit, now: began.time)
    state = Mutex(State(watches: watches, policy: order ?? .report))
    state.withLock { tick(&$0) }
  }

  private static func policyFromEnvironment() -> WatchdogPolicy? {
    let name = "PROSCENIUM_WATCHDOG"
    guard let value = getenv(name), getuid() == geteuid(), getgid() == getegid() else { return nil }
    let word = String(cString: value)
    if let policy = WatchdogPolicy(environment: word) { return policy }
    if !word.isEmpty { StandardError.write("Proscenium: \(name) is \"\(word)\". Set it to off, report or kill.") }
    return nil
  }

  private static func nanoseconds(_ limit: Duration?) -> UInt64? {
    guard let limit, limit > .zero else { return nil }
    // A year stands for an unlimited time.
    let parts = min(limit, .seconds(365 * 86400)).components
    return UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
  }

  private static func step(_ limits: WatchdogLimits) -> UInt64 {
    WatchdogState.step(for: CallPhase.allCases.compactMap { nanoseconds(limits[$0]) })
  }

  // MARK: Main thread

  func configure(_ policy: WatchdogPolicy, _ limits: WatchdogLimits, application: String) {
    state.withLock { state in
      state.application = application
      state.limits = Limits(limits)
      state.policy = order ?? policy
      state.watches.change(
        launchLimit: state.policy == .off ? nil : Self.nanoseconds(limits.launch), step: Self.step(limits))
      // Also for its new step. A thread that is no longer wanted has to be woken: only it stops the timer.
      timer.start(every: .nanoseconds(state.policy == .off ? 1 : state.watches.step))
      state.isTicking = state.policy != .off
    }
  }

  func storeOpened(_ access: StoreAccess) { state.withLock { $0.store = access } }

  func begin(_ callback: CallDescription) {
    let now = MonotonicClock.nanoseconds
    onMain { state in
      state.watches.begin(callback, limit: state.policy == .off ? nil : state.limits[callback.phase], now: now)
      tick(&state)
    }
  }

  /// Ends the innermost callback; returns it where it has exceeded its limit.
  func end() -> WatchdogState.Watch? {
    onMain { state in
      let ended = state.watches.end()
      // The one around it is watched again, also where this one has run out, or has no limit.
      tick(&state)
      return ended
    }
  }

  func endLaunch() -> WatchdogState.Watch? {
    defer { rest() }
    return onMain { $0.watches.endLaunch() }
  }

  /// The time of a wait for another process is not the program's.
  func launchWaits(_ waits: Bool) {
    let now = MonotonicClock.nanoseconds
    onMain { state in
      if waits {
        state.watches.pauseLaunch()
      } else {
        state.watches.resumeLaunch(now: now)
        tick(&state)
      }
    }
    if waits { rest() }
  }

  func rest() {
    onMain { state in
      guard state.isTicking, !state.watches.isWatching else { return }
      timer.stop()
      state.isTicking = false
    }
  }

  func finish() {
    // As long as threads have time to answer, and some more.
    for _ in 0..<500 {
      guard onMain({ $0.isReporting }) else { return }
      usleep(2000)
    }
  }

  /// Where the process is about to be killed, none of its code runs any more.
  private func onMain<Result>(_ body: (inout sending State) -> sending Result) -> Result {
    let result = state.withLock { state -> Result? in state.isEnding ? nil : body(&state) }
    if let result { return result }
    while true { pause() }
  }

  private func tick(_ state: inout State) {
    guard !state.isTicking, state.watches.isWatching else { return }
    timer.start(every: .nanoseconds(state.watches.step))
    state.isTicking = true
  }

  // MARK: Watchdog's thread

  private func watch() {
    linux_name_thread("Watchdog")
    try? timer.wait()
    // Not at the launch, of which most are over before the first check: the kernel takes its time to answer.
    let age = ProcessStatus.age(at: began.uptime, now: began.time)
    state.withLock { $0.watches.countBeforeLaunch(age, below: Self.nanoseconds(WatchdogLimits().launch)) }
    while true {
      let now = MonotonicClock.nanoseconds
      let (isWanted, watch) = state.withLock { state -> (Bool, WatchdogState.Watch?) in
        let expired = state.watches.check(at: now)
        state.isReporting = !expired.isEmpty
        if !state.watches.isWatching {
          timer.stop()
          state.isTicking = false
        }
        return (state.policy != .off, expired.last)
      }
      guard isWanted else { return }
      if let watch { ranOut(watch) }
      state.withLock { $0.isReporting = false }
      try? timer.wait()
    }
  }

  private func ranOut(_ watch: WatchdogState.Watch) {
    // A debugger holds the program up.
    let isTraced = ProcessStatus.isTraced
    let (state, running) = state.withLock { state -> (State, CallDescription?) in
      if isTraced {
        state.watches.pardon()
      } else {
        state.isEnding = state.policy == .terminate
        state.reports += 1
      }
      return (state, watch.callback.phase == .launch ? state.watches.callback?.callback : nil)
    }
    guard !isTraced else { return }
    write(
      WatchdogReport(
        watch: watch, running: running, application: state.application, process: getpid(), date: ReportFolder.date(),
        ends: state.isEnding), state)
    guard state.isEnding else { return }
    state.store?.noteCrash()
    if let store = state.store { store.whileNothingIsSaved(die) } else { die() }
  }

  private func write(_ report: WatchdogReport, _ state: State) {
    guard state.reports <= Self.mostReports else { return Self.writeError("Proscenium: \(report.headline)") }
    var report = report
    report.threads = ThreadBacktraces.capture()
    let text = report.text
    // A disk that hangs is waited for without a limit, standard error for a second.
    Self.writeError(String(text.dropLast()))
    if let store = state.store,
      let error = ReportFolder(files: store.files).save(
        text, date: report.date, process: report.process, number: state.reports)
    {
      Self.writeError("This report could not be kept: \(error).")
    }
  }

  /// Writes to standard error, whose reader this thread may wait for.
  private static func writeError(_ text: String) { StandardError.write(text, patience: 1000) }

  private func die() {
    kill(getpid(), SIGKILL)
    // The first process of a container is not killed by itself.
    _exit(128 + SIGKILL)
  }
}
