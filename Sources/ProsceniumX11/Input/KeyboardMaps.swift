import ProsceniumLoop
import ProsceniumPlatform

/// The keyboard map: asked for when the first key comes, and never waited for.
///
/// Not before: a map costs some hundred kilobytes and milliseconds, and many windows are never typed into.
@MainActor final class KeyboardMaps: X11Component {
  /// A map that another thread has compiled.
  private struct Compiled: Sendable {
    var core: CoreKeyboardMap
    var keymap: XKBKeymap?
    var compose: XKBCompose?
    var number: Int
  }

  /// The latest map; nil before the first.
  private(set) var latest: KeyboardMap?
  private(set) var compose: XKBCompose?
  private var question = SingleQuestion()
  /// The number of the newest question; an older keymap that is still being compiled is dropped.
  private var number = 0
  /// The rules and the keymap of the latest map, so that it need not be compiled again.
  private var rules: KeyboardRules?
  private var keymap: XKBKeymap?
  private lazy var mailbox = loop.makeMailbox { [weak self] in self?.receive($0) }

  /// The map that keys have now; nil while it is being asked for.
  var current: KeyboardMap? { question.isUnderWay ? nil : latest }

  /// The first key has come.
  func begin() { if latest == nil, !question.isUnderWay { refresh() } }

  /// The layout has changed: for the keys to come, if there have been any.
  func layoutChanged() { if latest != nil || question.isUnderWay { refresh() } }

  /// Asks for the core map, the modifiers, and the rules for libxkbcommon.
  private func refresh() {
    guard !server.isLost, question.begin() else { return }
    number += 1
    let number = number
    connection.keyboardMap { [weak self] in self?.readRules($0, number) }
  }

  private func readRules(_ core: CoreKeyboardMap, _ number: Int) {
    let read: @MainActor () -> Void = { [weak self] in
      guard let self else { return }
      connection.property(server.root, server.atoms[.xkbRulesNames], limit: 256) { [weak self] value in
        self?.compile(value.flatMap(KeyboardRules.init), core, number)
      }
    }
    if server.atoms[.xkbRulesNames] == 0 { server.intern([.xkbRulesNames], read) } else { read() }
  }

  /// Compiles a map on another thread, because it takes milliseconds.
  private func compile(_ rules: KeyboardRules?, _ core: CoreKeyboardMap, _ number: Int) {
    // A changed key, or the one that a tool maps to type it: the rules are the same.
    if let rules, rules == self.rules { return use(KeyboardMap(core: core, xkb: keymap), number) }
    self.rules = rules
    keymap = nil
    let mailbox = mailbox
    let locale = compose == nil ? XKBCompose.userLocale : nil
    let isRunning = DetachedThread.run {
      mailbox.post(
        Compiled(
          core: core, keymap: rules.flatMap { XKBKeymap($0) }, compose: locale.flatMap { XKBCompose(locale: $0) },
          number: number))
    }
    if !isRunning { use(KeyboardMap(core: core), number) }
  }

  private func receive(_ compiled: Compiled) {
    keymap = compiled.keymap
    compose = compiled.compose ?? compose
    use(KeyboardMap(core: compiled.core, xkb: compiled.keymap), compiled.number)
  }

  private func use(_ map: KeyboardMap, _ number: Int) {
    guard number == self.number else { return }
    let isStale = question.end()
    latest = map
    parts.input.keyboard.releaseHeld()
    // Changed again meanwhile: the keys that are to come wait for that.
    if isStale { refresh() }
  }
}
