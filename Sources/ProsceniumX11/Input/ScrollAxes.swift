/// The wheels of the devices, and how far each has been turned (XI2proto.txt, section "ScrollClass").
///
/// A device says where a wheel stands, not how far it was turned: the difference to where it stood before is what
/// matters, and it may have been turned over another window meanwhile.
struct ScrollAxes: Hashable, Sendable {
  struct Axis: Hashable, Sendable {
    var isHorizontal: Bool
    /// What one line is; negative where the device counts the other way.
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

  /// The next value of each wheel only says where it stands.
  mutating func reset() { last = [:] }

  /// How many lines the wheels of a device have been turned; nil where no wheel is among the valuators.
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
      // Nobody turns this far in one event: the device has begun to count anew.
      guard abs(delta) < 1000 else { continue }
      if axis.isHorizontal { lines?.x += delta } else { lines?.y += delta }
    }
    return lines
  }

  /// The scroll classes of a reply of XIQueryDevice.
  ///
  /// Number of devices at 8; from 32 each device: number at 0, count of classes at 6, length of the name at 8, name
  /// from 12 on, padded; then the classes: type at 0, length in units of four at 2, and in one of type 3, scroll: the
  /// valuator at 6, the kind (1 vertical, 2 horizontal) at 8, the increment (FP3232) at 16.
  init(_ reply: ReplyBytes) {
    var axes: [Name: Axis] = [:]
    var offset = 32
    for _ in 0..<Int(reply.u16(8) ?? 0) {
      guard let device = reply.u16(offset), let classes = reply.u16(offset + 6), let name = reply.u16(offset + 8)
      else { break }
      offset += 12 + (Int(name) + 3) / 4 * 4
      for _ in 0..<Int(classes) {
        guard let type = reply.u16(offset), let length = reply.u16(offset + 2), length > 0 else { break }
        if type == 3, let number = reply.u16(offset + 6), let kind = reply.u16(offset + 8), kind == 1 || kind == 2,
          let increment = DeviceEventDecoder.fixed(reply, offset + 16)
        {
          axes[Name(device: device, number: Int(number))] = Axis(isHorizontal: kind == 2, increment: increment)
        }
        offset += 4 * Int(length)
      }
    }
    self.init(axes)
  }
}
