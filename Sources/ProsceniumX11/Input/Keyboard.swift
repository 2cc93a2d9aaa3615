import CXCB
import ProsceniumLoop
import ProsceniumPlatform
import SceneLifecycle

/// The keys: from events with keycodes to events with symbols and characters.
@MainActor final class Keyboard: X11Component {
  private struct KeyEvent {
    var input: XInput
    var isDown: Bool
    var isRepeat: Bool
  }

  /// A key that is down.
  struct DownKey {
    let code: UInt8
    var window: UInt32
    /// The server's time of its first press in a window of the program, in milliseconds.
    let since: UInt32
  }

  /// No server repeats a key that has been down for a shorter time, in milliseconds: the usual delays are 200 to 660.
  private static let shortestDelay: UInt32 = 100

  private(set) lazy var maps = KeyboardMaps(parts)
  private enum Held {
    case key(KeyEvent)
    case event(PlatformEvent)
  }
  /// More keys than a user types in the time of one answer.
  private static let mostHeld = 4096
  /// Keys that wait for the map, or for a newer one, with what has come between them, in order.
  private var held: [Held] = []
  /// Few enough for a search from one to the next.
  private(set) var down: [DownKey] = []
  /// How long another client has the keyboard at most for a hot key.
  ///
  /// A scene is interrupted after a longer time, as of a screen locker, and hears of its keys before.
  var hotKeyTime = HoldTimes().grab * 3 / 4
  /// The key that has been released and pressed again by the server's repetition.
  private var repeating: UInt8?
  /// A release that may be the first half of a repetition, of which the second one has not arrived yet.
  private var pending: XInput?

  /// A key has been pressed or released.
  func handle(_ input: XInput, isDown: Bool) {
    if let release = pending.take() {
      if isDown, isRepeated(release, by: input) { repeating = input.detail } else { finish(release) }
    }
    guard let window = windows[input.window] else { return }
    var isRepeat = false
    if !input.isSynthetic {
      server.time.observe(input.time)
      if isDown {
        parts.focus.observe(userTime: input.time, in: window)
        // Most keys change nothing, and each signal marks the window.
        if window.model.focus.learnsFromKeys { windows.apply(.keyPress, to: window) }
      } else {
        return handleRelease(input)
      }
      isRepeat = repeating == input.detail
      repeating = nil
      if let index = place(of: input.detail) {
        isRepeat = true
        down[index].window = window.id
      } else {
        down.append(DownKey(code: input.detail, window: window.id, since: input.time))
      }
    }
    if !window.isBare { deliverOrHold(KeyEvent(input: input, isDown: isDown, isRepeat: isRepeat)) }
  }

  private func handleRelease(_ release: XInput) {
    switch connection.peekEvent() {
    case .key(let press, isDown: true)? where isRepeated(release, by: press): repeating = release.detail
    case nil where mayRepeat(release): hold(release)
    case _?, nil: finish(release)
    }
  }

  /// Whether a release may be one of a repetition: typing asks no questions.
  private func mayRepeat(_ release: XInput) -> Bool {
    guard let index = place(of: release.detail) else { return true }
    return release.time &- down[index].since >= Self.shortestDelay
  }

  /// Where a key is among those that are down; a loop, because a closure would check its actor for each of them.
  private func place(of code: UInt8) -> Int? {
    for index in down.indices where down[index].code == code { return index }
    return nil
  }

  /// The second half of a repetition may still be under way: it comes before the answer to any question.
  private func hold(_ release: XInput) {
    pending = release
    connection.whenDone { [weak self] in
      if self?.pending == release, let release = self?.pending.take() { self?.finish(release) }
    }
  }

  /// A key is up.
  private func finish(_ release: XInput) {
    repeating = nil
    // Else it was pressed elsewhere, or released when the focus went.
    guard let index = place(of: release.detail) else { return }
    down.remove(at: index)
    guard let window = windows[release.window], !window.isBare else { return }
    deliverOrHold(KeyEvent(input: release, isDown: false, isRepeat: false))
  }

  /// A window has got the focus, or lost it.
  ///
  /// While another client has the keyboard for a hot key the user may hold other keys all the while: they stay down. Of
  /// those that come up meanwhile that client hears.
  func focusChanged(_ window: TopLevel, isIn: Bool, _ mode: WindowSignal.Mode, _ detail: WindowSignal.Detail) {
    if isIn { maps.prepare() }
    if isIn, mode == .ungrab { releaseKeysThatAreUp() }
    // Where the focus has gone to a child, or the event is about the pointer's place, keys still come.
    guard detail.isAboutWindow else { return }
    if isIn {
      loop.cancel(.heldKeys(window.id))
    } else if mode == .grab || mode == .ungrab, down.contains(where: { $0.window == window.id }) {
      // After a grab of this program the focus comes back with the next event, where it comes back.
      loop.set(.heldKeys(window.id), after: hotKeyTime)
      endSequence()
    } else {
      releaseKeys(in: window)
    }
  }

