import CXCB
import Glibc

/// The user's keyboard and pointer, sent through the server as from real devices (XTEST).
extension Desk {
  // MARK: The keyboard

  /// Presses and releases a key, which goes to the window with the focus.
  /// - Parameters:
  ///   - key: The key.
  ///   - modifiers: The modifiers that are held.
  /// - Throws: ``DeskFailure`` where the server's keyboard has no such key.
  public func press(_ key: DeskKey, _ modifiers: DeskModifiers = []) throws {
    let found = try keycode(key)
    let held = try modifiers.union(found.needsShift ? .shift : []).keys.map { try keycode($0).code }
    for code in held { try client.fakeInput(type: 2, detail: code) }
    try client.fakeInput(type: 2, detail: found.code)
    try client.fakeInput(type: 3, detail: found.code)
    for code in held.reversed() { try client.fakeInput(type: 3, detail: code) }
    client.sync()
  }

  /// Presses a key, or releases it.
  ///
  /// A key that stays down is repeated by the server.
  package func hold(_ key: DeskKey, isDown: Bool) throws {
    try client.fakeInput(type: isDown ? 2 : 3, detail: try keycode(key).code)
    client.sync()
  }

  private func keycode(_ key: DeskKey) throws -> (code: UInt8, needsShift: Bool) {
    guard let found = client.keycode(key.symbol) else {
      throw DeskFailure("the keyboard of \(server.display) has no key for \(key)")
    }
    return found
  }

  /// Types a text into the window with the focus, a key after the other; a line feed is the return key.
  /// - Parameter text: The text.
  /// - Throws: ``DeskFailure`` where the server's keyboard, an American one, has no key for one of the characters.
  public func type(_ text: String) throws {
    for character in text { try press(character == "\n" ? .return : DeskKey(character)) }
  }

  package func key(_ character: Character) throws { try press(DeskKey(character)) }

  /// Grabs the keyboard, as lockers, switchers and screenshot tools do.
  ///
  /// Waits until no other client holds it. Ended by ``ungrabKeyboard()``.
  /// - Parameters:
  ///   - fileID: Where the wait is, for the failure.
  ///   - line: Where the wait is, for the failure.
  /// - Throws: ``DeskFailure`` where another client does not release it.
  public func grabKeyboard(fileID: StaticString = #fileID, line: UInt = #line) async throws {
    try await waitUntil("the keyboard to be free", fileID: fileID, line: line) { try tryToGrabKeyboard() }
  }

  /// Gives the keyboard back.
  public func ungrabKeyboard() {
    xcb_ungrab_keyboard(client.connection, 0)
    client.sync()
  }

  /// Grabs the keyboard and gives it back, so that no time passes in between on the server.
  package func grabKeyboardForAnInstant() async throws {
    try await waitUntil("the keyboard to be free") { try tryToGrabKeyboard(forAnInstant: true) }
  }

  /// Grabs the keyboard if no other client holds it.
  package func tryToGrabKeyboard(forAnInstant: Bool = false) throws -> Bool {
    guard client.isAlive else { throw DeskFailure("\(server.display) has gone") }
    return client.grabKeyboard(forAnInstant: forAnInstant)
  }

  // MARK: The pointer

  /// Moves the pointer to a point of the screen, in pixels.
  /// - Parameters:
  ///   - x: Pixels from the left edge.
  ///   - y: Pixels from the upper edge.
  public func movePointer(x: Int, y: Int) {
    xcb_warp_pointer(client.connection, 0, client.root, 0, 0, 0, 0, Int16(clamping: x), Int16(clamping: y))
    client.sync()
  }

  /// Clicks at a point of the screen with the first button.
  /// - Parameters:
  ///   - x: Pixels from the left edge.
  ///   - y: Pixels from the upper edge.
  /// - Throws: ``DeskFailure`` where the server refuses the input.
  public func click(x: Int, y: Int) throws {
    movePointer(x: x, y: y)
    try button(isDown: true)
    try button(isDown: false)
  }

  /// Clicks at a point of a window with the first button, in pixels of the window; in its middle by default.
  ///
  /// A window that covers the point receives the click.
  /// - Parameters:
  ///   - window: The window.
  ///   - x: Pixels from its left edge.
  ///   - y: Pixels from its upper edge.
  /// - Throws: ``DeskFailure`` where there is no such window.
  public func click(_ window: UInt32, x: Int? = nil, y: Int? = nil) throws {
    guard let place = place(of: window) else {
      throw DeskFailure("there is no window 0x\(String(window, radix: 16)) to click", evidence: view)
    }
    try click(x: place.x + (x ?? place.width / 2), y: place.y + (y ?? place.height / 2))
  }

