/// An area with coordinates of its own on the desktop: a screen, or a scene's content before a change.
///
/// All are in pixels, so that coordinates differ by the origins of the spaces.
public protocol CoordinateSpace {
  /// The rectangle of the space, in its own coordinates, in pixels: its origin is zero.
  var bounds: Rect { get }
  /// Where its upper left corner lies on the desktop.
  var originOnDesktop: Point { get }
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
    rect.offset(x: originOnDesktop.x, y: originOnDesktop.y)
      .offset(x: -space.originOnDesktop.x, y: -space.originOnDesktop.y)
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
  /// The content in its own coordinates, in pixels.
  public var bounds: Rect
  /// The content's upper left corner on the desktop, in pixels.
  public var originOnDesktop: Point

  init(_ frame: Rect) {
    bounds = Rect(x: 0, y: 0, width: frame.size.width, height: frame.size.height)
    originOnDesktop = frame.origin
  }
}
