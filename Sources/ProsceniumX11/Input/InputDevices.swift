import CXCB
import ProsceniumPlatform

/// XInput 2: which of its events are selected, and the wheels of the devices.
@MainActor final class InputDevices: X11Component {
  private static let windowEvents: [xinput_event] = [
    XINPUT_DEVICE_CHANGED, XINPUT_MOTION, XINPUT_BUTTON_PRESS, XINPUT_BUTTON_RELEASE, XINPUT_TOUCH_BEGIN,
    XINPUT_TOUCH_UPDATE, XINPUT_TOUCH_END,
  ]

  /// Whether the server has XInput 2.2 or later: motion, buttons and touches come as its events, and not as core ones.
  private(set) var isAvailable = false
  /// The wheels of the devices.
  var axes = ScrollAxes()
  /// Whether the wheels are known: until then a wheel's emulated buttons are all there is.
  private(set) var areAxesKnown = false
  private var hasBegun = false
  private var question = SingleQuestion()

  /// Asks for the version; windows that exist by then get their events with the answer.
  func begin() {
    guard server.extensions.has(.input) else { return }
    connection.whenReplied(server.extensions.send(.inputQueryVersion)) { [weak self] reply in
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
    guard isAvailable, !server.isLost, question.begin() else { return }
    connection.whenReplied(server.extensions.send(.inputQueryDevice(XINPUT_ALL_DEVICES))) { [weak self] reply in
      guard let self else { return }
      if let reply { axes = ScrollAxes(reply) }
      areAxesKnown = true
      if question.end() { refresh() }
    }
  }
}

/// The wheels of the devices, and how far each has been turned (XI2proto.txt, section "ScrollClass").
///
/// A device reports the position of a wheel, not how far it was turned: the difference to the position before is what
/// matters, and it may have been turned over another window meanwhile.
struct ScrollAxes: Hashable, Sendable {
  struct Axis: Hashable, Sendable {
    var isHorizontal: Bool
    /// The difference that is one line; negative where the device counts the other way.
    var increment: Double
  }
  struct Name: Hashable, Sendable {
    var device: UInt16
    var number: Int
  }

  private(set) var axes: [Name: Axis] = [:]
  private var last: [Name: Double] = [:]
  /// The wheels whose last value was a position only.
  private var begun: Set<Name> = []

  init(_ axes: [Name: Axis] = [:]) {
    self.axes = axes.filter { $0.value.increment.isFinite && abs($0.value.increment) > 1e-6 }
  }

  /// Forgets the positions: the next value of each wheel is a position only.
  mutating func reset() {
    last = [:]
    begun = []
  }

  /// Whether the last value of a device's wheels in a direction did not say how far they were turned: the buttons that
  /// the server makes of that follow the value.
  func isTurnUnknown(_ device: UInt16, isHorizontal: Bool) -> Bool {
    begun.contains { $0.device == device && axes[$0]?.isHorizontal == isHorizontal }
  }

  /// Follows the valuators of a device.
  /// - Returns: How many lines the wheels have been turned; nil where no wheel is among the valuators.
  mutating func turn(_ device: UInt16, _ valuators: [Int: Double]) -> (x: Double, y: Double)? {
    var lines: (x: Double, y: Double)?
    for (number, value) in valuators {
      let name = Name(device: device, number: number)
      guard let axis = axes[name] else { continue }
      lines = lines ?? (0, 0)
      guard value.isFinite else { continue }
      defer { last[name] = value }
      guard let before = last[name] else {
        begun.insert(name)
        continue
      }
      begun.remove(name)
      let delta = (value - before) / axis.increment
      // Too far for one event: the device has begun to count anew.
      guard abs(delta) < 1000 else { continue }
      if axis.isHorizontal { lines?.x += delta } else { lines?.y += delta }
    }
    return lines
  }

  /// The scroll classes of a reply of XIQueryDevice: devices with their names, each followed by its classes.
  init(_ reply: ReplyBytes) {
    var axes: [Name: Axis] = [:]
    var offset = ReplyBytes.header
    for _ in 0..<Int(reply.read(xinput_devices_reply.self)?.device_count ?? 0) {
      guard let device = reply.read(xinput_device_info.self, at: offset) else { break }
      // The name is padded.
      offset += MemoryLayout<xinput_device_info>.size + (Int(device.name_length) + 3) / 4 * 4
      for _ in 0..<Int(device.class_count) {
        guard let found = reply.read(xinput_class_info.self, at: offset), found.length > 0 else { break }
        if let (number, axis) = Self.axis(found, reply, offset) {
          axes[Name(device: device.device, number: number)] = axis
        }
        // In units of four.
        offset += 4 * Int(found.length)
      }
    }
    self.init(axes)
  }

  private static func axis(_ found: xinput_class_info, _ reply: ReplyBytes, _ offset: Int) -> (Int, Axis)? {
    guard UInt32(found.type) == XINPUT_SCROLL_CLASS.rawValue,
      let scroll = reply.read(xinput_scroll_info.self, at: offset)
    else { return nil }
    let isHorizontal = UInt32(scroll.direction) == XINPUT_SCROLL_HORIZONTAL.rawValue
    guard isHorizontal || UInt32(scroll.direction) == XINPUT_SCROLL_VERTICAL.rawValue else { return nil }
    return (Int(scroll.number), Axis(isHorizontal: isHorizontal, increment: scroll.increment.value))
  }
}
