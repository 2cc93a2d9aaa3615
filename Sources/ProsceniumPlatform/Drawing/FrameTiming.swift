/// The times of a frame: seconds on the monotonic clock.
public struct FrameTiming: Hashable, Sendable {
  /// The time at which the screen showed the last frame, from the server (Present, CompleteNotify); else the present
  /// time.
  public var timestamp: Double
  /// When the screen is going to show the next one.
  public var targetTimestamp: Double

  /// A frame's times.
  /// - Parameters:
  ///   - timestamp: The time of the last frame, in seconds.
  ///   - targetTimestamp: The time of the next frame, in seconds.
  public init(timestamp: Double, targetTimestamp: Double) {
    self.timestamp = timestamp
    self.targetTimestamp = targetTimestamp
  }
}
