/// The times of a frame on the monotonic clock, which counts from the start of the machine.
public struct FrameTiming: Hashable, Sendable {
  /// The time at which the screen showed the last frame, from the server (Present, CompleteNotify); else the present
  /// time.
  public var timestamp: Duration
  /// When the screen is going to show the next one.
  public var targetTimestamp: Duration

  /// A frame's times.
  /// - Parameters:
  ///   - timestamp: The time of the last frame.
  ///   - targetTimestamp: The time of the next frame.
  public init(timestamp: Duration, targetTimestamp: Duration) {
    self.timestamp = timestamp
    self.targetTimestamp = targetTimestamp
  }
}
