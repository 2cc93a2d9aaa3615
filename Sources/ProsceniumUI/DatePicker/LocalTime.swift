import FoundationEssentials
import Glibc

/// Conversion to and from moments, in the machine's time zone.
extension DateFields {
  /// The moments that have fields in every time zone, in seconds.
  private static let moments = -62_135_424_000.0...253_402_128_000

  /// The seconds of a moment; of one that is too far away, those of the nearest that is not.
  private static func seconds(_ date: Date) -> Double {
    let seconds = date.timeIntervalSince1970
    return (seconds.isNaN ? 0 : min(max(seconds, moments.lowerBound), moments.upperBound)).rounded(.down)
  }

  /// The minute of a moment; one that is too far away is the nearest that is not.
  init(_ date: Date) {
    var (time, parts) = (time_t(Self.seconds(date)), tm())
    localtime_r(&time, &parts)
    self.init(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min))
  }

  /// The moment at which the minute begins; one that a change of the clock leaves out is an hour away.
  var date: Date { date(isSummerTime: -1) }

  /// The moment at which the minute begins; of one that a change of the clock repeats, that with the other's time.
  /// - Parameter other: A moment.
  /// - Returns: The moment.
  func date(as other: Date) -> Date {
    var (time, parts) = (time_t(Self.seconds(other)), tm())
    localtime_r(&time, &parts)
    let date = date(isSummerTime: parts.tm_isdst)
    return DateFields(date) == self ? date : self.date
  }

  /// - Parameter isSummerTime: Whether the clock is ahead, as mktime(3) has it: 1, or 0; -1 where it is not known.
  /// - Returns: The moment.
  private func date(isSummerTime: Int32) -> Date {
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_isdst = isSummerTime
    return Date(timeIntervalSince1970: Double(mktime(&parts)))
  }
}
