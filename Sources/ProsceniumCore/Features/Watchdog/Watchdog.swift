import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumStore
import Synchronization

/// The thread that looks whether the main thread's callbacks return.
///
/// The main thread notes what it calls, under a lock that is free unless somebody looks, and sets a timer of the kernel's
/// once for everything that it does between two waits: two system calls, and nobody is woken. The thread waits for that
/// timer, and while it is off, which is whenever the program rests, it waits without an end. Only a callback that takes
/// longer than a ``Vigil/step`` makes it look.
final class Watchdog: Sendable {
  private struct State {
    var vigil: Vigil
    var policy: WatchdogPolicy
    var limits = WatchdogLimits()
    /// Whether the timer is on.
    var isTicking = false
    /// The process is about to be killed: nothing more is called.
    var isEnding = false
    var application = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    var store: StoreAccess?
    var reports = 0
    /// A report is being made.
    var isReporting = false
  }

  /// More reports of one process are a line each, on standard error.
  private static let mostReports = 10
  /// Names of Swift's are taken apart recursively; what is never touched costs nothing.
  private static let stackSize = 512 * 1024

  private let state: Mutex<State>
  private let timer: KernelTimer
  /// What the environment says, which goes before what the delegate says.
  private let order: WatchdogPolicy?

  /// Begins with the launch; nil if the environment wants none, or the system gives no thread.
  package static func begin() -> Watchdog? {
    let order = policyFromEnvironment()
    guard order != .off, let timer = try? KernelTimer(blocks: true) else { return nil }
    let watchdog = Watchdog(order, timer)
    return DetachedThread.run(stackSize: stackSize) { watchdog.look() } ? watchdog : nil
  }

