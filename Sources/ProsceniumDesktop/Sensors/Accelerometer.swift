import ProsceniumLoop

/// An acceleration in metres per square second, gravity included.
struct Acceleration: Hashable, Sendable {
  var (x, y, z) = (0.0, 0.0, 0.0)

  /// The part of the way from this one to another one.
  func moved(towards other: Acceleration, by part: Double) -> Acceleration {
    let way = other - self
    return Acceleration(x: x + way.x * part, y: y + way.y * part, z: z + way.z * part)
  }

  var squaredLength: Double { dot(self) }

  func dot(_ other: Acceleration) -> Double { x * other.x + y * other.y + z * other.z }

  static func - (left: Acceleration, right: Acceleration) -> Acceleration {
    Acceleration(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
  }
}

/// An accelerometer of the kernel (Linux, Documentation/ABI/testing/sysfs-bus-iio: `in_accel_x_raw`,
/// `in_accel_scale`, `in_accel_offset`, `label`).
struct Accelerometer: Hashable, Sendable {
  /// The folder of the kernel's sensors.
  static let folder = "/sys/bus/iio/devices"

  private struct Axis: Hashable {
    /// The file of its value.
    var path: String
    var scale: Double
    var offset: Double
  }

  private static let prefix = "iio:device"
  /// The most sensors of a machine.
  private static let limit = 64
  /// The largest acceleration that is believed, along one axis: 40 g.
  private static let most = 400.0

  private let axes: [Axis]
  /// What the firmware calls it, as `accel-display`.
  private let label: String

  /// The sensor of a folder; nil where it is no accelerometer of three axes with a scale.
  init?(path: String) {
    let names = Set(KernelFile.names(in: path))
    var axes: [Axis] = []
    for axis in ["x", "y", "z"] {
      let name = "in_accel_\(axis)"
      /// The axis' own value, or that of all axes.
      func number(_ what: String) -> Double? {
        // Each is read once: a lazy sequence's `first` reads twice, and the device may go between.
        ["\(name)_\(what)", "in_accel_\(what)"].filter(names.contains)
          .compactMap { Self.number("\(path)/\($0)") }.first
      }
      guard names.contains(name + "_raw"), let scale = number("scale"), scale > 0, scale < Self.most else { return nil }
      axes.append(Axis(path: "\(path)/\(name)_raw", scale: scale, offset: number("offset") ?? 0))
    }
    self.axes = axes
    label = names.contains("label") ? Self.word("\(path)/label") ?? "" : ""
  }

  /// The accelerometer of the machine's screen where it has several; nil where there is none.
  static func main(in folder: String) -> Accelerometer? {
    let numbers = KernelFile.names(in: folder).compactMap { name in
      name.hasPrefix(prefix) ? UInt16(name.dropFirst(prefix.count)) : nil
    }
    let all = numbers.sorted().prefix(limit).compactMap { Accelerometer(path: "\(folder)/\(prefix)\($0)") }
    return all.first { $0.label == "accel-display" } ?? all.first { $0.label != "accel-base" } ?? all.first
  }

  /// The present acceleration; nil where the sensor cannot be read now, or says what cannot be.
  var acceleration: Acceleration? {
    var values: [Double] = []
    for axis in axes {
      guard let raw = Self.number(axis.path) else { return nil }
      let value = (raw + axis.offset) * axis.scale
      // A NaN is in no range.
      guard (-Self.most...Self.most).contains(value) else { return nil }
      values.append(value)
    }
    return Acceleration(x: values[0], y: values[1], z: values[2])
  }

  private static func word(_ path: String) -> String? {
    KernelFile.text(of: path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
  }

  private static func number(_ path: String) -> Double? {
    word(path).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