  /// Releases the keys that have come up while another client had the keyboard.
  private func releaseKeysThatAreUp() {
    guard !down.isEmpty else { return }
    connection.whenReplied(xcb_query_keymap(connection.raw).sequence) { [weak self] reply in
      // One bit for each key, after the eight bytes that all replies begin with (X protocol, QueryKeymap).
      guard let bits = reply?.u8s(8, count: 32), bits.count == 32 else { return }
      self?.release { bits[Int($0.code / 8)] & 1 << ($0.code % 8) == 0 }
    }
  }

  /// The window gets no more events of keys that are down: they are released now, and a sequence that has begun ends.
  func releaseKeys(in window: TopLevel) {
    loop.cancel(.heldKeys(window.id))
    release { $0.window == window.id }
    repeating = nil
    if pending?.window == window.id { pending = nil }
    endSequence()
  }

  private func release(_ isUp: (DownKey) -> Bool) {
    let released = down.filter(isUp)
    down.removeAll(where: isUp)
    for key in released {
      guard let window = windows[key.window], !window.isBare else { continue }
      let input = XInput(
        window: window.id, detail: key.code, time: server.time.latest, state: 0, location: Point(x: 0, y: 0))
      deliverOrHold(KeyEvent(input: input, isDown: false, isRepeat: false))
    }
  }

  /// Drops a dead key, or a compose sequence that has begun: what is typed next is for another place.
  func endSequence() { maps.compose?.reset() }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    loop.cancel(.heldKeys(window.id))
    down.removeAll { $0.window == window.id }
    held.removeAll { if case .key(let key) = $0 { key.input.window == window.id } else { false } }
  }

  /// Keys from after a change of the map wait for the new one: tools change it for a single key.
  private func deliverOrHold(_ key: KeyEvent) {
    if let map = maps.current { return deliver(key, map) }
    if held.count < Self.mostHeld { held.append(.key(key)) }
    maps.begin()
  }

  /// Passes an event on behind the keys until now: what has been typed before a click, or a close, comes before it.
  func pass(_ event: PlatformEvent) {
    if held.isEmpty || held.count >= Self.mostHeld { batch.append(event) } else { held.append(.event(event)) }
  }

  /// The map is ready.
  func releaseHeld() {
    guard let map = maps.latest else { return }
    for held in exchange(&held, with: []) {
      switch held {
      case .key(let key): deliver(key, map)
      case .event(let event): batch.append(event)
      }
    }
  }

  private func deliver(_ event: KeyEvent, _ map: KeyboardMap) {
    guard let window = windows[event.input.window], !window.isBare else { return }
    var key = map.key(event.input, isDown: event.isDown, isRepeat: event.isRepeat)
    if event.isDown, let compose = maps.compose, key.modifiers.isDisjoint(with: [.control, .command]) {
      switch compose.feed(key.symbol) {
      case .none: break
      case .swallowed: key.characters = ""
      case .cancelled: (key.symbol, key.characters, key.latinCode) = (Key.voidSymbol, "", 0)
      case .composed(let text): key.characters = text
      }
    }
    batch.append(.input(window.windowID, InputEvent(.key(key), time: event.input.time)))
  }

  /// Whether a press comes at the same moment as a release before it: a repetition (X protocol, ChangeKeyboardControl).
  private func isRepeated(_ release: XInput, by press: XInput) -> Bool {
    !press.isSynthetic && press.detail == release.detail && press.time == release.time
      && press.window == release.window
  }
}

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

  /// A window has got the focus: keys may come.
  func prepare() { server.intern([.xkbRulesNames]) }

  /// The first key has come.
  func begin() { if latest == nil, !question.isUnderWay { refresh() } }

  /// The layout has changed: for the keys to come, if there have been any.
  func layoutChanged() { if latest != nil || question.isUnderWay { refresh() } }

  /// Asks for the core map, the modifiers, and the rules for libxkbcommon, all of them at once.
  private func refresh() {
    guard !server.isLost, question.begin() else { return }
    number += 1
    let number = number
    guard server.atoms[.xkbRulesNames] == 0 else { return read(number) }
    server.intern([.xkbRulesNames]) { [weak self] in self?.read(number) }
  }

  private func read(_ number: Int) {
    var rules: KeyboardRules?
    connection.property(server.root, server.atoms[.xkbRulesNames], limit: 256) {
      rules = $0.flatMap(KeyboardRules.init)
    }
    connection.keyboardMap { [weak self] in self?.compile(rules, $0, number) }
  }

  /// Compiles a map on another thread, where one can be made, because it takes milliseconds.
  private func compile(_ rules: KeyboardRules?, _ core: CoreKeyboardMap, _ number: Int) {
    // A changed key, or the one that a tool maps to type it: the rules are the same.
    if let rules, rules == self.rules { return use(KeyboardMap(core: core, xkb: keymap), number) }
    self.rules = rules
    keymap = nil
    let mailbox = mailbox
    let locale = compose == nil ? XKBCompose.userLocale : nil
    let make: @Sendable () -> Compiled = {
      Compiled(
        core: core, keymap: rules.flatMap { XKBKeymap($0) }, compose: locale.flatMap { XKBCompose(locale: $0) },
        number: number)
    }
    if !DetachedThread.run({ mailbox.post(make()) }) { receive(make()) }
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
