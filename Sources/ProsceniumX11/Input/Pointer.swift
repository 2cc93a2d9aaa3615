import ProsceniumPlatform

/// The pointer and touches: motion, buttons and wheels, by XInput 2 where the server has it.
@MainActor final class Pointer: X11Component {
  private(set) lazy var devices = InputDevices(parts)
  /// Where the pointer was last, so that a turned wheel is no motion.
  private var last: (window: UInt32, location: Point)?
  /// The buttons that are down, by their number.
  private(set) var presses: [UInt8: Press] = [:]
  /// The fingers on the screen, in the windows that they came down in.
  private(set) var touches: [UInt32: (window: UInt32, location: Point)] = [:]

  /// A button that is down.
  struct Press {
    let window: UInt32
    /// Whether the window has been told that the button is up, because it went out of sight.
    var hasEnded = false
  }

  // MARK: XInput 2

  func moved(_ event: DeviceEvent) {
    // Of a touch: it comes as such.
    guard !event.isEmulated || parts.windows.popUps.holdsPointer else { return }
    devices.beginLearning()
    if let lines = devices.axes.turn(event.source, event.valuators) {
      if lines.x != 0 || lines.y != 0 { scroll(event.input, lines.x, lines.y, isPrecise: true) }
      if let last, last == (event.input.window, event.input.location) { return }
    }
    moved(event.input)
  }

  func buttonChanged(_ event: DeviceEvent, isDown: Bool) {
    devices.beginLearning()
    let isWheel = Self.isWheel(event.input.detail)
    // While menus hold the pointer a touch is a press: the grab gets it.
    if !event.isEmulated || (isWheel ? isTurnUnknown(event) : parts.windows.popUps.holdsPointer) {
      buttonChanged(event.input, isDown: isDown)
    }
  }

  /// Whether nothing but its emulated button shows that a wheel has been turned.
  private func isTurnUnknown(_ event: DeviceEvent) -> Bool {
    !devices.areAxesKnown || devices.axes.isTurnUnknown(event.source, isHorizontal: event.input.detail >= 6)
  }

  // MARK: The core protocol

  func moved(_ input: XInput) {
    if !input.isSynthetic { server.time.observe(input.time) }
    last = (input.window, input.location)
    report(.moved, input)
  }

  func buttonChanged(_ input: XInput, isDown: Bool) {
    guard let window = windows[input.window] else { return }
    if !input.isSynthetic { server.time.observe(input.time) }
    if isDown, !input.isSynthetic { parts.focus.pressed(window, input) }
    if Self.isWheel(input.detail) { return wheelTurned(input, isDown: isDown) }
    if isDown { parts.input.keyboard.endSequence() }
    if !input.isSynthetic {
      let old = presses.removeValue(forKey: input.detail)
      if isDown { presses[input.detail] = Press(window: window.id) }
      if !isDown, let old, old.hasEnded, old.window == window.id { return }
    }
    report(input, isDown: isDown)
  }

  /// A button that went down in a window has gone up for a drag, and for no window.
  func forget(_ button: UInt8) { presses[button] = nil }

  /// The pointer has entered or left a window.
  func crossed(_ input: XInput, isEnter: Bool, mode: WindowSignal.Mode, detail: WindowSignal.Detail) {
    // Wheels may have been turned elsewhere.
    if isEnter {
      devices.axes.reset()
      devices.beginLearning()
    }
    // A grab is no way in or out: under some window managers every click makes such a pair.
    if mode == .normal, detail != .inferior { report(isEnter ? .entered : .exited, input) }
  }

  /// A wheel without valuators is turned: buttons 4 to 7 are up, down, left and right.
  private func wheelTurned(_ input: XInput, isDown: Bool) {
    guard isDown else { return }
    switch input.detail {
    case 4: scroll(input, 0, -1, isPrecise: false)
    case 5: scroll(input, 0, 1, isPrecise: false)
    case 6: scroll(input, -1, 0, isPrecise: false)
    case _: scroll(input, 1, 0, isPrecise: false)
    }
  }

  private static func isWheel(_ button: UInt8) -> Bool { (4...7).contains(button) }

  private func scroll(_ input: XInput, _ x: Double, _ y: Double, isPrecise: Bool) {
    let scroll = Scroll(
      deltaX: x, deltaY: y, isPrecise: isPrecise, location: input.location, modifiers: input.modifiers)
    deliver(.scroll(scroll), input)
  }

  private func report(_ input: XInput, isDown: Bool) {
    let button = PointerButton(
      number: Int(input.detail), isDown: isDown, location: input.location, modifiers: input.modifiers)
    deliver(.button(button), input)
  }

  private func report(_ phase: Motion.Phase, _ input: XInput) {
    deliver(.motion(Motion(phase: phase, location: input.location, modifiers: input.modifiers)), input)
  }

  private func deliver(_ event: InputEvent.Kind, _ input: XInput) {
    guard let window = windows[input.window], !window.isBare else { return }
    parts.input.keyboard.pass(.input(window.windowID, InputEvent(event, time: input.time)))
  }

  // MARK: Touches

  func touched(_ event: DeviceEvent, _ phase: Touch.Phase) {
    guard let window = windows[event.input.window], !window.isBare else { return }
    switch phase {
    case .began:
      guard touches.updateValue((window.id, event.input.location), forKey: event.touch) == nil else { return }
      parts.focus.pressed(window, event.input)
      parts.input.keyboard.endSequence()
    case .moved:
      // An update without a change of place means that the touch may end (XITouchPendingEnd).
      guard let known = touches[event.touch], known.location != event.input.location else { return }
      touches[event.touch]?.location = event.input.location
    case .ended, .cancelled:
      guard touches.removeValue(forKey: event.touch) != nil else { return }
    }
    report(phase, event.touch, event.input)
  }

  private func report(_ phase: Touch.Phase, _ number: UInt32, _ input: XInput) {
    let touch = Touch(identifier: Int(number), phase: phase, location: input.location, modifiers: input.modifiers)
    deliver(.touch(touch), input)
  }

  // MARK: Ends

  /// Ends the presses and touches in a window that is hidden, by itself or with its frame, or has no contents any more.
  ///
  /// The server has ended the grab that each press began (X protocol, UnmapWindow): where the button goes up, another
  /// window is told, or none.
  func end(in window: TopLevel) {
    for number in presses.keys.sorted() {
      guard let press = presses[number], press.window == window.id, !press.hasEnded else { continue }
      presses[number]?.hasEnded = true
      // Outside of the window, where a release is no click
      let outside = Point(x: -1, y: -1)
      report(
        XInput(window: window.id, detail: number, time: server.time.latest, state: 0, location: outside), isDown: false)
    }
    cancelTouches(in: window)
  }

  private func cancelTouches(in window: TopLevel) {
    for (number, touch) in touches.sorted(by: { $0.key < $1.key }) where touch.window == window.id {
      touches[number] = nil
      let input = XInput(window: window.id, detail: 0, time: server.time.latest, state: 0, location: touch.location)
      report(.cancelled, number, input)
    }
  }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    presses = presses.filter { $0.value.window != window.id }
    touches = touches.filter { $0.value.window != window.id }
  }
}
