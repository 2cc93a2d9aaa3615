import Glibc

/// Names a deadline of a ``LoopHost``.
package struct DeadlineID: Hashable, Sendable, RawRepresentable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// The loop, for sources of events that wait for a descriptor or a moment.
@MainActor package protocol LoopHost: AnyObject {
  /// Waits for a descriptor from now on, also while the program is suspended.
  func watch(_ source: LoopSource) -> LoopSourceID
  /// Stops waiting for a descriptor; the caller closes it afterwards.
  func unwatch(_ id: LoopSourceID)
  /// Calls a function once, on the main thread, that much later; not while the program is suspended.
  @discardableResult func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID
  /// Cancels a call of ``after(milliseconds:_:)``; harmless once it has been made.
  func cancel(_ id: DeadlineID)
  /// The monotonic clock, in seconds.
  var now: Double { get }
}

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

  /// Called when the descriptor is ready: see ``handler``.
  package typealias Handler = @MainActor (_ isGone: Bool) -> Void

  package var descriptor: Int32
  package var interest: Interest
  /// When within a turn the handler is called.
  package var stage: LoopStage
  /// Called on the main thread, never while a batch is being handled; `isGone` where the descriptor has failed or hung
  /// up, which stays true until it is no longer watched.
  package var handler: Handler

  /// Makes a source.
  /// - Parameters:
  ///   - descriptor: The descriptor, which stays its owner's.
  ///   - interest: The readiness to wait for.
  ///   - stage: When within a turn the handler is called.
  ///   - handler: Called on the main thread; see ``handler``.
  package init(descriptor: Int32, interest: Interest, stage: LoopStage = .other, handler: @escaping Handler) {
    self.descriptor = descriptor
    self.interest = interest
    self.stage = stage
    self.handler = handler
  }
}

/// A source that the loop waits for.
package struct LoopSourceID: Hashable, Sendable, RawRepresentable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

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
    handler: @escaping LoopSource.Handler
  ) {
    self.host = host
    id = host.watch(LoopSource(descriptor: descriptor, interest: interest, handler: handler))
  }

  isolated deinit { host?.unwatch(id) }
}