  /// Presses or releases the first button where the pointer is.
  /// - Parameter isDown: Whether it is pressed.
  /// - Throws: ``DeskFailure`` where the server refuses the input.
  public func button(isDown: Bool) throws {
    try client.fakeInput(type: isDown ? 4 : 5, detail: 1)
    client.sync()
  }

  /// Turns the wheel downwards by one notch where the pointer is.
  /// - Throws: ``DeskFailure`` where the server refuses the input.
  public func scroll() throws {
    try client.fakeInput(type: 4, detail: 5)
    try client.fakeInput(type: 5, detail: 5)
    client.sync()
  }
}

/// A key, named by its label (X's keysyms).
///
/// A key that produces a character can be written as that: `desk.press("q", .control)`.
public struct DeskKey: Hashable, Sendable, CustomStringConvertible, ExpressibleByExtendedGraphemeClusterLiteral {
  /// The keysym.
  public let symbol: UInt32
  /// The keysym, in hexadecimal.
  public var description: String {
    symbol == Self.noKey ? "a character of several scalars" : "0x" + String(symbol, radix: 16)
  }
  /// No keysym: those have 29 bits.
  private static let noKey = UInt32.max

  /// A key by its keysym, such as 0xFF0D for return.
  /// - Parameter symbol: The keysym.
  public init(symbol: UInt32) { self.symbol = symbol }

  /// The key that gives a character; Shift is held for those that need it.
  ///
  /// No key gives one of several scalars: "e\u{301}" is none, "\u{E9}" is on some keyboards.
  /// - Parameter character: The character.
  public init(_ character: Character) {
    let scalars = character.unicodeScalars
    guard let scalar = scalars.first?.value, scalars.count == 1 else {
      symbol = Self.noKey
      return
    }
    // Latin-1's keysyms are its characters; Unicode's others lie 0x1000000 above (X11, appendix A).
    symbol = scalar < 0x100 ? scalar : scalar | 0x100_0000
  }

  /// As ``init(_:)``.
  public init(extendedGraphemeClusterLiteral character: Character) { self.init(character) }

  /// The return key.
  public static let `return` = DeskKey(symbol: 0xFF0D)
  /// The escape key.
  public static let escape = DeskKey(symbol: 0xFF1B)
  /// The tabulator.
  public static let tab = DeskKey(symbol: 0xFF09)
  /// Deletes before the caret.
  public static let backspace = DeskKey(symbol: 0xFF08)
  /// Deletes behind the caret.
  public static let delete = DeskKey(symbol: 0xFFFF)
  /// To the beginning.
  public static let home = DeskKey(symbol: 0xFF50)
  /// To the end.
  public static let end = DeskKey(symbol: 0xFF57)
  /// The arrow to the left.
  public static let left = DeskKey(symbol: 0xFF51)
  /// The arrow upwards.
  public static let up = DeskKey(symbol: 0xFF52)
  /// The arrow to the right.
  public static let right = DeskKey(symbol: 0xFF53)
  /// The arrow downwards.
  public static let down = DeskKey(symbol: 0xFF54)
  /// A page up.
  public static let pageUp = DeskKey(symbol: 0xFF55)
  /// A page down.
  public static let pageDown = DeskKey(symbol: 0xFF56)
  /// A function key, counted from 1.
  /// - Parameter number: The number, 1 for F1.
  /// - Returns: The key.
  public static func function(_ number: Int) -> DeskKey { DeskKey(symbol: 0xFFBD + UInt32(clamping: number)) }
}

/// Keys that are held while another is pressed.
public struct DeskModifiers: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: UInt8
  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Shift.
  public static let shift = DeskModifiers(rawValue: 1)
  /// Control.
  public static let control = DeskModifiers(rawValue: 2)
  /// Alt.
  public static let alt = DeskModifiers(rawValue: 4)
  /// The key with the window on it.
  public static let `super` = DeskModifiers(rawValue: 8)

  /// The left one of each.
  var keys: [DeskKey] {
    [(.shift, 0xFFE1), (.control, 0xFFE3), (.alt, 0xFFE9), (.super, 0xFFEB)]
      .compactMap { (modifier: DeskModifiers, symbol: UInt32) in contains(modifier) ? DeskKey(symbol: symbol) : nil }
  }
}
