import FoundationEssentials
import ProsceniumCore

/// A property of a widget: the values that files may have, and the function that sets it.
@MainActor struct InterfaceProperty {
  /// The values, for an error.
  let expected: String
  /// Sets the property of a view; false where the value is none of those.
  let set: @MainActor (_ view: View, _ value: String) -> Bool

  /// A property whose value is made from the text; nil where it is none of the expected ones.
  private static func value<Owner: View, Value>(
    _ expected: String, _ make: @escaping @MainActor (String) -> Value?,
    _ set: @escaping @MainActor (Owner, Value) -> Void
  ) -> InterfaceProperty {
    InterfaceProperty(expected: expected) { view, text in
      guard let owner = view as? Owner, let value = make(text) else { return false }
      set(owner, value)
      return true
    }
  }

  /// Any text.
  static func text<Owner: View>(_ set: @escaping @MainActor (Owner, String) -> Void) -> InterfaceProperty {
    value("a text", { $0 }, set)
  }

  /// True or false.
  static func flag<Owner: View>(_ set: @escaping @MainActor (Owner, Bool) -> Void) -> InterfaceProperty {
    value("True or False", { flag($0) }, set)
  }

  /// A whole number of points, or of anything else.
  static func whole<Owner: View>(
    _ range: ClosedRange<Int> = 0...lengths, _ set: @escaping @MainActor (Owner, Int) -> Void
  ) -> InterfaceProperty {
    value(
      "a whole number from \(range.lowerBound) to \(range.upperBound)",
      { Int(trimmed($0)).flatMap { range.contains($0) ? $0 : nil } }, set)
  }

  /// A number with a fraction.
  static func number<Owner: View>(
    _ range: ClosedRange<Double>, _ set: @escaping @MainActor (Owner, Double) -> Void
  ) -> InterfaceProperty {
    value(
      "a number from \(range.lowerBound) to \(range.upperBound)",
      { Double(trimmed($0)).flatMap { range.contains($0) ? $0 : nil } }, set)
  }

  /// One of several names.
  static func choice<Owner: View, Value>(
    _ values: KeyValuePairs<String, Value>, _ set: @escaping @MainActor (Owner, Value) -> Void
  ) -> InterfaceProperty {
    let names = values.map(\.key)
    return value(
      names.joined(separator: ", "), { text in values.first { $0.key == trimmed(text) }?.value }, set)
  }

  /// The weights that Pango has names for, the number of each, and those of fonts here.
  private static let weights: KeyValuePairs<String, Int32> = [
    "thin": 100, "ultralight": 200, "light": 300, "semilight": 350, "book": 380, "normal": 400, "medium": 500,
    "semibold": 600, "bold": 700, "ultrabold": 800, "heavy": 900, "ultraheavy": 1000,
  ]
  private static let fontWeights: [Font.Weight] = [.light, .regular, .medium, .semibold, .bold]

  /// A weight of Pango's, by its name or its number: the nearest one of ``Font/Weight``.
  static func weight<Owner: View>(_ set: @escaping @MainActor (Owner, Font.Weight) -> Void) -> InterfaceProperty {
    value(
      weights.map(\.key).joined(separator: ", ") + ", or a number from 100 to 1000",
      { text in
        let number = weights.first { $0.key == trimmed(text) }?.value ?? Int32(trimmed(text))
        guard let number, (100...1000).contains(number) else { return nil }
        return fontWeights.min { abs($0.rawValue - number) < abs($1.rawValue - number) }
      }, set)
  }

  /// A colour as GTK writes it, `rgb(26,102,214)` or with an alpha, which is not used; or a code.
  static func color<Owner: View>(_ set: @escaping @MainActor (Owner, Color) -> Void) -> InterfaceProperty {
    value("rgb(RED,GREEN,BLUE), each from 0 to 255, or #RRGGBB", { color(trimmed($0)) }, set)
  }

  private static func color(_ text: String) -> Color? {
    guard text.hasSuffix(")"), let start = text.firstIndex(of: "(") else {
      return text.hasPrefix("#") ? ColorCode.color(text) : nil
    }
    let numbers = text[text.index(after: start)...].dropLast().split(separator: ",").map { Double(trimmed(String($0))) }
    let count = ["rgb": 3, "rgba": 4][text[..<start]]
    guard numbers.count == count, numbers.allSatisfy({ $0.map((0...255).contains) == true }) else { return nil }
    let parts = numbers.prefix(3).map { UInt32(($0 ?? 0).rounded()) }
    return Color(rgb: parts.reduce(0) { $0 << 8 | $1 })
  }

  /// A URL.
  static func url<Owner: View>(_ set: @escaping @MainActor (Owner, URL) -> Void) -> InterfaceProperty {
    value("a URL", { URL(string: trimmed($0)) }, set)
  }

  /// The longest length that a file may ask for, in points.
  static let lengths = 32767

  /// A truth value as GtkBuilder reads it; nil for none.
  static func flag(_ text: String) -> Bool? {
    switch trimmed(text).lowercased() {
    case "true", "t", "yes", "y", "1": true
    case "false", "f", "no", "n", "0": false
    default: nil
    }
  }

  /// The text without white space at its ends.
  static func trimmed(_ text: String) -> String {
    let isKept = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: isKept), let last = scalars.lastIndex(where: isKept) else { return "" }
    return String(scalars[first...last])
  }
}
