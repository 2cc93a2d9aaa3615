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
  /// What the key means under the current layout and modifiers, as an X11 keysym (0 where it means nothing).
  public var symbol: UInt32
  /// The text that the key types; empty for keys that type none.
  public var characters: String
  /// Whether the key went down.
  public var isDown: Bool
  /// Whether the keyboard repeats a key that is held.
  public var isRepeat: Bool
  /// Modifiers in force.
  public var modifiers: ModifierFlags

  /// A key event.
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
public struct Button: Hashable, Sendable {
  /// 1 left, 2 middle, 3 right, 4 to 7 wheel up, down, left, right, 8 back, 9 forward.
  public var number: Int
  /// Whether it went down.
  public var isDown: Bool
  /// Where, in the window's own pixels.
  public var location: Point
  /// Modifiers in force.
  public var modifiers: ModifierFlags

  /// A button event.
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
  /// What the pointer did.
  public var phase: Phase
  /// Where, in the window's own pixels.
  public var location: Point
  /// Modifiers in force.
  public var modifiers: ModifierFlags

  /// A motion event.
  public init(phase: Phase, location: Point, modifiers: ModifierFlags = []) {
    self.phase = phase
    self.location = location
    self.modifiers = modifiers
  }
}

/// What a person did to a window.
package struct InputEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case key(Key)
    case button(Button)
    case motion(Motion)
  }
  package var kind: Kind
  /// Milliseconds on the window system's clock.
  package var time: UInt32
  package init(_ kind: Kind, time: UInt32) {
    self.kind = kind
    self.time = time
  }
}
