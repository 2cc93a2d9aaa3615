/// An area with coordinates of its own on the desktop: a screen, or a scene's content before a change.
///
/// Coordinates are points of the space's own scale. A conversion goes by the pixels of the desktop, so that it is right
/// between screens of different scales.
public protocol CoordinateSpace {
  /// The rectangle of the space, in its own coordinates, in points: its origin is zero.
  var bounds: Rect { get }
  /// Where its upper left corner lies on the desktop, in pixels.
  var originOnDesktop: Point { get }
  /// The pixels per point.
  var scale: Double { get }
}

extension CoordinateSpace {
  /// The same point in the coordinates of another space.
  /// - Parameters:
  ///   - point: A point of this space.
  ///   - space: The other space.
  /// - Returns: The point as the other space has it.
  public func convert(_ point: Point, to space: any CoordinateSpace) -> Point {
    convert(Rect(x: point.x, y: point.y, width: 0, height: 0), to: space).origin
  }

  /// The same rectangle in the coordinates of another space.
  /// - Parameters:
  ///   - rect: A rectangle of this space.
  ///   - space: The other space.
  /// - Returns: The rectangle as the other space has it.
  public func convert(_ rect: Rect, to space: any CoordinateSpace) -> Rect {
    let pixels = PixelScale(scale).pixels(rect).offset(x: originOnDesktop.x, y: originOnDesktop.y)
    return PixelScale(space.scale).points(
      pixels.offset(x: -space.originOnDesktop.x, y: -space.originOnDesktop.y))
  }

  /// A rectangle of another space in the coordinates of this one.
  /// - Parameters:
  ///   - rect: A rectangle of the other space.
  ///   - space: The other space.
  /// - Returns: The rectangle as this space has it.
  public func convert(_ rect: Rect, from space: any CoordinateSpace) -> Rect { space.convert(rect, to: self) }
}

/// The rectangle of the content of a scene's primary window at some moment.
public struct SceneCoordinateSpace: CoordinateSpace, Hashable, Sendable {
  /// The content in its own coordinates, in points.
  public var bounds: Rect
  /// The content's upper left corner on the desktop, in pixels.
  public var originOnDesktop: Point
  /// The pixels per point.
  public var scale: Double

  /// The space of a rectangle of the desktop, in pixels.
  init(_ frame: Rect, scale: Double) {
    let size = PixelScale(scale).points(frame.size)
    bounds = Rect(x: 0, y: 0, width: size.width, height: size.height)
    self.scale = scale
    originOnDesktop = frame.origin
  }
}
