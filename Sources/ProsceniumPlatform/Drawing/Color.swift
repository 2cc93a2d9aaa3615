/// A colour with eight bits a channel.
public struct Color: Hashable, Sendable {
  private var argb: UInt32

  /// An opaque colour.
  /// - Parameter rgb: The channels as `0xRRGGBB`; higher bits are ignored.
  public init(rgb: UInt32) { argb = 0xFF00_0000 | rgb & 0xFF_FFFF }

  /// A colour from its channels, as `UIColor` has it.
  ///
  /// Each channel is 0...1, not multiplied by alpha; numbers beyond are clamped, and rounded to eight bits.
  /// - Parameters:
  ///   - red: The red channel.
  ///   - green: The green channel.
  ///   - blue: The blue channel.
  ///   - alpha: The opacity: 0 is transparent, 1 opaque.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    argb = [alpha, red, green, blue].reduce(0) { $0 << 8 | Self.channel($1) }
  }

  /// Red, green and blue as `0xRRGGBB`, not multiplied by alpha.
  public var rgb: UInt32 {
    get { argb & 0xFF_FFFF }
    set { argb = argb & 0xFF00_0000 | newValue & 0xFF_FFFF }
  }

  /// The red channel, 0...1.
  public var red: Double { channel(at: 16) }
  /// The green channel, 0...1.
  public var green: Double { channel(at: 8) }
  /// The blue channel, 0...1.
  public var blue: Double { channel(at: 0) }
  /// The opacity, from 0 (transparent) to 1 (opaque).
  public var alpha: Double { channel(at: 24) }

  /// The same colour with another opacity.
  /// - Parameter alpha: The opacity, 0...1.
  /// - Returns: The colour.
  public func withAlphaComponent(_ alpha: Double) -> Color {
    var color = self
    color.argb = Self.channel(alpha) << 24 | rgb
    return color
  }

  /// Opaque black.
  public static let black = Color(rgb: 0)
  /// Opaque white.
  public static let white = Color(rgb: 0xFF_FFFF)
  /// Transparent black.
  public static let clear = black.withAlphaComponent(0)

  /// Whether the colour hides everything behind it.
  package var isOpaque: Bool { argb >= 0xFF00_0000 }

  /// The colour as a pixel of a ``PixelBuffer``.
  package var premultiplied: UInt32 {
    let alpha = argb >> 24
    guard alpha < 255 else { return argb }
    return [16, 8, 0].reduce(alpha) { $0 << 8 | ((argb >> $1 & 0xFF) * alpha + 127) / 255 }
  }

  private func channel(at shift: UInt32) -> Double { Double(argb >> shift & 0xFF) / 255 }

  // What is not a number is 0.
  private static func channel(_ value: Double) -> UInt32 { value > 0 ? UInt32((min(value, 1) * 255).rounded()) : 0 }
}
