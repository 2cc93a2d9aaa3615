import ProsceniumPlatform

/// Pointers and touches, as far as they are remembered.
struct PointerState {
  /// XInput 2.2 or later is there: motion, buttons and touches come as its events, and not as core ones.
  var hasDevices = false
  /// The wheels have been asked for.
  var isLearning = false
  var isAsking = false
  /// The answer has come: until then a wheel's emulated buttons are all there is.
  var knowsAxes = false
  var isStale = false
  var axes = ScrollAxes()
  /// Where the pointer was last, so that a turned wheel is no motion.
  var last: (window: UInt32, location: Point)?
  /// Fingers on the screen, in the windows that they came down in.
  var touches: [UInt32: (window: UInt32, location: Point)] = [:]
}

/// XInput 2: smooth wheels and touches. Without it, the core protocol's pointer.
extension X11Platform {
  private static let windowMask = DeviceEventType.mask(
    DeviceEventType.deviceChanged, DeviceEventType.motion, DeviceEventType.buttonPress, DeviceEventType.buttonRelease,
    DeviceEventType.touchBegin, DeviceEventType.touchUpdate, DeviceEventType.touchEnd)

  /// Asks for the version; windows that are there by then get their events with the answer.
  func prepareDevices() {
    guard let extensions, let connection, extensions.has(.input) else { return }
    connection.whenReplied(extensions.send(.inputQueryVersion(major: 2, minor: 2))) { [weak self] reply in
      // XIQueryVersion's reply: major at 8, minor at 10. Touches came with 2.2.
      guard let self, let major = reply?.u16(8), let minor = reply?.u16(10), (major, minor) >= (2, 2) else { return }
      pointer.hasDevices = true
      for id in windows.keys.sorted() { windows[id].map { selectDevices($0, isWanted: !$0.isBare) } }
    }
  }

  /// Asks for the wheels when the pointer first comes into one of our windows: it may never.
  func learnDevices() {
    guard pointer.hasDevices, !pointer.isLearning, let extensions, let connection else { return }
    pointer.isLearning = true
    // XIAllDevices: which devices there are.
    extensions.send(
      .inputSelectEvents(
        window: connection.screen.root, device: 0, mask: DeviceEventType.mask(DeviceEventType.hierarchyChanged)))
    refreshDevices()
  }

  /// What is selected here comes no more as a core event (XI2proto.txt, "Interoperability between version 1.x and 2.0").
  func selectDevices(_ window: TopLevel, isWanted: Bool = true) {
    guard pointer.hasDevices else { return }
    // XIAllMasterDevices.
    extensions?.send(
      .inputSelectEvents(window: window.id, device: 1, mask: isWanted ? Self.windowMask : 0), onError: .ignore)
  }

  /// The wheels of all devices.
  func refreshDevices() {
    guard pointer.hasDevices, !isLost, let connection, let extensions else { return }
    guard !pointer.isAsking else {
      pointer.isStale = true
      return
    }
    pointer.isAsking = true
    pointer.isStale = false
    connection.whenReplied(extensions.send(.inputQueryDevice(0))) { [weak self] reply in
      guard let self else { return }
      pointer.isAsking = false
      if let reply { pointer.axes = ScrollAxes(reply) }
      pointer.knowsAxes = true
      if pointer.isStale { refreshDevices() }
    }
  }

  func deviceEvent(_ event: DeviceEvent) {
    noteTime(event.input.time)
    switch event.kind {
    case .motion:
      // Of a touch: it comes as such.
      guard !event.isEmulated else { return }
      learnDevices()
      if let lines = pointer.axes.turn(event.source, event.valuators) {
        if lines.x != 0 || lines.y != 0 { scroll(event.input, lines.x, lines.y, isPrecise: true) }
        if let last = pointer.last, last == (event.input.window, event.input.location) { return }
      }
      pointerMoved(event.input)
    case .button(let isDown):
      learnDevices()
      let isWheel = (4...7).contains(event.input.detail)
      if !event.isEmulated || (isWheel && !pointer.knowsAxes) { buttonChanged(event.input, isDown: isDown) }
    case .touch(let phase): touchChanged(event, phase)
    }
  }

  /// A wheel without valuators: buttons 4 to 7, up, down, left and right.
  func wheelClicked(_ input: XInput, isDown: Bool) {
    guard isDown else { return }
    switch input.detail {
    case 4: scroll(input, 0, -1, isPrecise: false)
    case 5: scroll(input, 0, 1, isPrecise: false)
    case 6: scroll(input, -1, 0, isPrecise: false)
    case _: scroll(input, 1, 0, isPrecise: false)
    }
  }

  private func scroll(_ input: XInput, _ x: Double, _ y: Double, isPrecise: Bool) {
    guard let window = windows[input.window], !window.isBare else { return }
    let scroll = Scroll(
      deltaX: x, deltaY: y, isPrecise: isPrecise, location: input.location,
      modifiers: KeyboardMap.modifiers(input.state))
    batch.append(.input(window.windowID, InputEvent(.scroll(scroll), time: input.time)))
  }

  // MARK: Touches

  private func touchChanged(_ event: DeviceEvent, _ phase: DeviceEvent.TouchPhase) {
    guard let window = windows[event.input.window], !window.isBare else { return }
    switch phase {
    case .began:
      guard pointer.touches.updateValue((window.id, event.input.location), forKey: event.touch) == nil else { return }
      pressed(window, event.input)
      report(.began, event.touch, event.input)
    case .moved:
      // An update without a change of place is the server's word that the touch may end (XITouchPendingEnd).
      guard let known = pointer.touches[event.touch], known.location != event.input.location else { return }
      pointer.touches[event.touch]?.location = event.input.location
      report(.moved, event.touch, event.input)
    case .ended:
      guard pointer.touches.removeValue(forKey: event.touch) != nil else { return }
      report(.ended, event.touch, event.input)
    }
  }

  /// The window is hidden or gone: what becomes of its fingers is not said any more.
  func cancelTouches(in window: TopLevel) {
    for (number, touch) in pointer.touches.sorted(by: { $0.key < $1.key }) where touch.window == window.id {
      pointer.touches[number] = nil
      let input = XInput(window: window.id, detail: 0, time: serverTime, state: 0, location: touch.location)
      report(.cancelled, number, input)
    }
  }

  private func report(_ phase: Touch.Phase, _ number: UInt32, _ input: XInput) {
    guard let window = windows[input.window], !window.isBare else { return }
    let touch = Touch(
      identifier: Int(number), phase: phase, location: input.location, modifiers: KeyboardMap.modifiers(input.state))
    batch.append(.input(window.windowID, InputEvent(.touch(touch), time: input.time)))
  }
}
