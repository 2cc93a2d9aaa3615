// Imported for its library: the two calls below are not in its headers.
import Dispatch
import Glibc

@_silgen_name("_dispatch_get_main_queue_handle_4CF") private func mainQueueHandle() -> Int32
@_silgen_name("_dispatch_main_queue_callback_4CF") private func runMainQueue(_ message: UnsafeMutableRawPointer?)

/// libdispatch's main queue, run by our loop: what CoreFoundation's run loop does on Linux, with the same two calls.
///
/// The handle is an eventfd that becomes readable when something is put into the queue. Main-actor tasks run in it.
@MainActor package struct MainQueue {
  package let descriptor: Int32

  package init() { descriptor = mainQueueHandle() }

  /// Runs what is in the queue now.
  ///
  /// The handle is read before, so that what comes meanwhile wakes the loop again.
  package func drain() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    runMainQueue(nil)
  }
}
