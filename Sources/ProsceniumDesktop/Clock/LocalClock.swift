import Glibc
import ProsceniumPlatform

/// The clock and the time zone of the machine, by the C library, because FoundationEssentials has no time zones on
/// Linux.
struct LocalClock {
  /// The folder of the file of the zone, which counts unless the environment names a zone.
  let directory: String
  /// Reads the clock, in seconds since 1970.
  var clock: () -> Double = { seconds(CLOCK_REALTIME) }

  /// The reading of a moment, in the present zone.
  func reading(at time: Int, skew: Double, zone: String) -> CivilTime {
    let parts = Self.parts(time)
    let offset = parts.tm_gmtoff
    return CivilTime(day: (time + offset) / 86400, offset: offset, zone: zone, skew: skew)
  }

  var now: Int { Int(clock()) }

  /// The clock less the time since the machine was started, sleep included, in seconds.
  var skew: Double { clock() - Self.seconds(CLOCK_BOOTTIME) }

  /// A text that is another one for each zone.
  var zone: String {
    if let named = getenv("TZ") { return String(cString: named) }
    let path = directory + "/localtime"
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    if count > 0 { return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    // A copy of the zone's file instead of a link to it: each copy is taken for another zone.
    var status = stat()
    guard stat(path, &status) == 0 else { return "" }
    return "\(status.st_dev).\(status.st_ino).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// Whether the zone can change while the program runs.
  var followsMachine: Bool { getenv("TZ") == nil }

  /// The next moment at which the day or the offset is another one.
  func nextChange(after time: Int) -> Int {
    var midnight = Self.parts(time)
    let offset = midnight.tm_gmtoff
    midnight.tm_mday += 1
    (midnight.tm_hour, midnight.tm_min, midnight.tm_sec, midnight.tm_isdst) = (0, 0, 0, -1)
    let next = mktime(&midnight)
    // Some zones skip a midnight. A time that cannot be computed is tried again in an hour.
    guard next > time else { return time + 3600 }
    guard Self.parts(next).tm_gmtoff != offset else { return next }
    var (before, after) = (time, next)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if Self.parts(middle).tm_gmtoff == offset { before = middle } else { after = middle }
    }
    return after
  }

  private static func parts(_ time: Int) -> tm {
    var time = time
    var parts = tm()
    localtime_r(&time, &parts)
    return parts
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
