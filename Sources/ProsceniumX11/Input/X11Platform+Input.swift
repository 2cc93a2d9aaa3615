import ProsceniumCore

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
  /// Keys from before the map was there, in order.
  var held: [Held] = []
  var down: Set<UInt8> = []
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
        signal(window, .keyPress)
      } else if isRepeated(input) {
        keyboard.repeating = input.detail
        return
      }
      isRepeat = isDown && (keyboard.repeating == input.detail || keyboard.down.contains(input.detail))
      keyboard.repeating = nil
      if isDown { keyboard.down.insert(input.detail) } else { keyboard.down.remove(input.detail) }
    }
    guard !window.isBare else { return }
    guard let map = keyboard.map else {
      // Nobody types this much in the time of one answer.
      if keyboard.held.count < 4096 {
        keyboard.held.append(.init(input: input, isDown: isDown, isRepeat: isRepeat))
      }
      return askForKeyboard()
    }
    deliver(input, isDown: isDown, isRepeat: isRepeat, map)
  }

  private func deliver(_ input: XInput, isDown: Bool, isRepeat: Bool, _ map: KeyboardMap) {
    guard let window = windows[input.window], !window.isBare else { return }
    let key = map.key(input, isDown: isDown, isRepeat: isRepeat)
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

  func buttonChanged(_ input: XInput, isDown: Bool) {
    guard let window = windows[input.window] else { return }
    if !input.isSynthetic { noteTime(input.time) }
    if isDown, !input.isSynthetic {
      noteUserTime(input.time, window)
      // A click gives the focus, and without a window manager nobody else would.
      if desktop.isKnownUnmanaged, (1...3).contains(input.detail), !window.model.focus.hasFocus {
        focusDirectly(window)
      }
    }
    guard !window.isBare else { return }
    let button = Button(
      number: Int(input.detail), isDown: isDown, location: input.location,
      modifiers: KeyboardMap.modifiers(input.state))
    batch.append(.input(window.windowID, InputEvent(.button(button), time: input.time)))
  }

  func pointerMoved(_ input: XInput) {
    if !input.isSynthetic { noteTime(input.time) }
    report(.moved, input)
  }

  func pointerCrossed(
    _ input: XInput, isEnter: Bool, mode: WindowSignal.Mode, detail: WindowSignal.Detail, focus: Bool
  ) {
    noteTime(input.time)
    guard let window = windows[input.window] else { return }
    signal(window, isEnter ? .enter(mode, detail, focus: focus) : .leave(mode, detail, focus: focus))
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
    // Keys that are released elsewhere are not heard of.
    if !isIn { keyboard.down = [] }
    signal(window, isIn ? .focusIn(mode, detail) : .focusOut(mode, detail))
    guard isIn, window.model.focus.hasFocus, focusOrder.last != id else { return }
    focusOrder.removeAll { $0 == id }
    focusOrder.append(id)
  }

  /// `_NET_WM_USER_TIME` lets window managers refuse focus to what is older (EWMH); once a second is often enough.
  private func noteUserTime(_ time: UInt32, _ window: TopLevel) {
    let isLater = userTime == 0 || time &- userTime >= 1000
    userTime = time == 0 ? 1 : time
    guard isLater, desktop.isManaged else { return }
    window.hasUserTime = true
    connection?.changeProperty(window.id, atoms[.netWMUserTime], type: PredefinedAtom.cardinal, [userTime])
  }
}
