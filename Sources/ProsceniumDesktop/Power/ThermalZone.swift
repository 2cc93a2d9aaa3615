import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// A thermal zone of the kernel, with the temperatures at which it acts, in thousandths of a degree Celsius (Linux,
/// Documentation/driver-api/thermal/sysfs-api.rst).
struct ThermalZone: Hashable, Sendable {
  /// The folder of all zones.
  static let folder = "/sys/class/thermal"
  /// The most zones, and the most trip points of one.
  private static let limit = 64
  /// How far below a temperature at which the kernel acts the machine counts as close to it.
  private static let margin = 5000
  /// How far the temperature has to fall below a limit until it counts as below, so that it does not go to and fro.
  private static let hysteresis = 3000
  /// Anything else is no temperature of a machine that runs: firmware has trip points at zero and below.
  private static let plausible = 1...200_000

  /// The zone's folder.
  var path: String
  /// The lowest temperature of each state above ``ThermalState/nominal``, as far as the zone has it.
  var limits: [ThermalState: Int] = [:]

  /// A zone with the trip points of its folder; nil where no state follows from them.
  init?(path: String) {
    self.path = path
    for number in 0..<Self.limit {
      guard let type = Self.word(path + "/trip_point_\(number)_type") else { break }
      guard let temperature = Self.temperature(path + "/trip_point_\(number)_temp") else { continue }
      switch type {
      // The kernel makes the machine slower.
      case "passive":
        lower(.serious, to: temperature)
        lower(.fair, to: temperature - Self.margin)
      // It turns fans on.
      case "active": lower(.fair, to: temperature)
      // It warns, and it switches the machine off.
      case "hot": lower(.critical, to: temperature)
      case "critical": lower(.critical, to: temperature - Self.margin)
      case _: break
      }
    }
    if limits.isEmpty { return nil }
  }

  private mutating func lower(_ state: ThermalState, to temperature: Int) {
    limits[state] = min(limits[state] ?? .max, temperature)
  }

  /// The zones of a folder that say anything.
  static func all(in folder: String) -> [ThermalZone] {
    let names = KernelFile.names(in: folder).filter { $0.hasPrefix("thermal_zone") }
    return names.sorted().prefix(limit).compactMap { ThermalZone(path: "\(folder)/\($0)") }
  }

  /// The present temperature; nil where the sensor has none, or an impossible one.
  var temperature: Int? { Self.temperature(path + "/temp") }

  private static func temperature(_ path: String) -> Int? {
    word(path).flatMap { Int($0) }.flatMap { plausible.contains($0) ? $0 : nil }
  }

  private static func word(_ path: String) -> String? {
    KernelFile.text(of: path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
  }

  /// The state of the zone at a temperature.
  /// - Parameters:
  ///   - temperature: The temperature; nil where it is unknown.
  ///   - before: The state until now.
  /// - Returns: The highest state whose limit is reached, or has not been left by far enough.
  func state(at temperature: Int?, after before: ThermalState) -> ThermalState {
    guard let temperature else { return .nominal }
    let reached = limits.filter { temperature >= $0.value - ($0.key <= before ? Self.hysteresis : 0) }
    return reached.keys.max() ?? .nominal
  }
}
