/// Modifier keys and locks that were in force when an event happened.
public struct ModifierFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt16
  /// Flags from bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Shift.
  public static let shift = ModifierFlags(rawValue: 1 << 0)
  /// Caps Lock.
  public static let capsLock = ModifierFlags(rawValue: 1 << 1)
  /// Control.
  public static let control = ModifierFlags(rawValue: 1 << 2)
  /// Alt (Mod1).
  public static let alternate = ModifierFlags(rawValue: 1 << 3)
  /// Num Lock (Mod2).
  public static let numericLock = ModifierFlags(rawValue: 1 << 4)
  /// Super, the Windows or Command key (Mod4).
  public static let command = ModifierFlags(rawValue: 1 << 6)
}

/// A key that went down or up.
public struct Key: Hashable, Sendable {
  /// The keyboard's own number of the key (on X11 the keycode, 8...255).
  public var code: UInt8
  /// The key's meaning under the current layout and modifiers, as an X11 keysym; 0 where it has none.
  ///
  /// 0xFFFFFF (VoidSymbol) where the press has taken back a dead key or a compose sequence, as Backspace does: it does
  /// nothing else.
  public var symbol: UInt32
  /// The text that the key types; empty for keys that type none.
  public var characters: String
  /// Whether the key went down.
  public var isDown: Bool
  /// Whether the keyboard repeats a key that is held.
  public var isRepeat: Bool
  /// Modifiers in force.
  public var modifiers: ModifierFlags
  /// The bits of modifiers that have no name, and of the keyboard group, as in the state of a core event.
  package var otherState: UInt16 = 0
  /// The symbol of a key that means nothing (VoidSymbol).
  package static let voidSymbol: UInt32 = 0xFFFFFF
  /// The code of ``latinCharacter``; 0 where there is none.
  package var latinCode: UInt8 = 0

  /// The key's character in a layout with Latin letters, where the present layout types those of another script; else
  /// empty.
  ///
  /// Shortcuts are found by it under a Russian or a Greek layout, as everywhere on the desktop: the key that types
  /// `"с"` of Cyrillic has `"c"`. It is that of the user's first layout with an ASCII character on the key; where the
  /// user has none, letters and digits are where they are on an American keyboard. In lower case. A sign in such a
  /// layout, as the semicolon that Greek has on the key of Q, has the letter of its key, and nothing else.
  public var latinCharacter: String {
    latinCode == 0 ? "" : String(UnicodeScalar(latinCode)).lowercased()
  }

  /// A key event.
  /// - Parameters:
  ///   - code: The keycode.
  ///   - symbol: The keysym.
  ///   - characters: The text that the key types.
  ///   - isDown: Whether the key is pressed.
  ///   - isRepeat: Whether the keyboard repeats the key.
  ///   - modifiers: The modifiers that are down.
  public init(
    code: UInt8, symbol: UInt32, characters: String, isDown: Bool, isRepeat: Bool = false,
    modifiers: ModifierFlags = []
  ) {
    self.code = code
    self.symbol = symbol
    self.characters = characters
    self.isDown = isDown
    self.isRepeat = isRepeat
    self.modifiers = modifiers
  }
}

/// A pointer button that went down or up.
public struct PointerButton: Hashable, Sendable {
  /// 1 left, 2 middle, 3 right, 8 back, 9 forward; the wheel's are ``Scroll``s.
  public var number: Int
  /// Whether it went down.
  public var isDown: Bool
  /// Where, in the window's own pixels.
  public var location: Point
  /// Modifiers in force.
  public var modifiers: ModifierFlags

  /// A button event.
  /// - Parameters:
  ///   - number: The button's number, 1 for the first.
  ///   - isDown: Whether the button is pressed.
  ///   - location: The position in the window, in pixels.
  ///   - modifiers: The modifiers that are down.
  public init(number: Int, isDown: Bool, location: Point, modifiers: ModifierFlags = []) {
    self.number = number
    self.isDown = isDown
    self.location = location
    self.modifiers = modifiers
  }
}

/// The pointer moved within, into or out of a window.
public struct Motion: Hashable, Sendable {
  /// Where the pointer is in relation to the window.
  public enum Phase: Hashable, Sendable, CaseIterable {
    /// It came in.
    case entered
    /// It moved.
    case moved
    /// It went out.
    case exited
  }
  /// The phase of the pointer's movement.
  public var phase: Phase
  /// Where, in the window's own pixels.
  public var location: Point
  /// Modifiers in force.
  public var modifiers: ModifierFlags

  /// A motion event.
  /// - Parameters:
  ///   - phase: The phase of the movement.
  ///   - location: The position in the window, in pixels.
  ///   - modifiers: The modifiers that are down.
  public init(phase: Phase, location: Point, modifiers: ModifierFlags = []) {
    self.phase = phase
    self.location = location
    self.modifiers = modifiers
  }
}

/// The wheel was turned, or fingers moved over a touchpad.
public struct Scroll: Hashable, Sendable {
  /// Lines to the right; a notch of a wheel is one line, a touchpad gives fractions of it.
  public var deltaX: Double
  /// Lines downwards.
  public var deltaY: Double
  /// Whether the device gives fractions (XInput 2, scroll valuators).
  public var isPrecise: Bool
  /// Where the pointer is, in the window's own pixels.
  public var location: Point
  /// Modifiers in force.
  public var modifiers: ModifierFlags

  /// A scroll event.
  /// - Parameters:
  ///   - deltaX: The distance to the right.
  ///   - deltaY: The distance downwards.
  ///   - isPrecise: Whether the distances are finer than steps of a wheel.
  ///   - location: The position in the window, in pixels.
  ///   - modifiers: The modifiers that are down.
  public init(deltaX: Double, deltaY: Double, isPrecise: Bool, location: Point, modifiers: ModifierFlags = []) {
    self.deltaX = deltaX
    self.deltaY = deltaY
    self.isPrecise = isPrecise
    self.location = location
    self.modifiers = modifiers
  }
}

/// A finger on the screen (XInput 2.2).
public struct Touch: Hashable, Sendable {
  /// The phase of a touch.
  public enum Phase: Hashable, Sendable, CaseIterable {
    /// It came down.
    case began
    /// It moved.
    case moved
    /// It was lifted.
    case ended
    /// Another receiver has the touch now.
    case cancelled
  }
  /// Names the finger from `began` to `ended` or `cancelled`.
  public var identifier: Int
  /// The phase of the touch.
  public var phase: Phase
  /// Where, in the window's own pixels.
  public var location: Point
  /// Modifiers in force.
  public var modifiers: ModifierFlags

  /// A touch event.
  /// - Parameters:
  ///   - identifier: The number of the touch.
  ///   - phase: The phase of the touch.
  ///   - location: The position in the window, in pixels.
  ///   - modifiers: The modifiers that are down.
  public init(identifier: Int, phase: Phase, location: Point, modifiers: ModifierFlags = []) {
    self.identifier = identifier
    self.phase = phase
    self.location = location
    self.modifiers = modifiers
  }
}

/// The user's input to a window.
package struct InputEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case key(Key)
    case button(PointerButton)
    case motion(Motion)
    case scroll(Scroll)
    case touch(Touch)
  }
  package var kind: Kind
  /// Milliseconds on the window system's clock.
  package var time: UInt32
  package init(_ kind: Kind, time: UInt32) {
    self.kind = kind
    self.time = time
  }
}
