import ProsceniumPlatform

/// The keyboard: its map, as far as it is there, and the keys that wait for it.
struct KeyboardState {
  struct Held {
    var input: XInput
    var isDown: Bool
    var isRepeat: Bool
  }
  var map: KeyboardMap?
  var isAsking = false
  var isStale = false
  /// The number of the newest question; an older keymap that is still being compiled is dropped.
  var generation = 0
  /// What the map was made of, so that it need not be made again.
  var rules: KeyboardRules?
  var xkb: XKBKeymap?
  var compose: XKBCompose?
  /// Keys that wait for the map, or for a newer one, in order.
  var held: [Held] = []
  /// Keys that are down, and in which window.
  var down: [UInt8: UInt32] = [:]
  var repeating: UInt8?
}

/// What people do with keys and pointers.
extension X11Platform {
  func keyChanged(_ input: XInput, isDown: Bool) {
    guard let window = windows[input.window] else { return }
    var isRepeat = false
    if !input.isSynthetic {
      noteTime(input.time)
      if isDown {
        noteUserTime(input.time, window)
        // Most keys say what is known already, and each signal has the window looked at anew.
        if window.model.focus.learnsFromKeys { signal(window, .keyPress) }
      } else if isRepeated(input) {
        keyboard.repeating = input.detail
        return
      }
      isRepeat = isDown && (keyboard.repeating == input.detail || keyboard.down[input.detail] != nil)
      keyboard.repeating = nil
      if isDown {
        keyboard.down[input.detail] = window.id
      } else if keyboard.down.removeValue(forKey: input.detail) == nil {
        // Pressed elsewhere, or let go of when the focus went.
        return
      }
    }
    guard !window.isBare else { return }
    deliverOrHold(input, isDown: isDown, isRepeat: isRepeat)
  }

  /// Keys from after a change of the map wait for the new one: tools change it for a single key.
  private func deliverOrHold(_ input: XInput, isDown: Bool, isRepeat: Bool) {
    if let map = keyboard.map, !keyboard.isAsking {
      return deliver(input, isDown: isDown, isRepeat: isRepeat, map)
    }
    // Nobody types this much in the time of one answer.
    if keyboard.held.count < 4096 {
      keyboard.held.append(.init(input: input, isDown: isDown, isRepeat: isRepeat))
    }
    askForKeyboard()
  }

  private func deliver(_ input: XInput, isDown: Bool, isRepeat: Bool, _ map: KeyboardMap) {
    guard let window = windows[input.window], !window.isBare else { return }
    var key = map.key(input, isDown: isDown, isRepeat: isRepeat)
    if isDown, let compose = keyboard.compose, key.modifiers.isDisjoint(with: [.control, .command]) {
      switch compose.feed(key.symbol) {
      case .none: break
      case .swallowed: key.characters = ""
      case .composed(let text): key.characters = text
      }
    }
    batch.append(.input(window.windowID, InputEvent(.key(key), time: input.time)))
  }

  func releaseHeldKeys() {
    guard let map = keyboard.map else { return }
    let held = keyboard.held
    keyboard.held = []
    for entry in held { deliver(entry.input, isDown: entry.isDown, isRepeat: entry.isRepeat, map) }
  }

  /// A key that repeats is released and pressed again at the same moment (X protocol, ChangeKeyboardControl).
  private func isRepeated(_ input: XInput) -> Bool {
    guard let next = connection?.peekEvent(),
      case .key(let press, isDown: true) = decoder.decode(UnsafeRawPointer(next))
    else {
      return false
    }
    return !press.isSynthetic && press.detail == input.detail && press.time == input.time
      && press.window == input.window
  }

