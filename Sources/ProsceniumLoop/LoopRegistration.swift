/// Waits in the loop for a descriptor, also while the program is suspended, for as long as the object exists.
///
/// Its owner owns the descriptor too.
@MainActor package final class LoopRegistration {
  private weak var host: (any LoopHost)?
  private let id: LoopSourceID

  /// Begins to wait.
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - interest: What to wait for.
  ///   - host: The loop.
  ///   - handler: Called on the main thread; `isGone` where the descriptor has failed or hung up, which the loop
  ///     reports again and again until the object is released.
  package init(
    _ descriptor: Int32, for interest: LoopSource.Interest = .readable, host: any LoopHost,
    handler: @escaping @MainActor (_ isGone: Bool) -> Void
  ) {
    self.host = host
    id = host.watch(LoopSource(descriptor: descriptor, interest: interest, handler: handler))
  }

  isolated deinit { host?.unwatch(id) }
}
