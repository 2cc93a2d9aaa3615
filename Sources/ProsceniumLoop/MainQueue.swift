internal import CSystem
// Imported for its library, which has the two functions.
import Dispatch
import Glibc

/// libdispatch's main queue, run by the loop: what CoreFoundation's run loop does on Linux, with the same two
/// functions.
///
/// The descriptor is an eventfd that becomes readable when work is put into the queue. Main-actor tasks run in it.
@MainActor struct MainQueue {
  let descriptor: Int32

  /// Makes the descriptor; nil where the process has no descriptors left.
  /// - Parameter pipe: The loop's pipe, by which is tried whether there is one: libdispatch ends the process where it
  ///   finds none.
  init?(_ pipe: SelfPipe?) {
    guard let pipe, let free = try? Descriptor(copying: pipe.readEnd) else { return nil }
    _ = consume free
    descriptor = dispatch_main_queue_descriptor()
  }

  /// Runs the work that is in the queue now.
  ///
  /// The descriptor is read before, so that work which comes meanwhile wakes the loop again.
  func drain() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    dispatch_run_main_queue(nil)
  }
}
