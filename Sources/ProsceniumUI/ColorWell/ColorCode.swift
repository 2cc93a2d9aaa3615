import ProsceniumCore

/// Colours as text.
enum ColorCode {
  /// The colour of a code of three or six hexadecimal digits, with or without `#`; nil for any other text.
  static func color(_ text: String) -> Color? {
    let digits = text.drop { $0 == " " }.drop { $0 == "#" }.prefix { $0 != " " }
    guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    let six = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
    return six.count == 6 ? UInt32(six, radix: 16).map { Color(rgb: $0) } : nil
  }

  /// The code of a colour, without its alpha.
  static func text(_ color: Color) -> String {
    let digits = String(color.rgb, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

/// The colours that a panel offers, by rows.
enum Swatches {
  static let columns = 8
  /// A row of greys, and eight hues, each light, full and dark.
  static let colors: [Color] =
    (0..<columns).map { Color(red: grey($0), green: grey($0), blue: grey($0)) }
    + [0.82, 0.52, 0.3].flatMap { lightness in hues.map { color(hue: $0, lightness: lightness) } }

  private static let hues: [Double] = [0, 28, 52, 120, 178, 214, 268, 322]

  private static func grey(_ column: Int) -> Double { Double(column) / Double(columns - 1) }

  /// A colour of much saturation (CSS Color 4, section 7).
  private static func color(hue: Double, lightness: Double) -> Color {
    let range = 0.75 * min(lightness, 1 - lightness)
    func part(_ shift: Double) -> Double {
      let place = (shift + hue / 30).truncatingRemainder(dividingBy: 12)
      return lightness - range * max(-1, min(place - 3, 9 - place, 1))
    }
    return Color(red: part(0), green: part(8), blue: part(4))
  }

  /// The swatch that an arrow leads to; the same one at an edge.
  static func step(from index: Int?, columns right: Int = 0, rows down: Int = 0) -> Int {
    guard let index, colors.indices.contains(index) else { return 0 }
    let (column, row) = (index % columns + right, index / columns + down)
    guard (0..<columns).contains(column), colors.indices.contains(row * columns + column), row >= 0 else {
      return index
    }
    return row * columns + column
  }
}
