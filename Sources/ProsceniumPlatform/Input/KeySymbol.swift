/// Names of keysyms, for ``Key/symbol`` and ``KeyCommand``: of keys without a visible character.
///
/// They are X11's (X protocol, appendix A). The symbol of a letter, a digit or a sign of Latin-1 is its own code.
public enum KeySymbol {
  /// Space bar.
  public static let space: UInt32 = 0x20
  /// Backspace.
  public static let backspace: UInt32 = 0xFF08
  /// Tab.
  public static let tab: UInt32 = 0xFF09
  /// Tab with Shift.
  public static let backTab: UInt32 = 0xFE20
  /// Return.
  public static let `return`: UInt32 = 0xFF0D
  /// Line Feed, which some keyboards have besides Return.
  public static let lineFeed: UInt32 = 0xFF0A
  /// Enter on the number pad.
  public static let keypadEnter: UInt32 = 0xFF8D
  /// Escape.
  public static let escape: UInt32 = 0xFF1B
  /// Insert.
  public static let insert: UInt32 = 0xFF63
  /// Delete, which deletes forwards.
  public static let delete: UInt32 = 0xFFFF
  /// Home.
  public static let home: UInt32 = 0xFF50
  /// End.
  public static let end: UInt32 = 0xFF57
  /// Page Up.
  public static let pageUp: UInt32 = 0xFF55
  /// Page Down.
  public static let pageDown: UInt32 = 0xFF56
  /// The arrow to the left.
  public static let left: UInt32 = 0xFF51
  /// The arrow upwards.
  public static let up: UInt32 = 0xFF52
  /// The arrow to the right.
  public static let right: UInt32 = 0xFF53
  /// The arrow downwards.
  public static let down: UInt32 = 0xFF54
  /// The key for a context menu.
  public static let menu: UInt32 = 0xFF67

  /// A function key.
  /// - Parameter number: Its number, 1...35; others count as the nearest.
  /// - Returns: Its keysym.
  public static func function(_ number: Int) -> UInt32 { 0xFFBD + UInt32(min(max(number, 1), 35)) }

  /// The meaning of a key of the number pad without Num Lock: the symbol of the other key with the same function.
  /// - Parameter symbol: A keysym.
  /// - Returns: The arrow for the number pad's arrow, ``return`` for its Enter, and so on; any other symbol as it is.
  public static func withoutKeypad(_ symbol: UInt32) -> UInt32 {
    switch symbol {
    case 0xFF80: space
    case 0xFF89: tab
    case keypadEnter: `return`
    case 0xFF91...0xFF94: function(Int(symbol - 0xFF90))
    // Home, the four arrows, Page Up, Page Down, End and Begin, in the same order.
    case 0xFF95...0xFF9D: symbol - 0xFF95 + home
    case 0xFF9E: insert
    case 0xFF9F: delete
    default: symbol
    }
  }
}
