import ProsceniumPlatform

/// A call of an object of the engine's framework.
struct EngineRequest: Hashable {
  var interface: String
  var method: String
  var values: [BusValue] = []
}

/// How a framework of input methods is spoken to: values in, values out.
///
/// The methods `FocusIn`, `FocusOut`, `Reset` and `ProcessKeyEvent` of a context have these names in each.
protocol EngineDialect {
  /// The framework's name on its bus.
  static var name: String { get }
  /// The interface of a context.
  static var interface: String { get }
  /// Makes a context, whose path is the first value of the answer.
  static var maker: BusMember { get }
  /// Whether a process between this one and the engine may answer for it, after some time, that a key was not taken.
  static var hasDaemon: Bool { get }

  /// The arguments of ``maker``.
  func making(program: String, display: String) -> [BusValue]
  /// What a new context is told.
  var greeting: [EngineRequest] { get }
  func traits(_ traits: TextInputTraits) -> EngineRequest
  func caret(_ rect: Rect) -> EngineRequest
  /// Nil where the engine does not want it.
  func surroundings(_ text: SurroundingText) -> EngineRequest?
  /// The arguments of `ProcessKeyEvent`.
  func key(_ key: Key, time: UInt32) -> [BusValue]
  /// The meaning of a signal of the context; nil for one without a meaning, or with other values than it should have.
  mutating func event(of signal: BusSignal) -> InputMethodEvent?
}

extension SurroundingText {
  /// The scalars before a number of characters.
  func scalars(_ characters: Int) -> UInt32 { UInt32(clamping: text.prefix(characters).unicodeScalars.count) }
}

extension Key {
  /// A key of an engine's own.
  /// - Parameters:
  ///   - symbol: The keysym.
  ///   - code: The keycode; 0 where it has none.
  ///   - state: The modifiers, as in the state of a core event.
  ///   - isDown: Whether it goes down.
  init(symbol: UInt32, code: Int, state: UInt32, isDown: Bool) {
    let scalar: Unicode.Scalar? =
      switch symbol {
      case 0x20...0x7E, 0xA0...0xFF: Unicode.Scalar(symbol)
      // Unicode, as X protocol, appendix A has it.
      case 0x0100_0100...0x0110_FFFF: Unicode.Scalar(symbol - 0x0100_0000)
      default: nil
      }
    self.init(
      code: UInt8(clamping: code), symbol: symbol, characters: scalar.map { String(Character($0)) } ?? "",
      isDown: isDown, modifiers: ModifierFlags(rawValue: UInt16(state & 0x5F)))
  }

  /// The modifiers, as in the state of a core event.
  var state: UInt32 { UInt32(modifiers.rawValue) }
}
