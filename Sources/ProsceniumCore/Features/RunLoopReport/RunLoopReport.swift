import ProsceniumLoop

/// Reports, once and in debug builds, that a timer of Foundation's `RunLoop.main` does not fire.
///
/// The loop serves that run loop only where it is told to (``OuterLoop/serve(_:)``), and a program may run it by
/// itself: a timer is reported only where it is overdue by more than a second, and two seconds later again.
final class RunLoopReport: FeatureBase, Feature, LoopObserver {
  /// The next timer should have fired.
  enum Message: Equatable { case judge }

  /// The time from a timer's moment, or from the last look at it, to the next look.
  private static let delay = Duration.seconds(2)

  /// How much earlier a look has to be due to be set anew: the clocks of Foundation and of the loop are two.
  private static let tolerance = Duration.milliseconds(100)

  #if DEBUG
    private lazy var runLoop = application.host.isProcess ? FoundationRunLoop() : nil
  #else
    private var runLoop: FoundationRunLoop?
  #endif
  private var wasOverdue = false
  /// When the look is due that is set, on the monotonic clock.
  private var nextLook = Duration.zero

  override func join(_ lists: inout FeatureLists) { if runLoop != nil { lists.observe(.turnEnded, by: self) } }

  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    guard let time = runLoop?.timeToNextTimer else { return [] }
    let (now, length) = (MonotonicClock.now, max(time, .zero) + Self.delay)
    // A timer may have been added that is earlier than the one that the look waits for.
    guard !conductor.isSet(.runLoopReport) || now + length < nextLook - Self.tolerance else { return [] }
    nextLook = now + length
    return [set(.runLoopReport, after: length, .judge)]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    let isOverdue = (runLoop?.timeToNextTimer ?? .zero) < .seconds(-1)
    defer { wasOverdue = isOverdue }
    guard isOverdue, wasOverdue else { return [] }
    runLoop = nil
    return [
      .report(
        "A Timer of Foundation is overdue: timers and performed blocks of RunLoop.main do not run in this program. "
          + "Use a Task, DispatchQueue.main or a FrameLink, or serve them: FoundationLoop().serve(application), of the "
          + "product ProsceniumFoundation. (Debug builds say so.)")
    ]
  }
}

/// The next timer should have fired.
extension Deadline { fileprivate static let runLoopReport = Deadline("run loop report") }
