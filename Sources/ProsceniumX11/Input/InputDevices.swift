import CXCB
import ProsceniumPlatform

/// XInput 2: which of its events are selected, and the wheels of the devices.
@MainActor final class InputDevices: X11Component {
  private static let windowEvents: [xinput_event] = [
    XINPUT_DEVICE_CHANGED, XINPUT_MOTION, XINPUT_BUTTON_PRESS, XINPUT_BUTTON_RELEASE, XINPUT_TOUCH_BEGIN,
    XINPUT_TOUCH_UPDATE, XINPUT_TOUCH_END,
  ]

  let context: X11Context
  /// Whether the server has XInput 2.2 or later: motion, buttons and touches come as its events, and not as core ones.
  private(set) var isAvailable = false
  /// The wheels of the devices.
  var axes = ScrollAxes()
  /// Whether the wheels are known: until then a wheel's emulated buttons are all there is.
  private(set) var areAxesKnown = false
  private var hasBegun = false
  private var isAsking = false
  private var isStale = false

  init(_ context: X11Context) { self.context = context }

  /// Asks for the version; windows that exist by then get their events with the answer.
  func begin() {
    guard server.extensions.has(.input) else { return }
    connection.whenReplied(server.extensions.send(.inputQueryVersion(major: 2, minor: 2))) { [weak self] reply in
      // Touches came with 2.2.
      guard let self, let version = reply?.read(xinput_version_reply.self), (version.major, version.minor) >= (2, 2)
      else { return }
      isAvailable = true
      for window in windows.all { select(for: window, isWanted: !window.isBare) }
    }
  }

  /// Selects the events of a window, or none.
  ///
  /// They do not come as core events then (XI2proto.txt, "Interoperability between version 1.x and 2.0").
  func select(for window: TopLevel, isWanted: Bool = true) {
    guard isAvailable else { return }
    server.extensions.send(
      .inputSelectEvents(
        window: window.id, device: XINPUT_ALL_MASTER_DEVICES, isWanted ? Self.windowEvents : []), onError: .ignore)
  }

  /// Asks for the wheels when the pointer first comes into one of our windows: it may never.
  func beginLearning() {
    guard isAvailable, !hasBegun else { return }
    hasBegun = true
    server.extensions.send(
      .inputSelectEvents(window: server.root, device: XINPUT_ALL_DEVICES, [XINPUT_HIERARCHY_CHANGED]))
    refresh()
  }

  /// Asks for the wheels of all devices.
  func refresh() {
    guard isAvailable, !server.isLost else { return }
    isStale = isAsking
    guard !isAsking else { return }
    isAsking = true
    connection.whenReplied(server.extensions.send(.inputQueryDevice(XINPUT_ALL_DEVICES))) { [weak self] reply in
      guard let self else { return }
      isAsking = false
      if let reply { axes = ScrollAxes(reply) }
      areAxesKnown = true
      if isStale { refresh() }
    }
  }
}
