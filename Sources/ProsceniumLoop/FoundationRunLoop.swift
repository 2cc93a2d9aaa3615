import CSystem

/// The run loop of Foundation's `Timer` and `RunLoop.main`, which ``EventLoop`` does not run.
@MainActor package struct FoundationRunLoop {
  private let mode: UnsafeRawPointer

  /// Finds the run loop; nil where the program is not linked with Foundation.
  package init?() {
    guard foundation_is_linked() != 0, let mode = foundation_string(nil, "kCFRunLoopDefaultMode", foundation_utf8)
    else { return nil }
    self.mode = mode
  }

  /// The time until the next timer fires, negative where that is overdue; nil where none is scheduled.
  package var timeToNextTimer: Duration? {
    let next = foundation_next_timer(foundation_main_loop(), mode)
    return next > 0 ? .seconds(next - foundation_time()) : nil
  }
}
