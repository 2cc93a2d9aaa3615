import FoundationEssentials
import Glibc

/// Conversion to and from moments, in the machine's time zone.
extension DateFields {
  /// The moments that have fields in every time zone, in seconds.
  private static let moments = -62_135_424_000.0...253_402_128_000

  /// The minute of a moment; one that is too far away is the nearest that is not.
  init(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    let near = seconds.isNaN ? 0 : min(max(seconds, Self.moments.lowerBound), Self.moments.upperBound)
    var (time, parts) = (time_t(near.rounded(.down)), tm())
    localtime_r(&time, &parts)
    self.init(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min))
  }

  /// The moment at which the minute begins; one that a change of the clock leaves out is an hour away.
  var date: Date {
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_isdst = -1
    return Date(timeIntervalSince1970: Double(mktime(&parts)))
  }
}
