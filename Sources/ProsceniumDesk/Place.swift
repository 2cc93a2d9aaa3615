/// A rectangle on the screen, in pixels, as the server has it.
public struct Place: Hashable, Sendable, CustomStringConvertible {
  /// The left edge, in pixels.
  public var x: Int
  /// The upper edge, in pixels.
  public var y: Int
  /// The width, in pixels.
  public var width: Int
  /// The height, in pixels.
  public var height: Int
  /// A rectangle by its upper left corner and its size.
  /// - Parameters:
  ///   - x: The left edge, in pixels.
  ///   - y: The upper edge, in pixels.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
  /// As X writes it: `640x480+10+20`.
  public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}
