/// A font by its family, as fontconfig finds it.
///
/// Sizes are points.
public struct Font: Hashable, Sendable {
  /// The weight of the letters.
  public enum Weight: Int32, Hashable, Sendable {
    /// 300.
    case light = 300
    /// 400.
    case regular = 400
    /// 500.
    case medium = 500
    /// 600.
    case semibold = 600
    /// 700.
    case bold = 700
  }
  /// The name of the family, or several separated by commas; `Sans` and `Monospace` always exist.
  public var family: String
  /// The size of the em square in points, limited to 1...1000.
  public var size: Double
  /// The weight of the letters.
  public var weight: Weight
  /// Whether the letters are slanted.
  public var isItalic: Bool

  /// Creates a font.
  /// - Parameters:
  ///   - family: The name of the family.
  ///   - size: The size in points.
  ///   - weight: The weight.
  ///   - isItalic: Whether the letters are slanted.
  public init(family: String = "Sans", size: Double = 13, weight: Weight = .regular, isItalic: Bool = false) {
    self.family = family
    self.size = size
    self.weight = weight
    self.isItalic = isItalic
  }

  /// The font of controls.
  public static let system = Font()
  /// A font of fixed width, for code and columns.
  public static let monospaced = Font(family: "Monospace")
  /// The font of headings.
  public static let heading = Font(size: 20, weight: .semibold)

  /// The same font in another size.
  /// - Parameter size: The size in points.
  /// - Returns: The font.
  public func withSize(_ size: Double) -> Font {
    var font = self
    font.size = size
    return font
  }

  /// The same font in another weight.
  /// - Parameter weight: The weight.
  /// - Returns: The font.
  public func withWeight(_ weight: Weight) -> Font {
    var font = self
    font.weight = weight
    return font
  }
}

/// The horizontal alignment of lines within the width of a text; it moves them alone, and mirrors no view.
public enum TextAlignment: Hashable, Sendable {
  /// At the side where the text begins: left for Latin, right for Arabic.
  case natural
  /// At the left edge.
  case left
  /// In the middle.
  case center
  /// At the right edge.
  case right
}

/// The places where lines may be wrapped.
public enum TextWrapping: Hashable, Sendable {
  /// Nowhere: only line endings of the text end a line.
  case none
  /// Between words, and within words that are wider than the line.
  case word
  /// Between any two characters.
  case character
}
