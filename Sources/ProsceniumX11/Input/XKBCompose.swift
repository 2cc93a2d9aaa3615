import CSystem
import Glibc

/// Dead keys and compose sequences, by libxkbcommon's table for the locale; without the table each key stands for
/// itself.
///
/// Made on any thread and then used on one: no other object has the pointers.
final class XKBCompose: @unchecked Sendable {
  /// The effect of a key on the sequence.
  enum Step: Hashable, Sendable {
    /// The key is in no sequence: it types its own text.
    case none
    /// The key is in the middle of a sequence, or ended one that means nothing: it types nothing.
    case swallowed
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
    let table = locales.lazy.compactMap { xkb.xkb_compose_table_new_from_locale(pointer, $0, 0) }.first
    guard let table else { return nil }
    guard let state = xkb.xkb_compose_state_new(table, 0) else {
      xkb.xkb_compose_table_unref(table)
      return nil
    }
    self.table = table
    self.state = state
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
      return .swallowed
    case _: return .none
    }
  }

  /// Drops a sequence that has begun.
  func reset() { context.functions.xkb_compose_state_reset(state) }
}
