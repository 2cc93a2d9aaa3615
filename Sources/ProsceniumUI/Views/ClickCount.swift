import ProsceniumCore

/// Counts presses at about the same place that follow one another within 0.4 seconds.
struct ClickCount {
  private var point = Point.zero
  private var count = 0
  private var time = Duration.zero

  /// Counts a press.
  /// - Parameters:
  ///   - point: Its place.
  ///   - time: Its time by the server's clock.
  ///   - most: The number after which the count begins again.
  /// - Returns: The number of presses, with this one.
  mutating func press(at point: Point, _ time: Duration, most: Int) -> Int {
    let isNear = abs(point.x - self.point.x) <= 5 && abs(point.y - self.point.y) <= 5
    // The clock of the server begins again after 49 days.
    let elapsed = time - self.time + (time < self.time ? .milliseconds(1 << 32) : .zero)
    count = isNear && count > 0 && elapsed <= .milliseconds(400) ? count % most + 1 : 1
    (self.time, self.point) = (time, point)
    return count
  }
}
