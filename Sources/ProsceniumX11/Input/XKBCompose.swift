import CSystem
import Glibc
import ProsceniumLoop

/// Dead keys and compose sequences, by libxkbcommon's table for the locale; without the table each key stands for
/// itself.
///
/// Made on any thread and then used on one: no other object has the pointers.
final class XKBCompose: @unchecked Sendable {
  /// The effect of a key on the sequence.
  enum Step: Hashable, Sendable {
    /// The key is in no sequence: it types its own text.
    case none
    /// The key is in the middle of a sequence: it types nothing.
    case swallowed
    /// The key ended a sequence that means nothing: it takes that back, and has no meaning of its own.
    case cancelled
    /// The key completed a sequence, which types this text.
    case composed(String)
  }

  private let context: XKBContext
  private let table: OpaquePointer
  private let state: OpaquePointer

  /// Reads the table of a locale; nil where the library or all tables are missing.
  ///
  /// The table of American English, which all UTF-8 locales without one of their own have, also serves the locale C and
  /// unknown locales.
  init?(locale: String) {
    guard let context = XKBContext() else { return nil }
    self.context = context
    let (xkb, pointer) = (self.context.functions, self.context.pointer)
    let isPlain = ["", "C", "POSIX"].contains(locale.prefix { $0 != "." && $0 != "@" })
    let locales = (isPlain ? [] : [locale]) + ["en_US.UTF-8"]
    guard let table = Self.table(of: locales, { xkb.xkb_compose_table_new_from_locale(pointer, $0, 0) }) else {
      return nil
    }
    guard let state = xkb.xkb_compose_state_new(table, 0) else {
      xkb.xkb_compose_table_unref(table)
      return nil
    }
    self.table = table
    self.state = state
  }

  /// The first table that there is; it is made once, which a lazy sequence's `first` does twice.
  static func table(of locales: [String], _ make: (String) -> OpaquePointer?) -> OpaquePointer? {
    for locale in locales { if let table = make(locale) { return table } }
    return nil
  }

  deinit {
    context.functions.xkb_compose_state_unref(state)
    context.functions.xkb_compose_table_unref(table)
  }

  /// The locale that the environment names (locale(7)).
  static var userLocale: String {
    for name: String in ["LC_ALL", "LC_CTYPE", "LANG"] {
      if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
    }
    return "C"
  }

  /// Adds a key that was pressed to the sequence.
  /// - Parameter symbol: The key's symbol.
  /// - Returns: The key's effect.
  func feed(_ symbol: UInt32) -> Step {
    let xkb = context.functions
    // Modifiers are ignored.
    guard symbol != 0, xkb.xkb_compose_state_feed(state, symbol) != XKB_COMPOSE_FEED_IGNORED else { return .none }
    switch xkb.xkb_compose_state_get_status(state) {
    case XKB_COMPOSE_COMPOSING: return .swallowed
    case XKB_COMPOSE_COMPOSED:
      let text = XKBContext.text(size: 256) { xkb.xkb_compose_state_get_utf8(state, $0, $1) }
      reset()
      return .composed(text)
    case XKB_COMPOSE_CANCELLED:
      reset()
      return .cancelled
    case _: return .none
    }
  }

  /// Drops a sequence that has begun.
  func reset() { context.functions.xkb_compose_state_reset(state) }
}

/// libxkbcommon and a context of it, in which keymaps and compose tables are made.
struct XKBContext: ~Copyable {
  let pointer: OpaquePointer
  private let library: Library<xkbcommon_library>

  /// Loads the library; nil where it is not installed.
  init?() {
    guard let library = Library(xkbcommon_open), let pointer = library.functions.xkb_context_new(0) else { return nil }
    // The program can do nothing about errors in the rules that the server names.
    library.functions.xkb_context_set_log_level(pointer, XKB_LOG_LEVEL_CRITICAL)
    self.pointer = pointer
    self.library = library
  }

  deinit { functions.xkb_context_unref(pointer) }

  var functions: xkbcommon_library { library.functions }

  /// Reads a text that a function writes into a buffer.
  /// - Parameters:
  ///   - size: The buffer's size in bytes.
  ///   - write: Writes the text and a zero into the buffer and returns how many bytes the text has.
  /// - Returns: The text.
  static func text(size: Int, _ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      let count = min(Int(max(0, write(buffer.baseAddress, size))), size - 1)
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
    }
  }
}