  /// The window hears no more of keys that are down: they go up now, and a sequence that has begun is forgotten.
  func releaseKeys(in window: TopLevel) {
    for code in keyboard.down.filter({ $0.value == window.id }).keys.sorted() {
      keyboard.down[code] = nil
      let input = XInput(window: window.id, detail: code, time: serverTime, state: 0, location: Point(x: 0, y: 0))
      if !window.isBare { deliverOrHold(input, isDown: false, isRepeat: false) }
    }
    keyboard.repeating = nil
    keyboard.compose?.reset()
  }

  /// The window is hidden, or holds no contents any more: nothing of its input comes to an end any more.
  func letGoOfInput(_ window: TopLevel) {
    releaseKeys(in: window)
    cancelTouches(in: window)
  }

  func buttonChanged(_ input: XInput, isDown: Bool) {
    guard let window = windows[input.window] else { return }
    if !input.isSynthetic { noteTime(input.time) }
    if isDown, !input.isSynthetic { pressed(window, input) }
    guard !window.isBare else { return }
    if (4...7).contains(input.detail) { return wheelClicked(input, isDown: isDown) }
    let button = PointerButton(
      number: Int(input.detail), isDown: isDown, location: input.location,
      modifiers: KeyboardMap.modifiers(input.state))
    batch.append(.input(window.windowID, InputEvent(.button(button), time: input.time)))
  }

  /// A click gives the focus, and without a window manager nobody else would.
  func pressed(_ window: TopLevel, _ input: XInput) {
    noteUserTime(input.time, window)
    if desktop.isKnownUnmanaged, input.detail <= 3, !window.model.focus.hasFocus { focusDirectly(window) }
  }

  func pointerMoved(_ input: XInput) {
    if !input.isSynthetic { noteTime(input.time) }
    pointer.last = (input.window, input.location)
    report(.moved, input)
  }

  func pointerCrossed(
    _ input: XInput, isEnter: Bool, mode: WindowSignal.Mode, detail: WindowSignal.Detail, focus: Bool
  ) {
    noteTime(input.time)
    guard let window = windows[input.window] else { return }
    signal(window, isEnter ? .enter(mode, detail, focus: focus) : .leave(mode, detail, focus: focus))
    // Wheels may have been turned elsewhere.
    if isEnter {
      pointer.axes.reset()
      learnDevices()
    }
    // A grab is no way in or out: under some window managers every click makes such a pair.
    if mode == .normal, detail != .inferior { report(isEnter ? .entered : .exited, input) }
  }

  private func report(_ phase: Motion.Phase, _ input: XInput) {
    guard let window = windows[input.window], !window.isBare else { return }
    let motion = Motion(phase: phase, location: input.location, modifiers: KeyboardMap.modifiers(input.state))
    batch.append(.input(window.windowID, InputEvent(.motion(motion), time: input.time)))
  }

  func focusChanged(_ id: UInt32, isIn: Bool, _ mode: WindowSignal.Mode, _ detail: WindowSignal.Detail) {
    guard let window = windows[id] else { return }
    signal(window, isIn ? .focusIn(mode, detail) : .focusOut(mode, detail))
    switch detail {
    case .ancestor, .virtual, .nonlinear, .nonlinearVirtual: if !isIn { releaseKeys(in: window) }
    // The focus has gone to a child, or the event is about the pointer's place: keys still come.
    case .inferior, .pointer, .pointerRoot, .none: break
    }
    guard isIn, window.model.focus.hasFocus, focusOrder.last != id else { return }
    focusOrder.removeAll { $0 == id }
    focusOrder.append(id)
  }

  /// `_NET_WM_USER_TIME` lets window managers refuse focus to what is older (EWMH); once a second is often enough.
  func noteUserTime(_ time: UInt32, _ window: TopLevel) {
    let isLater = userTime == 0 || time &- userTime >= 1000
    userTime = time == 0 ? 1 : time
    guard isLater, desktop.isManaged else { return }
    window.hasUserTime = true
    connection?.changeProperty(window.id, atoms[.netWMUserTime], type: PredefinedAtom.cardinal, [userTime])
  }
}
