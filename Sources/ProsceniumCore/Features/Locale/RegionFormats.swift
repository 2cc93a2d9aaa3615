import Glibc

/// The formats of a region, by the C library's data (locale(5)); those of `C` where it has none.
final class RegionFormats {
  private let locale: locale_t?

  init(_ region: String) {
    // The categories' numbers are the bits of the mask (locale.h).
    let mask = Int32(1 << LC_TIME | 1 << LC_NUMERIC | 1 << LC_CTYPE)
    for name in Self.names(of: RegionCalendar.withoutCalendar(region)) {
      guard let locale = newlocale(mask, name, nil) else { continue }
      if let encoding = nl_langinfo_l(nl_item(CODESET), locale), String(cString: encoding) == "UTF-8" {
        self.locale = locale
        return
      }
      freelocale(locale)
    }
    locale = newlocale(mask, "C", nil)
  }

  /// The names under which the C library may have a region's data in UTF-8, the best one first.
  ///
  /// The user's encoding is that of terminals and of old files; texts of this process are UTF-8.
  static func names(of region: String) -> [String] {
    let base = region.prefix { $0 != "." && $0 != "@" }
    guard !["", "C", "POSIX"].contains(base) else { return [] }
    let variant = region.firstIndex(of: "@").map { region[$0...] } ?? ""
    // A region such as `sr_RS@latin` has no other encoding.
    return variant.isEmpty
      ? ["\(base).UTF-8", "\(base)"] : ["\(base).UTF-8\(variant)", "\(base)\(variant)", "\(base).UTF-8"]
  }

  deinit { if let locale { freelocale(locale) } }

  /// A text of the region's; empty where there is none.
  private func text(_ item: Int) -> String {
    guard let locale, let text = nl_langinfo_l(nl_item(item), locale) else { return "" }
    return String(cString: text)
  }

  /// The first day of the week, from 1 for Sunday to 7 for Saturday.
  var firstWeekday: Int {
    // One byte, counted from the weekday of a date that glibc has in all its regions: Sunday, the 30th November 1997.
    guard let locale, let first = nl_langinfo_l(nl_item(_NL_TIME_FIRST_WEEKDAY), locale)?.pointee else { return 1 }
    return (1...7).contains(first) ? Int(first) : 1
  }

  /// Whether the usual form of a time has twelve hours; some regions have that form, and do not use it.
  var usesTwelveHourClock: Bool {
    let form = text(T_FMT)
    return ["%r", "%I", "%l", "%p", "%P"].contains { form.contains($0) }
  }

  /// The separator of the fraction, and that of groups of digits; the latter may be empty.
  var separators: (fraction: String, group: String) { (text(RADIXCHAR), text(THOUSEP)) }

  /// The groups of digits before the fraction.
  var groups: DigitGroups {
    guard let locale, let sizes = nl_langinfo_l(nl_item(__GROUPING), locale) else { return DigitGroups([]) }
    return DigitGroups(String(cString: sizes).utf8)
  }

  /// The texts for the halves of the day.
  var halves: (before: String, after: String) {
    let (before, after) = (text(AM_STR), text(PM_STR))
    return before.isEmpty || after.isEmpty ? ("AM", "PM") : (before, after)
  }

  /// A moment in the machine's time zone, in a form of strftime(3).
  func text(of time: Int, _ form: String) -> String {
    guard let locale else { return "" }
    var (time, parts) = (time, tm())
    localtime_r(&time, &parts)
    var bytes = [CChar](repeating: 0, count: 256)
    let count = strftime_l(&bytes, bytes.count, form, &parts, locale)
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// How the digits of whole numbers are grouped, as localeconv(3) has it: the sizes from the right.
struct DigitGroups: Equatable {
  private let sizes: [Int]
  /// Whether the last size holds for all further groups; else there are none.
  private let repeats: Bool

  /// - Parameter grouping: The sizes; `CHAR_MAX`, or a size that is none, ends them.
  init(_ grouping: some Sequence<UInt8>) {
    let all = grouping.map { Int($0) }
    sizes = Array(all.prefix { (1..<Int(CChar.max)).contains($0) })
    repeats = sizes.count == all.count
  }

  /// The digits with a text between two groups.
  func text(of digits: String, separator: String) -> String {
    guard var size = sizes.first, !separator.isEmpty else { return digits }
    var (rest, groups, next) = (digits[...], [Substring](), 1)
    while rest.count > size {
      groups.append(rest.suffix(size))
      rest = rest.dropLast(size)
      if next < sizes.count { size = sizes[next] } else if !repeats { break }
      next += 1
    }
    return ([rest] + groups.reversed()).joined(separator: separator)
  }
}
