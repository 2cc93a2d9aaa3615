import Glibc

/// Reports, in debug builds, a program's memory, drawing and processor time in the background.
///
/// Measured once for each time that the program is in the background without a background task or an execution mode,
/// with one deadline; never in release builds, and not in tests unless they request it.
final class BackgroundReport: FeatureBase, Feature {
  /// The duration of the watch, and the share of one core that a thread may use in it.
  static let span = Duration.seconds(5)
  static let share = 0.1

  /// The watch is over: findings are reported.
  enum Message: Equatable { case judge }

  /// Whether the program is watched at all.
  #if DEBUG
    lazy var isOn = application.host.isProcess
  #else
    var isOn = false
  #endif
  private var isWatching = false
  /// The processor time of each thread when the watch began, in seconds.
  private var used: [Int32: Double] = [:]
  private var begun = 0.0

  private var threadTimes: [Int32: ThreadTime] { application.host.process?.threadTimes() ?? [:] }

  override func join(_ lists: inout FeatureLists) {
    lists.observe(moments: .applicationStateSet, .backgroundTasksChanged, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .applicationStateSet, .backgroundTasksChanged, .executionChanged: observe()
    default: []
    }
  }

  /// The program has entered or left the background, or background tasks or execution modes have begun or ended: a
  /// program with one of them is not measured.
  private func observe() -> [FeatureAction] {
    guard isOn else { return [] }
    let isWatched =
      application.applicationState == .background && conductor.machine.phase == .running
      && !application.hasBackgroundTasks && !conductor.holdsExecution
    guard exchange(&isWatching, with: isWatched) != isWatched else { return [] }
    guard isWatched else { return [.cancel(.backgroundReport)] }
    used = threadTimes.mapValues(\.seconds)
    begun = conductor.platform.now
    return [set(.backgroundReport, after: Self.span, .judge)]
  }

  func receive(_ message: Message) -> [FeatureAction] { findings().map { [.report($0)] } ?? [] }

  /// The resources held or used when the watch ended.
  private func findings() -> String? {
    let seconds = max(0.001, conductor.platform.now - begun)
    var findings: [String] = []
    for (thread, time) in threadTimes.sorted(by: { $0.key < $1.key }) {
      let share = (time.seconds - (used[thread] ?? 0)) / seconds
      guard share > Self.share else { continue }
      let name = thread == getpid() ? "the main thread" : "the thread \(thread) (\(time.name))"
      findings.append("\(name) used \(Int(share * 100)) % of a core")
    }
    for record in roster.ordered where record.scene != nil {
      let title = conductor.title(of: record) ?? record.identifier
      let refused = (record.windowScene?.windows ?? []).reduce(0) { $0 + $1.display.refusedFrames }
      if refused > 0 { findings.append("the scene \"\(title)\" wanted to show \(refused) frames") }
      if record.state(of: Input.self).interruptions > 0 {
        findings.append("the scene \"\(title)\" holds an interruption")
      }
    }
    if application.isIdleTimerDisabled { findings.append("isIdleTimerDisabled is still true") }
    guard !findings.isEmpty else { return nil }
    return "In the background, over \(Int(seconds.rounded())) s without a background task or an execution mode: "
      + findings.joined(separator: "; ")
      + ". Stop timers and tasks with whileActive(_:), and begin a background task "
      + "for what has to be finished. (Debug builds say so.)"
  }
}

/// The watch of the program in the background is over.
extension Deadline { fileprivate static let backgroundReport = Deadline("backgroundReport") }
