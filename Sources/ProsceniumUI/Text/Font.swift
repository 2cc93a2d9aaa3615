/// A font by its family, as fontconfig finds it.
public struct Font: Hashable, Sendable {
  /// How heavy the letters are.
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
  /// The family's name, or several with commas between them; `Sans` and `Monospace` are always there.
  public var family: String
  /// The size of the em square in points, which the window's scale turns into pixels; kept within 1...1000.
  public var size: Double
  /// How heavy the letters are.
  public var weight: Weight
  /// Whether the letters lean.
  public var isItalic: Bool

  /// A font.
  public init(family: String = "Sans", size: Double = 13, weight: Weight = .regular, isItalic: Bool = false) {
    self.family = family
    self.size = size
    self.weight = weight
    self.isItalic = isItalic
  }

  /// What controls are labelled with.
  public static let system = Font()
  /// For code and columns.
  public static let monospaced = Font(family: "Monospace")
  /// What headings are set in.
  public static let heading = Font(size: 20, weight: .semibold)

  /// The same font in another size.
  public func withSize(_ size: Double) -> Font {
    var font = self
    font.size = size
    return font
  }

  /// The same font in another weight.
  public func withWeight(_ weight: Weight) -> Font {
    var font = self
    font.weight = weight
    return font
  }
}

/// Where the lines of a text are within its width.
public enum TextAlignment: Hashable, Sendable {
  /// Where the text's own direction begins: left for Latin, right for Arabic.
  case natural
  /// On the left.
  case left
  /// In the middle.
  case center
  /// On the right.
  case right
}

/// Where the lines of a text may end.
public enum TextWrapping: Hashable, Sendable {
  /// Only where a line ends by itself.
  case none
  /// Between words, and within a word that is wider than the line.
  case word
  /// Anywhere between two characters.
  case character
}
