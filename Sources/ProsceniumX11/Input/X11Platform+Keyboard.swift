import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// Where the keyboard map comes from: asked for when the first key comes, never waited for.
///
/// Not before: a map costs some hundred kilobytes and milliseconds, and many windows are never typed into.
extension X11Platform {
  /// The first key has come; it is held until the map is there.
  func askForKeyboard() {
    if keyboard.map == nil, !keyboard.isAsking { refreshKeyboard() }
  }

  /// The layout has changed: for the keys to come, if there have been any.
  func renewKeyboard() {
    if keyboard.map != nil || keyboard.isAsking { refreshKeyboard() }
  }

  /// The core map, the modifiers, and the rules for libxkbcommon.
  func refreshKeyboard() {
    guard !isLost, let connection else { return }
    guard !keyboard.isAsking else {
      keyboard.isStale = true
      return
    }
    keyboard.isAsking = true
    keyboard.isStale = false
    keyboard.generation += 1
    let generation = keyboard.generation
    let codes = connection.keycodes
    let mapping = xcb_get_keyboard_mapping(connection.raw, codes.lowerBound, UInt8(clamping: codes.count))
    var symbols: [UInt32] = []
    var perKey = 0
    connection.whenReplied(mapping.sequence) { reply in
      // GetKeyboardMapping's reply: keysyms per keycode at 1, the keysyms from 32.
      perKey = Int(reply?.u8(1) ?? 0)
      symbols = reply?.u32s(32, count: perKey * codes.count) ?? []
    }
    let modifiers = xcb_get_modifier_mapping(connection.raw)
    connection.whenReplied(modifiers.sequence) { [weak self] reply in
      // GetModifierMapping's reply: keycodes per modifier at 1, eight times as many keycodes from 32.
      let modifiers = reply?.u8s(32, count: 8 * Int(reply?.u8(1) ?? 0)) ?? []
      let core = CoreKeyboardMap(
        firstCode: codes.lowerBound, perKey: perKey, symbols: symbols, modifiers: modifiers)
      self?.readRules(core, generation)
    }
  }

  private func readRules(_ core: CoreKeyboardMap, _ generation: Int) {
    guard let connection else { return }
    let read: @MainActor () -> Void = { [weak self] in
      guard let self else { return }
      connection.property(connection.screen.root, atoms[.xkbRulesNames], limit: 256) { [weak self] value in
        self?.compile(value.flatMap(KeyboardRules.init), core, generation)
      }
    }
    guard atoms[.xkbRulesNames] == 0 else { return read() }
    connection.internAtom(AtomName.xkbRulesNames.rawValue) { [weak self] atom in
      self?.atoms.set(.xkbRulesNames, atom)
      read()
    }
  }

  /// Compiling takes milliseconds: on another thread, which hands the keymap over through the loop's pipe.
  private func compile(_ rules: KeyboardRules?, _ core: CoreKeyboardMap, _ generation: Int) {
    // A changed key, or the one that a tool has put there to type it: what the rules say is known.
    if let rules, rules == keyboard.rules { return use(KeyboardMap(core: core, xkb: keyboard.xkb), generation) }
    keyboard.rules = rules
    keyboard.xkb = nil
    let mailbox = keymapMailbox
    let locale = keyboard.compose == nil ? XKBCompose.userLocale : nil
    let isRunning = DetachedThread.run {
      mailbox.post(
        CompiledKeymap(
          core: core, keymap: rules.flatMap { XKBKeymap($0) }, compose: locale.flatMap { XKBCompose(locale: $0) },
          generation: generation))
    }
    if !isRunning { use(KeyboardMap(core: core), generation) }
  }

  /// What another thread has made.
  func takeCompiledKeymap(_ made: CompiledKeymap) {
    keyboard.xkb = made.keymap
    if let compose = made.compose { keyboard.compose = compose }
    use(KeyboardMap(core: made.core, xkb: made.keymap), made.generation)
  }

  private func use(_ map: KeyboardMap, _ generation: Int) {
    guard generation == keyboard.generation else { return }
    keyboard.isAsking = false
    keyboard.map = map
    releaseHeldKeys()
    // Changed again meanwhile: the keys that are to come wait for that.
    if keyboard.isStale { refreshKeyboard() }
  }
}

/// A keymap on its way to the main thread.
struct CompiledKeymap: Sendable {
  var core: CoreKeyboardMap
  var keymap: XKBKeymap?
  var compose: XKBCompose?
  var generation: Int
}
