/// Calls a function once, also while the program is suspended, when the loop's own deadlines stand still.
///
/// The call is cancelled when the object is released.
@MainActor package final class LoopTimer {
  private let timer: KernelTimer
  private var registration: LoopRegistration?

  /// Starts a timer.
  /// - Parameters:
  ///   - delay: The time until the call.
  ///   - host: The loop.
  ///   - action: Called on the main thread.
  /// - Throws: The error of the kernel, which has no timer left.
  package init(after delay: Duration, host: any LoopHost, _ action: @escaping @MainActor () -> Void) throws(Errno) {
    timer = try KernelTimer()
    timer.start(after: delay)
    registration = LoopRegistration(timer.descriptor.number, host: host) { [weak self] _ in
      self?.registration = nil
      action()
    }
  }
}
