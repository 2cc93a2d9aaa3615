import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// The clock, the conditions and the service manager of this machine, for scheduled work or for notices.
///
/// What is not asked for is neither watched nor matched nor read.
@MainActor package final class WorkSource: WorkMonitor {
  /// The variables of the environment that name the display, the bus and the program's files: another process of the
  /// program is started with them.
  package static let variables = [
    "DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP", "HOME",
    "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_DATA_DIRS", "LANG", "LANGUAGE",
    "LC_ALL", "LC_MESSAGES", "LC_TIME", "LC_NUMERIC", "PROSCENIUM_TRACE", "PROSCENIUM_WATCHDOG",
  ]
  /// How long the services of power may take to answer; the machine is taken for one with all its power then.
  private static let patience = Duration.seconds(5)

  private let power: PowerSource
  private let timers: TransientTimers
  private let routeFolder: String
  private let purpose: Purpose
  private weak var host: (any SystemHost)?
  private var timer: KernelTimer?
  private var timerWatch: LoopRegistration?
  /// The time to wake at, in seconds since 1970.
  private var due: Int?
  private var followed: Set<WorkCondition> = []
  private var routes: RouteWatch?
  /// Ends the wait for answers, or the wait for the end of the present callback.
  private var answerTimer: LoopTimer?
  private var hasWaited = false
  /// What the services of power have said last, which counts until they say otherwise, also while they are restarted.
  private var said: [WorkCondition: Bool] = [:]
  private var reported: WorkConditions?

  /// What waits for its time.
  enum Purpose { case tasks, notices }

  /// Makes a source that is not started.
  /// - Parameters:
  ///   - purpose: What waits for its time.
  ///   - power: The machine's power.
  ///   - program: The path of the program; nil where it has none.
  ///   - environment: The program's environment at its launch, in which ``variables`` are looked up.
  ///   - routeFolder: The folder of the kernel's files about routes.
  init(
    for purpose: Purpose = .tasks, power: PowerSource, program: String?, environment: [String: String],
    routeFolder: String = "/proc/net"
  ) {
    (self.purpose, self.power, self.routeFolder) = (purpose, power, routeFolder)
    timers = TransientTimers(
      program: program, environment: environment,
      subject: purpose == .tasks ? "Scheduled tasks run" : "Notices with triggers are shown")
  }

  func start(_ host: any SystemHost) {
    self.host = host
    timers.start(host)
  }

  /// Sets the session bus.
  func use(_ bus: Bus) { timers.use(bus) }

  func stop() {
    timerWatch = nil
    timer = nil
    routes = nil
    answerTimer = nil
  }

  package func setStarts(_ starts: Set<WorkStart>, of identifier: String) { timers.replace(starts, of: identifier) }

  // MARK: The clock

  package var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  package func wake(at time: Double?) {
    let next = time.map { Int($0.rounded(.up)) }
    guard next != due else { return }
    due = next
    guard let next else {
      timer?.stop()
      return
    }
    openTimer()
    set(next)
  }

  private func openTimer() {
    guard timerWatch == nil, let host else { return }
    do throws(Errno) {
      let timer = try KernelTimer(isRealTime: true)
      timerWatch = LoopRegistration(timer.descriptor.number, host: host) { [weak self] _ in self?.timerWentOff() }
      self.timer = consume timer
    } catch {
      host.report("No timer can be made: \(error). Scheduled tasks and notices do not begin by themselves.")
    }
  }

  private func set(_ time: Int) {
    // The clock was set meanwhile: the timer is set, and the time is looked at.
    do throws(Errno) { try timer?.start(at: time) } catch { came() }
  }

  private func timerWentOff() {
    do throws(Errno) {
      try timer?.wait()
    } catch {
      guard error.code == ECANCELED else { return }
    }
    came()
  }

  private func came() {
    due = nil
    host?.post(purpose == .tasks ? .scheduledWork(.due) : .noticesDue)
  }

  // MARK: Conditions

  package func follow(_ conditions: Set<WorkCondition>) {
    guard conditions != followed else { return }
    let isMore = !conditions.isSubset(of: followed)
    followed = conditions
    // What is not heard of is soon wrong.
    said = said.filter { conditions.contains($0.key) }
    (reported, hasWaited) = (nil, hasWaited && !isMore)
    var topics: Set<PowerTopic> = []
    if conditions.contains(.externalPower) { topics.insert(.battery) }
    if conditions.contains(.fullPower) { topics.insert(.lowPowerMode) }
    power.followForWork(topics) { [weak self] in self?.report() }
    if !conditions.contains(.network) {
      routes = nil
    } else if routes == nil, let host {
      do throws(Errno) {
        routes = try RouteWatch(folder: routeFolder, host: host) { [weak self] in self?.report() }
      } catch {
        host.log("Routes cannot be watched: \(error). A task that waits for the network begins with the next change.")
      }
    }
    let isWaiting = !hasWaited && followed.contains { answer($0) == nil }
    reportLater(isMore ? .zero : isWaiting ? Self.patience : nil)
  }

  /// Reports after the present callback, and once more when the services have had their time; also to a program that is
  /// suspended, whose deadlines stand still.
  private func reportLater(_ delay: Duration?) {
    guard let host, !followed.isEmpty, let delay else { return answerTimer = nil }
    answerTimer = try? LoopTimer(after: delay, host: host) { [weak self] in
      guard let self else { return }
      if delay != .zero { hasWaited = true }
      report()
      reportLater(hasWaited || reported != nil ? nil : Self.patience)
    }
  }

  private func report() {
    routes?.reread()
    var conditions = WorkConditions()
    // All of them, so that what each service says is noted.
    for condition in followed { conditions[condition] = answer(condition) }
    guard !followed.isEmpty, followed.allSatisfy({ conditions[$0] != nil }), conditions != reported else { return }
    reported = conditions
    host?.post(.scheduledWork(.conditions(conditions)))
  }

  /// Whether a condition holds; nil where that is not known yet.
  private func answer(_ condition: WorkCondition) -> Bool? {
    switch condition {
    case .network: routes?.isOnline ?? RouteWatch.isOnline(routeFolder)
    case .externalPower: known(condition, isUnmet: power.isOnBattery)
    case .fullPower: known(condition, isUnmet: power.isLowPowerMode)
    }
  }

  private func known(_ condition: WorkCondition, isUnmet: Bool?) -> Bool? {
    if let isUnmet { said[condition] = !isUnmet }
    return said[condition] ?? (hasWaited ? true : nil)
  }
}
