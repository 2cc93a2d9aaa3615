import Glibc
import ProsceniumLoop

/// What a program does that nobody looks at, for whoever develops it.
///
/// Measured once for each time that the program is in the background without a task open, with one deadline; never in
/// release builds, and never otherwise.
@MainActor package struct BackgroundConduct {
  /// How long the program is watched, in milliseconds, and how much of one core it may use meanwhile.
  static let span = 5000
  static let share = 0.1

  /// Whether anybody wants to know: `ApplicationMain` in debug builds.
  package var isWatching = false
  var deadline: DeadlineID?
  var isInBackground = false
  /// What was used until now when the watch began, in seconds, by thread.
  var used: [Int32: Double] = [:]
  var begun = 0.0
}

extension Stage {
  private var threadTimes: [Int32: ThreadTime] { application.ownProcess?.threadTimes() ?? [:] }

  /// The program has gone to the background or come back, or a task has begun or ended: a program that finishes a task may
  /// be as busy as it likes.
  func watchConduct() {
    guard conduct.isWatching else { return }
    let isWatched = application.applicationState == .background && law.phase == .running && !holdsBackgroundTask
    guard isWatched != conduct.isInBackground else { return }
    conduct.isInBackground = isWatched
    if let deadline = conduct.deadline { cancel(deadline) }
    conduct.deadline = nil
    guard isWatched else { return }
    conduct.used = threadTimes.mapValues(\.seconds)
    conduct.begun = platform.now
    conduct.deadline = makeDeadline(.conduct, milliseconds: BackgroundConduct.span)
  }

  /// The watch is over: what was still held, drawn or busy is named.
  func judgeConduct() {
    conduct.deadline = nil
    let seconds = max(0.001, platform.now - conduct.begun)
    var findings: [String] = []
    for (thread, time) in threadTimes.sorted(by: { $0.key < $1.key }) {
      let share = (time.seconds - (conduct.used[thread] ?? 0)) / seconds
      guard share > BackgroundConduct.share else { continue }
      let name = thread == getpid() ? "the main thread" : "the thread \(thread) (\(time.name))"
      findings.append("\(name) used \(Int(share * 100)) % of a core")
    }
    for record in records.ordered where record.scene != nil {
      let title = record.title ?? record.session.persistentIdentifier
      let refused = (record.windowScene?.windows ?? []).reduce(0) { $0 + $1.display.refusedFrames }
      if refused > 0 { findings.append("the scene \"\(title)\" wanted to show \(refused) frames") }
      if record.interruptions > 0 { findings.append("the scene \"\(title)\" holds an interruption") }
    }
    if application.isIdleTimerDisabled { findings.append("isIdleTimerDisabled is still true") }
    guard !findings.isEmpty else { return }
    report(
      "In the background, over \(Int(seconds.rounded())) s without a background task: "
        + findings.joined(separator: "; ")
        + ". Stop timers and tasks with whileActive(_:), and begin a background task "
        + "for what has to be finished. (Debug builds say so.)")
  }
}
