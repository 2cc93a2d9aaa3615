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
