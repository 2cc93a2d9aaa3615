import Glibc

/// A descriptor that the loop waits for, and the function that handles it.
package struct LoopSource {
  /// The condition that the loop waits for.
  package enum Interest: Sendable {
    /// Bytes can be read (`POLLIN`).
    case readable
    /// An exceptional condition, as the kernel's pressure files report it (`POLLPRI`).
    case urgent
    /// Bytes can be written (`POLLOUT`).
    case writable

    /// The events of poll(2).
    package var events: Int16 {
      switch self {
      case .readable: Int16(POLLIN)
      case .urgent: Int16(POLLPRI)
      case .writable: Int16(POLLOUT)
      }
    }
  }

  package var descriptor: Int32
  package var interest: Interest
  /// Called on the main thread, never while a batch is being handled; `isGone` where the descriptor has failed or hung
  /// up, which stays true until it is no longer watched.
  package var handler: @MainActor (_ isGone: Bool) -> Void

  /// Makes a source.
  /// - Parameters:
  ///   - descriptor: The descriptor, which stays its owner's.
  ///   - interest: The readiness to wait for.
  ///   - handler: Called on the main thread; see ``handler``.
  package init(descriptor: Int32, interest: Interest, handler: @escaping @MainActor (_ isGone: Bool) -> Void) {
    self.descriptor = descriptor
    self.interest = interest
    self.handler = handler
  }
}

/// A source that the loop waits for.
package struct LoopSourceID: Hashable, Sendable, RawRepresentable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}
