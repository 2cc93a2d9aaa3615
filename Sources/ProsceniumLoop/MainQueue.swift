import CSystem
// For the library, which has the functions that CSystem declares.
import Dispatch
import Glibc

/// libdispatch's main queue, run by our loop as CoreFoundation's run loop does on Linux.
///
/// Main-actor tasks run in it.
@MainActor package struct MainQueue {
  /// An eventfd that becomes readable when something is added to the queue.
  package let descriptor: Int32

  package init() { descriptor = dispatch_main_queue_descriptor() }

  /// Runs what is in the queue now.
  ///
  /// The descriptor is read before, so that what is added meanwhile wakes the loop again.
  package func drain() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    dispatch_run_main_queue(nil)
  }
}