/// A keymap of libxkbcommon; where the library is not installed ``CoreKeyboardMap`` is used alone.
///
/// Made on any thread and then used on one: no other object has the pointers.
final class XKBKeymap: @unchecked Sendable {
  private static let mostRemembered = 1024

  private let context: XKBContext
  private let keymap: OpaquePointer
  private let state: OpaquePointer
  /// The symbols and texts of keys that were pressed: people type the same few again and again.
  private var remembered: [UInt32: (symbol: UInt32, text: String, latin: UInt8)] = [:]

  /// Compiles a keymap; nil where the library, or what the rules name, is missing.
  init?(_ rules: KeyboardRules) {
    guard let context = XKBContext() else { return nil }
    self.context = context
    let xkb = self.context.functions
    let strings = rules.strings.map { strdup($0) }
    defer { for string in strings { free(string) } }
    var names = xkb_rule_names(
      rules: strings[0], model: strings[1], layout: strings[2], variant: strings[3], options: strings[4])
    guard let keymap = xkb.xkb_keymap_new_from_names(self.context.pointer, &names, 0) else { return nil }
    guard let state = xkb.xkb_state_new(keymap) else {
      xkb.xkb_keymap_unref(keymap)
      return nil
    }
    self.keymap = keymap
    self.state = state
  }

  deinit {
    context.functions.xkb_state_unref(state)
    context.functions.xkb_keymap_unref(keymap)
  }

  /// The symbol and the text of a key, remembered: see ``lookUp(_:state:)``; and its ASCII character by
  /// ``KeySymbols/latin(_:_:a:in:)``.
  func key(_ code: UInt8, state bits: UInt16) -> (symbol: UInt32, text: String, latin: UInt8) {
    // Without the pointer's buttons, which change no key.
    let name = UInt32(code) << 16 | UInt32(bits & 0x60FF)
    if let key = remembered[name] { return key }
    let (symbol, text) = lookUp(code, state: bits)
    // The third level, by Mod3 or Mod5, has such characters in layouts with Latin letters, too: Ω in the German one.
    let isThirdLevel = bits & 0xA0 != 0
    let latin =
      isThirdLevel
      ? 0
      : KeySymbols.latin(code, symbol) {
        lookUp(KeySymbols.keyOfA, state: bits & 0x6000).symbol
      } in: {
        lookUp(code, state: bits & 0xFF | $0).symbol
      }
    let key = (symbol, text, latin)
    if remembered.count >= Self.mostRemembered { remembered = [:] }
    remembered[name] = key
    return key
  }

  /// The symbol and the text of a key.
  /// - Parameters:
  ///   - code: The key's code.
  ///   - bits: The state of the key's event: the modifiers in bits 0 to 7, the group in bits 13 and 14.
  /// - Returns: The symbol, 0 where the key has none, and the text that the key types.
  func lookUp(_ code: UInt8, state bits: UInt16) -> (symbol: UInt32, text: String) {
    let xkb = context.functions
    _ = xkb.xkb_state_update_mask(state, UInt32(bits & 0xFF), 0, 0, 0, 0, UInt32(bits >> 13 & 3))
    let text = XKBContext.text(size: 64) { xkb.xkb_state_key_get_utf8(state, UInt32(code), $0, $1) }
    return (xkb.xkb_state_key_get_one_sym(state, UInt32(code)), text)
  }
}

/// The rules that the server's keyboard map was made from: the root window's `_XKB_RULES_NAMES` (XKB protocol,
/// appendix).
struct KeyboardRules: Hashable, Sendable {
  /// The rules, the model, the layout, the variant and the options.
  let strings: [String]

  var layout: String { strings[2] }

  /// Reads the property: five strings, each ended by a zero; nil where it has another form.
  init?(_ value: PropertyValue) {
    guard value.type == PredefinedAtom.string, !value.bytes.isEmpty else { return nil }
    let parts = value.bytes.split(separator: 0, maxSplits: 5, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 5, !parts[0].isEmpty, !parts[2].isEmpty else { return nil }
    strings = Array(parts.prefix(5))
  }
}
