import CSystem

/// The run loop of Foundation's `Timer` and `RunLoop.main`, which ``EventLoop`` does not run.
@MainActor package struct FoundationRunLoop {
  private let functions: core_foundation_library
  private let mode: UnsafeRawPointer

  /// Finds the run loop; nil where the program has not loaded Foundation.
  package init?() {
    guard let functions = Library.permanent(core_foundation_open),
      let mode = functions.CFStringCreateWithCString(nil, "kCFRunLoopDefaultMode", core_foundation_utf8)
    else { return nil }
    self.functions = functions
    self.mode = mode
  }

  /// The time until the next timer fires, negative where that is overdue; nil where none is scheduled.
  package var timeToNextTimer: Duration? {
    let next = functions.CFRunLoopGetNextTimerFireDate(functions.CFRunLoopGetMain(), mode)
    return next > 0 ? .seconds(next - functions.CFAbsoluteTimeGetCurrent()) : nil
  }
}
