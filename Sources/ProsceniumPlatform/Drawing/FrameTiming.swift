/// When a frame is drawn, and when it is going to be seen: seconds on the monotonic clock.
public struct FrameTiming: Hashable, Sendable {
  /// When the screen showed the last frame, as far as the server says (Present, CompleteNotify), else now.
  public var timestamp: Double
  /// When the screen is going to show the next one.
  public var targetTimestamp: Double

  /// A frame's times.
  public init(timestamp: Double, targetTimestamp: Double) {
    self.timestamp = timestamp
    self.targetTimestamp = targetTimestamp
  }
}
