import CSystem
import Dispatch
import Glibc

/// Marks the main queue.
private let mainQueueKey = {
  let key = DispatchSpecificKey<Void>()
  DispatchQueue.main.setSpecific(key: key, value: ())
  return key
}()

/// Ends a debug build whose program changes the framework's state on another thread than the main one.
///
/// Code in Swift 5 mode that does so is compiled with a warning, or without one. Every public setter and method of the
/// main actor that changes something comes by here, be its object connected or not.
func assertMainThread() {
  // `MainActor.assertIsolated` dies within libdispatch, without its message. A program with an asynchronous `main()`,
  // as that of tests, has ended its first thread: others run the main queue one after the other.
  assert(
    Responder.isMainThread,
    "Use windows, scenes and the application on the main thread: `Task { @MainActor in ... }` takes you there.")
}

extension Responder {
  /// Whether this is the main thread, or runs the main queue.
  package nonisolated static var isMainThread: Bool {
    linux_thread() == getpid() || DispatchQueue.getSpecific(key: mainQueueKey) != nil
  }

  /// Ends a debug build that calls this on another thread than the main one, and says what to do; else does nothing.
  ///
  /// For toolkits: what changes their responders calls it first, as the framework's own setters do, because code in
  /// Swift 5 mode may come on any thread.
  nonisolated public static func requireMainThread() { assertMainThread() }
}
