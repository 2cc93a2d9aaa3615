import CXCB

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

  init(_ axes: [Name: Axis] = [:]) {
    self.axes = axes.filter { $0.value.increment.isFinite && abs($0.value.increment) > 1e-6 }
  }

  /// Forgets the positions: the next value of each wheel is a position only.
  mutating func reset() { last = [:] }

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
      guard let before = last[name] else { continue }
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
