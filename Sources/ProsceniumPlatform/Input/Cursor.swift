/// The shape of the pointer over a window, by the names of the cursor theme (freedesktop's and CSS's).
public struct Cursor: RawRepresentable, Hashable, Sendable {
  /// The name in the theme.
  public var rawValue: String
  /// A cursor by its name in the theme.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The arrow.
  public static let arrow = Cursor(rawValue: "default")
  /// Over text.
  public static let text = Cursor(rawValue: "text")
  /// Over something that can be clicked.
  public static let pointingHand = Cursor(rawValue: "pointer")
  /// The program is busy.
  public static let wait = Cursor(rawValue: "wait")
  /// For exact places.
  public static let crosshair = Cursor(rawValue: "crosshair")
  /// Nothing may be done here.
  public static let notAllowed = Cursor(rawValue: "not-allowed")
  /// Over a horizontal edge that can be moved up and down.
  public static let resizeVertically = Cursor(rawValue: "ns-resize")
  /// Over a vertical edge that can be moved left and right.
  public static let resizeHorizontally = Cursor(rawValue: "ew-resize")
  /// No pointer at all.
  public static let hidden = Cursor(rawValue: "none")
}
