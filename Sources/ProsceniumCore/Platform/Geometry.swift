/// A point in pixels; on X11 relative to the root window unless said otherwise.
public struct Point: Hashable, Sendable {
  /// Pixels to the right.
  public var x: Int
  /// Pixels downwards.
  public var y: Int

  /// A point.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A size in pixels.
public struct Size: Hashable, Sendable {
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle in pixels; on X11 relative to the root window unless said otherwise.
public struct Rect: Hashable, Sendable {
  /// The upper left corner.
  public var origin: Point
  /// How wide and how high.
  public var size: Size

  /// A rectangle.
  public init(x: Int, y: Int, width: Int, height: Int) {
    origin = Point(x: x, y: y)
    size = Size(width: width, height: height)
  }

  /// Whether the two rectangles share at least one pixel.
  public func intersects(_ other: Rect) -> Bool {
    size.width > 0 && size.height > 0 && other.size.width > 0 && other.size.height > 0
      && origin.x < other.origin.x + other.size.width && other.origin.x < origin.x + size.width
      && origin.y < other.origin.y + other.size.height && other.origin.y < origin.y + size.height
  }
}

/// A plain colour, eight bits a channel.
public struct Color: Hashable, Sendable {
  /// The channels as `0xRRGGBB`.
  public var rgb: UInt32

  /// A colour as `0xRRGGBB`; higher bits are dropped.
  public init(rgb: UInt32) { self.rgb = rgb & 0xFF_FFFF }

  /// Black.
  public static let black = Color(rgb: 0)
  /// White.
  public static let white = Color(rgb: 0xFF_FFFF)
}

/// A picture for taskbars and switchers: 32-bit ARGB pixels, not premultiplied, row by row from the top.
public struct WindowIcon: Hashable, Sendable {
  /// How wide and how high; at most 1024 each.
  public let size: Size
  /// `size.width * size.height` pixels as `0xAARRGGBB`.
  public let pixels: [UInt32]

  /// A picture; nil where the number of pixels does not fit the size, or a side is not in 1...1024.
  public init?(size: Size, pixels: [UInt32]) {
    guard (1...1024).contains(size.width), (1...1024).contains(size.height),
      pixels.count == size.width * size.height
    else { return nil }
    self.size = size
    self.pixels = pixels
  }
}
