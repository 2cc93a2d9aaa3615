import Glibc

/// A descriptor that the loop waits for, beside the window system's own.
package struct LoopSource {
  /// What the loop waits for.
  package enum Interest: Sendable {
    /// There is something to read (`POLLIN`).
    case readable
    /// Something exceptional has happened, as the kernel's pressure files say it (`POLLPRI`).
    case urgent
    /// There is room to write (`POLLOUT`).
    case writable

    /// What poll(2) is asked for.
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
  /// Called on the main thread, never while a batch is being handled; `isGone` when the descriptor has failed or hung up,
  /// which it goes on saying until it is no longer watched.
  package var handler: @MainActor (_ isGone: Bool) -> Void

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
