public import FoundationEssentials

/// Writes times, dates and numbers as the user wants them, by ``LocaleSettings/current`` at the time of the call.
///
/// ```swift
/// label.text = LocaleFormatter.time(of: Date())
/// ```
///
/// Write texts again when ``Application/LocaleDidChangeMessage`` is posted. The forms are those of the C library's data
/// of the region; where that is not installed, they are those of `C`. The C library's own locale does not change.
@MainActor public enum LocaleFormatter {
  /// The data of the regions that were used last: one for times, and one for numbers.
  private static var last: [(region: String, formats: RegionFormats)] = []

  private static func formats(_ region: String) -> RegionFormats {
    if let known = last.first(where: { $0.region == region }) { return known.formats }
    let formats = RegionFormats(region)
    last = last.suffix(1) + [(region, formats)]
    return formats
  }

  /// The time of day in hours and minutes, in the machine's time zone: `15:04`, or `3:04 PM`.
  /// - Parameter date: The moment; one that is too far away for the machine is the nearest that is not.
  /// - Returns: The text.
  public static func time(of date: Date) -> String {
    let settings = LocaleSettings.current
    let formats = formats(settings.region)
    let seconds = seconds(date)
    guard settings.usesTwelveHourClock else { return formats.text(of: seconds, "%H:%M") }
    let clock = formats.text(of: seconds, "%I:%M")
    let isAfternoon = formats.text(of: seconds, "%H") >= "12"
    let half = isAfternoon ? formats.halves.after : formats.halves.before
    return (clock.hasPrefix("0") ? String(clock.dropFirst()) : clock) + " " + half
  }

  /// The date in the region's short form, in the machine's time zone.
  /// - Parameter date: The moment; one that is too far away for the machine is the nearest that is not.
  /// - Returns: The text.
  public static func date(of date: Date) -> String {
    formats(LocaleSettings.current.region).text(of: seconds(date), "%x")
  }

  /// A number as ``LocaleSettings/numberRegion`` has it: `1,234,567.5`, or `12,34,567.5` in India.
  /// - Parameters:
  ///   - number: The number.
  ///   - fractionDigits: How many digits its fraction has, from 0 to 15.
  /// - Returns: The text; infinity and NaN, and numbers from 10^15 on, as Swift writes them.
  public static func number(_ number: Double, fractionDigits: Int = 0) -> String {
    let digits = min(max(fractionDigits, 0), 15)
    guard abs(number) < 1e15 else { return "\(number)" }
    let formats = formats(LocaleSettings.current.numberRegion)
    let (fraction, group) = formats.separators
    let scale = (0..<digits).reduce(Int128(1)) { power, _ in power * 10 }
    // The double's own value times a power of ten may be no double: the whole part is taken apart first.
    let whole = abs(number).rounded(.down)
    let rest = Int128(((abs(number) - whole) * Double(scale)).rounded())
    let total = Int128(whole) * scale + rest
    let (left, right) = ("\(total / scale)", "\(total % scale)")
    let grouped = formats.groups.text(of: left, separator: group)
    let sign = number < 0 && total > 0 ? "-" : ""
    guard digits > 0 else { return sign + grouped }
    return sign + grouped + fraction + String(repeating: "0", count: digits - right.count) + right
  }

  private static func seconds(_ date: Date) -> Int {
    // A year that the C library's `int` has.
    Int(min(max(date.timeIntervalSince1970, -6e10), 2.5e11).rounded(.down))
  }
}
