/// When a frame is drawn, and when it is going to be seen: seconds on the monotonic clock.
public struct FrameTiming: Hashable, Sendable {
  /// The time at which the screen showed the last frame, from the server (Present, CompleteNotify); else the present
  /// time.
  public var timestamp: Double
  /// When the screen is going to show the next one.
  public var targetTimestamp: Double

  /// A frame's times.
  public init(timestamp: Double, targetTimestamp: Double) {
    self.timestamp = timestamp
    self.targetTimestamp = targetTimestamp
  }
}
