import Glibc

/// The rules that the keyboard map was made by: the root's `_XKB_RULES_NAMES` (XKB protocol, appendix; xkbfile).
struct KeyboardRules: Hashable, Sendable {
  var rules = ""
  var model = ""
  var layout = ""
  var variant = ""
  var options = ""

  /// Five strings, each ended by a zero; nil where the property is something else.
  init?(_ value: PropertyValue) {
    guard value.type == PredefinedAtom.string, !value.bytes.isEmpty else { return nil }
    let parts = value.bytes.split(separator: 0, maxSplits: 5, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 5, !parts[0].isEmpty, !parts[2].isEmpty else { return nil }
    (rules, model, layout, variant, options) = (parts[0], parts[1], parts[2], parts[3], parts[4])
  }
}

/// A keymap of libxkbcommon, which is loaded at run time; without it there is the core keyboard map.
///
/// Made on any thread, then used on one: the class holds the only pointers to what it made.
final class XKBKeymap: @unchecked Sendable {
  private typealias Make = @convention(c) (Int32) -> OpaquePointer?
  private typealias Release = @convention(c) (OpaquePointer?) -> Void
  private typealias SetLevel = @convention(c) (OpaquePointer?, Int32) -> Void
  private typealias Compile = @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int32) -> OpaquePointer?
  private typealias MakeState = @convention(c) (OpaquePointer?) -> OpaquePointer?
  private typealias Update =
    @convention(c) (
      OpaquePointer?, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
    ) -> Int32
  private typealias Symbol = @convention(c) (OpaquePointer?, UInt32) -> UInt32
  private typealias Text = @convention(c) (OpaquePointer?, UInt32, UnsafeMutablePointer<CChar>?, Int) -> Int32

  private let library: UnsafeMutableRawPointer
  private let keymap: OpaquePointer
  private let state: OpaquePointer
  private let releaseKeymap: Release
  private let releaseState: Release
  private let update: Update
  private let symbolOf: Symbol
  private let textOf: Text

  /// Compiles a keymap; nil where the library, one of its functions or the rules are missing.
  init?(_ rules: KeyboardRules) {
    guard let library = dlopen("libxkbcommon.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
    var isMade = false
    // Deferred before all else, so that it runs last: what is released on the way out lives in the library.
    defer { if !isMade { dlclose(library) } }
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    guard let makeContext = function("xkb_context_new", as: Make.self),
      let releaseContext = function("xkb_context_unref", as: Release.self),
      let setLogLevel = function("xkb_context_set_log_level", as: SetLevel.self),
      let compile = function("xkb_keymap_new_from_names", as: Compile.self),
      let releaseKeymap = function("xkb_keymap_unref", as: Release.self),
      let makeState = function("xkb_state_new", as: MakeState.self),
      let releaseState = function("xkb_state_unref", as: Release.self),
      let update = function("xkb_state_update_mask", as: Update.self),
      let symbolOf = function("xkb_state_key_get_one_sym", as: Symbol.self),
      let textOf = function("xkb_state_key_get_utf8", as: Text.self), let context = makeContext(0)
    else { return nil }
    defer { releaseContext(context) }
    // XKB_LOG_LEVEL_CRITICAL: what the server's own rules lack is not the program's business.
    setLogLevel(context, 10)
    // struct xkb_rule_names: five strings, rules, model, layout, variant, options.
    let strings = [rules.rules, rules.model, rules.layout, rules.variant, rules.options].map { (text: String) in
      strdup(text)
    }
    defer { strings.forEach { free($0) } }
    guard let keymap = strings.withUnsafeBytes({ compile(context, $0.baseAddress, 0) }) else { return nil }
    guard let state = makeState(keymap) else {
      releaseKeymap(keymap)
      return nil
    }
    isMade = true
    self.library = library
    self.keymap = keymap
    self.state = state
    self.releaseKeymap = releaseKeymap
    self.releaseState = releaseState
    self.update = update
    self.symbolOf = symbolOf
    self.textOf = textOf
  }

  deinit {
    releaseState(state)
    releaseKeymap(keymap)
    dlclose(library)
  }

  /// What keys meant under the states that they were pressed in: people type the same few again and again.
  private var known: [UInt32: (symbol: UInt32, text: String)] = [:]

  /// As ``lookUp(_:state:)``, remembered.
  func key(_ code: UInt8, state bits: UInt16) -> (symbol: UInt32, text: String) {
    // What the pointer's buttons say about a key is nothing.
    let name = UInt32(code) << 16 | UInt32(bits & 0x60FF)
    if let meaning = known[name] { return meaning }
    let meaning = lookUp(code, state: bits)
    if known.count >= 1024 { known = [:] }
    known[name] = meaning
    return meaning
  }

  /// The symbol and the text of a key under the state of an event: modifiers below, the group in bits 13 and 14.
  func lookUp(_ code: UInt8, state bits: UInt16) -> (symbol: UInt32, text: String) {
    _ = update(state, UInt32(bits & 0xFF), 0, 0, 0, 0, UInt32(bits >> 13 & 3))
    var buffer = [CChar](repeating: 0, count: 64)
    let count = min(Int(max(0, textOf(state, UInt32(code), &buffer, buffer.count))), buffer.count - 1)
    let text = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (symbolOf(state, UInt32(code)), text)
  }
}