  private init(_ order: WatchdogPolicy?, _ timer: consuming KernelTimer) {
    self.order = order
    self.timer = timer
    let limits = WatchdogLimits()
    var vigil = Vigil(step: Self.step(limits))
    let limit = Self.nanoseconds(limits.launch)
    let now = Clock.nanoseconds()
    let age = ProcessStatus.age(now: now)
    vigil.beginLaunch(limit: limit, now: now, passed: limit.map { age < $0 ? age : 0 } ?? 0)
    state = Mutex(State(vigil: vigil, policy: order ?? .report))
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

  private static func nanoseconds(_ limit: Duration) -> UInt64? {
    // A year is for ever to somebody who waits for a window.
    let parts = min(limit, .seconds(365 * 86400)).components
    guard limit > .zero else { return nil }
    return UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
  }

  private static func step(_ limits: WatchdogLimits) -> UInt64 {
    Vigil.step(for: WatchedPhase.allCases.compactMap { nanoseconds(limits[$0]) })
  }

  // MARK: The main thread's side

  package func configure(_ policy: WatchdogPolicy, _ limits: WatchdogLimits, application: String) {
    state.withLock { state in
      state.application = application
      state.limits = limits
      state.policy = order ?? policy
      state.vigil.change(
        launchLimit: state.policy == .off ? nil : Self.nanoseconds(limits.launch), step: Self.step(limits))
      // Also for its new step. A thread that is wanted no more has to hear of it: then nobody but it stops the timer.
      timer.start(every: .nanoseconds(state.policy == .off ? 1 : state.vigil.step))
      state.isTicking = state.policy != .off
    }
  }

  package func storeOpened(_ access: StoreAccess) { state.withLock { $0.store = access } }

  package func begin(_ callback: WatchedCallback) -> Vigil.Watch? {
    let now = Clock.nanoseconds()
    return onMain { state in
      let limit = state.policy == .off ? nil : callback.phase.flatMap { Self.nanoseconds(state.limits[$0]) }
      defer { tick(&state) }
      return state.vigil.begin(callback, limit: limit, now: now)
    }
  }

  package func end(within outer: Vigil.Watch?) -> WatchdogOverrun? {
    overrun(onMain { $0.vigil.end(within: outer) })
  }

  package func endLaunch() -> WatchdogOverrun? {
    defer { rest() }
    return overrun(onMain { $0.vigil.endLaunch() })
  }

  package func rest() {
    onMain { state in
      guard state.isTicking, !state.vigil.isWatching else { return }
      timer.stop()
      state.isTicking = false
    }
  }

  package func finish() {
    // As long as threads are given to answer, and some more.
    for _ in 0..<500 {
      guard onMain({ $0.isReporting }) else { return }
      usleep(2000)
    }
  }

  /// Where the process is about to be killed, nothing more of it is run.
  private func onMain<Result>(_ body: (inout sending State) -> sending Result) -> Result {
    let result = state.withLock { state -> Result? in state.isEnding ? nil : body(&state) }
    if let result { return result }
    while true { pause() }
  }

  private func overrun(_ watch: Vigil.Watch?) -> WatchdogOverrun? {
    guard let watch, watch.isOverrun else { return nil }
    return WatchdogOverrun(callback: watch.callback, nanoseconds: Clock.nanoseconds() - watch.since)
  }

  private func tick(_ state: inout State) {
    guard !state.isTicking, state.vigil.isWatching else { return }
    timer.start(every: .nanoseconds(state.vigil.step))
    state.isTicking = true
  }

  // MARK: The other thread's side

  private func look() {
    linux_name_thread("Watchdog")
    while true {
      try? timer.wait()
      let now = Clock.nanoseconds()
      let (isWanted, watch) = state.withLock { state -> (Bool, Vigil.Watch?) in
        let expired = state.vigil.look(at: now)
        state.isReporting = !expired.isEmpty
        if !state.vigil.isWatching {
          timer.stop()
          state.isTicking = false
        }
        return (state.policy != .off, expired.last)
      }
      guard isWanted else { return }
      if let watch { ranOut(watch) }
      state.withLock { $0.isReporting = false }
    }
  }

  private func ranOut(_ watch: Vigil.Watch) {
    // Whoever debugs the program holds it up.
    let isTraced = ProcessStatus.isTraced
    let (state, running) = state.withLock { state -> (State, WatchedCallback?) in
      if isTraced {
        state.vigil.pardon()
      } else {
        state.isEnding = state.policy == .terminate
        state.reports += 1
      }
      return (state, watch.callback.phase == .launch ? state.vigil.callback?.callback : nil)
    }
    guard !isTraced else { return }
    write(
      WatchdogReport(
        watch: watch, running: running, application: state.application, process: getpid(), date: ReportFolder.date(),
        ends: state.isEnding), state)
    guard state.isEnding else { return }
    if let store = state.store { store.whileNothingIsSaved(die) } else { die() }
  }

  private func write(_ report: WatchdogReport, _ state: State) {
    guard state.reports <= Self.mostReports else { return Self.say("Proscenium: \(report.headline)\n") }
    var report = report
    report.threads = ThreadBacktraces.take()
    let text = report.text
    // A disk that hangs is waited for without an end, standard error for a second.
    Self.say(text)
    if let store = state.store,
      let error = ReportFolder(files: store.files).keep(
        text, date: report.date, process: report.process, number: state.reports)
    {
      Self.say("This report could not be kept: \(error).\n")
    }
  }

  /// Writes to standard error as far as somebody reads it.
  private static func say(_ text: String) {
    var rest = text.utf8.dropLast()[...]
    while !rest.isEmpty {
      var entry = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
      guard poll(&entry, 1, 1000) == 1, entry.revents & Int16(POLLOUT) != 0 else { return }
      // A pipe that can be written to takes 4096 bytes (pipe(7)), in whole lines.
      let whole = rest.prefix(4000)
      let end = whole.count == rest.count ? whole.endIndex : whole.lastIndex(of: UInt8(ascii: "\n")) ?? whole.endIndex
      StandardError.write(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[end...].drop { $0 == UInt8(ascii: "\n") }
    }
  }

  private func die() {
    kill(getpid(), SIGKILL)
    // The first process of a container is not killed by itself.
    _exit(128 + SIGKILL)
  }
}
