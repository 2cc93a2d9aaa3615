import CSystem
import Glibc

/// A keymap of libxkbcommon; where the library is not installed ``CoreKeyboardMap`` is used alone.
///
/// Made on any thread and then used on one: no other object has the pointers.
final class XKBKeymap: @unchecked Sendable {
  private static let mostRemembered = 1024

  private let context: XKBContext
  private let keymap: OpaquePointer
  private let state: OpaquePointer
  /// The symbols and texts of keys that were pressed: people type the same few again and again.
  private var remembered: [UInt32: (symbol: UInt32, text: String)] = [:]

  /// Compiles a keymap; nil where the library, or what the rules name, is missing.
  init?(_ rules: KeyboardRules) {
    guard let context = XKBContext() else { return nil }
    self.context = context
    let xkb = self.context.functions
    let strings = [rules.rules, rules.model, rules.layout, rules.variant, rules.options].map { (text: String) in
      strdup(text)
    }
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

  /// The symbol and the text of a key, remembered: see ``lookUp(_:state:)``.
  func key(_ code: UInt8, state bits: UInt16) -> (symbol: UInt32, text: String) {
    // Without the pointer's buttons, which change no key.
    let name = UInt32(code) << 16 | UInt32(bits & 0x60FF)
    if let key = remembered[name] { return key }
    let key = lookUp(code, state: bits)
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
