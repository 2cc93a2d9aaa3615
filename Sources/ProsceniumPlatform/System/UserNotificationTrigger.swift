public import FoundationEssentials
import Glibc
package import ProsceniumJSON

/// When a notice is shown (UserNotifications' `UNTimeIntervalNotificationTrigger`, `UNCalendarNotificationTrigger`).
///
/// ```swift
/// .after(.seconds(600))
/// // Each workday's morning is five of these; each month's first is DateComponents(day: 1, hour: 9).
/// .matching(DateComponents(hour: 9, minute: 30, weekday: 2), repeats: true)
/// ```
public enum UserNotificationTrigger: Hashable, Sendable {
  /// So long after the notice is added, and, where it repeats, after it is shown; the clock counts, which may be set.
  ///
  /// One that repeats has a minute at least.
  case after(Duration, repeats: Bool = false)
  /// When the machine's calendar and clock show these values in its time zone: `year`, `month`, `day`, `hour`,
  /// `minute`, `second` and `weekday`, from 1 for Sunday, of the Gregorian calendar.
  ///
  /// Parts below the smallest one that is given are at their beginning, and all others have any value:
  /// `DateComponents(hour: 9)` is nine o'clock on any day. A time that a change to daylight saving leaves out is the
  /// moment of that change, and one that comes twice is the first of both. Another zone of the machine moves it.
  case matching(DateComponents, repeats: Bool = false)

  /// Whether the notice is shown again and again.
  public var repeats: Bool {
    switch self {
    case .after(_, let repeats), .matching(_, let repeats): repeats
    }
  }

  /// The next time, in the machine's time zone.
  /// - Parameter date: The time after which it is; now by default.
  /// - Returns: The time; nil where there is none any more.
  public func nextTriggerDate(after date: Date = Date()) -> Date? {
    next(after: date.timeIntervalSince1970).map { Date(timeIntervalSince1970: $0) }
  }

  /// The next time after a time, both in seconds since 1970.
  package func next(after time: Double, offset: (Int) -> Int = MachineZone.offset) -> Double? {
    switch self {
    case .after(let duration, _):
      let (seconds, attoseconds) = duration.components
      return time + Double(seconds) + Double(attoseconds) / 1e18
    case .matching(let components, _):
      guard time.isFinite, abs(time) < 1e11 else { return nil }
      return DateMatch(components)?.next(after: Int(time.rounded(.down)), offset: offset).map { Double($0) }
    }
  }

  /// Why there is no such trigger; nil where there is.
  package var problem: String? {
    switch self {
    case .after(let duration, let repeats):
      if duration <= .zero || duration > .seconds(100 * 366 * 86_400) {
        return "its trigger's time is none of the future"
      }
      return repeats && duration < .seconds(60) ? "its trigger repeats in less than a minute" : nil
    case .matching(let components, _):
      return DateMatch(components) == nil
        ? "its trigger has other parts than year, month, day, hour, minute, second and weekday of the Gregorian calendar, "
          + "none, or one out of range"
        : nil
    }
  }
}

/// The machine's time zone.
package enum MachineZone {
  /// Seconds east of Greenwich at a moment, in seconds since 1970.
  package static func offset(at time: Int) -> Int {
    var (time, parts) = (time_t(time), tm())
    localtime_r(&time, &parts)
    return parts.tm_gmtoff
  }
}

/// Parts of a date and a time that moments may have.
struct DateMatch: Hashable {
  /// The parts by their size, the largest first; a weekday is as large as a day.
  private enum Part: Int, CaseIterable { case year, month, day, hour, minute, second }

  private static let day = 86_400
  /// The longest time between two days of the same date and weekday, in days: the 29th February, over a year like 2100.
  private static let mostDays = 366 * 41

  private var values: [Part: Int] = [:]
  private var weekday: Int?
  private var smallest = Part.year

  /// The parts; nil where there are none, others, or one that no date has.
  init?(_ components: DateComponents) {
    let pairs: [(Part, Int?, ClosedRange<Int>)] = [
      (.year, components.year, 1970...9999), (.month, components.month, 1...12), (.day, components.day, 1...31),
      (.hour, components.hour, 0...23), (.minute, components.minute, 0...59), (.second, components.second, 0...59),
    ]
    for (part, value, range) in pairs {
      guard let value else { continue }
      guard range.contains(value) else { return nil }
      (values[part], smallest) = (value, part)
    }
    weekday = components.weekday
    if let weekday {
      guard (1...7).contains(weekday) else { return nil }
      if smallest.rawValue < Part.day.rawValue { smallest = .day }
    }
    // The same numbers are other days by another calendar.
    if let calendar = components.calendar, ![.gregorian, .iso8601].contains(calendar.identifier) { return nil }
    var rest = components
    (rest.year, rest.month, rest.day, rest.hour, rest.minute, rest.second) = (nil, nil, nil, nil, nil, nil)
    (rest.weekday, rest.calendar) = (nil, nil)
    guard rest == DateComponents(), !values.isEmpty || weekday != nil else { return nil }
  }

  /// The values that a part may have.
  private func range(_ part: Part, _ all: ClosedRange<Int>) -> ClosedRange<Int> {
    if let value = values[part] { return value...value }
    return part.rawValue > smallest.rawValue ? all.lowerBound...all.lowerBound : all
  }

  /// The first moment after another one, both in seconds since 1970; nil where there is none.
  func next(after time: Int, offset: (Int) -> Int) -> Int? {
    let local = time + offset(time)
    let today = local.floorDivided(by: Self.day)
    for number in today...(today + Self.mostDays) where matches(number) {
      for hour in range(.hour, 0...23) {
        for minute in range(.minute, 0...59) {
          for second in range(.second, 0...59) {
            let candidate = number * Self.day + hour * 3600 + minute * 60 + second
            // Earlier times of this day are over.
            guard candidate >= local else { continue }
            let moment = Self.moment(candidate, offset)
            if moment > time { return moment }
          }
        }
      }
    }
    guard let year = values[.year] else { return nil }
    // A year that is far away.
    let first = CivilDay(year: year, month: 1, day: 1).number
    guard first > today + Self.mostDays else { return nil }
    return next(after: Self.moment(first * Self.day, offset) - 1, offset: offset)
  }

  private func matches(_ number: Int) -> Bool {
    let day = CivilDay(number)
    return range(.year, 1...9999).contains(day.year) && range(.month, 1...12).contains(day.month)
      // Any day of the month, where the weekday is given alone.
      && (weekday != nil && values[.day] == nil || range(.day, 1...31).contains(day.day))
      && (weekday == nil || weekday == day.weekday)
  }

  /// The first moment at which the clock shows a local time; the end of the gap, where it never does.
  private static func moment(_ local: Int, _ offset: (Int) -> Int) -> Int {
    let (before, after) = (local - day, local + day)
    let offsets = [offset(before), offset(after)]
    let found = offsets.map { local - $0 }.filter { $0 + offset($0) == local }.min()
    if let found { return found }
    var (low, high) = (before, after)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(middle) == offsets[0] { low = middle } else { high = middle }
    }
    return high
  }
}

/// A day of the Gregorian calendar.
struct CivilDay: Hashable {
  var year: Int
  var month: Int
  var day: Int

  init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

  /// The day of a number, from 0 for the 1st January 1970.
  ///
  /// Counted from the 1st March of the year 0: leap days are the last of their years then, and 400 years have 146,097
  /// days.
  init(_ number: Int) {
    let days = number + 719_468
    let era = days.floorDivided(by: 146_097)
    let ofEra = days - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * ofYear + 2) / 153
    month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    day = ofYear - (153 * fromMarch + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since the 1st January 1970.
  var number: Int {
    let year = month <= 2 ? year - 1 : year
    let era = year.floorDivided(by: 400)
    let yearOfEra = year - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }

  /// From 1 for Sunday to 7 for Saturday; the 1st January 1970 was a Thursday.
  var weekday: Int { (number + 4) - (number + 4).floorDivided(by: 7) * 7 + 1 }
}

extension Int {
  /// The quotient that is rounded down, also below zero.
  fileprivate func floorDivided(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// The form on disk.
extension UserNotificationTrigger {
  package var members: [String: JSONValue] {
    switch self {
    case .after(let duration, let repeats):
      let (seconds, attoseconds) = duration.components
      return ["after": .double(Double(seconds) + Double(attoseconds) / 1e18), "repeats": .bool(repeats)]
    case .matching(let components, let repeats):
      var parts: [String: JSONValue] = [:]
      for (name, part) in Self.parts { parts[name] = components[keyPath: part].map { .int($0) } }
      return ["matching": .object(parts), "repeats": .bool(repeats)]
    }
  }

  package init?(_ members: [String: JSONValue]) {
    let repeats = members["repeats"] == .bool(true)
    switch (members["after"], members["matching"]?.members) {
    case (.double(let seconds)?, _) where abs(seconds) < 1e11: self = .after(.seconds(seconds), repeats: repeats)
    case (.int(let seconds)?, _) where abs(seconds) < 100_000_000_000:
      self = .after(.seconds(seconds), repeats: repeats)
    // Without a part that is not known here it would be another trigger.
    case (_, let parts?) where Self.parts.count { parts[$0.0] != nil } == parts.count:
      var components = DateComponents()
      for (name, part) in Self.parts { if case .int(let value)? = parts[name] { components[keyPath: part] = value } }
      self = .matching(components, repeats: repeats)
    default: return nil
    }
    if problem != nil { return nil }
  }

  private static var parts: [(String, WritableKeyPath<DateComponents, Int?>)] {
    [
      ("year", \.year), ("month", \.month), ("day", \.day), ("hour", \.hour), ("minute", \.minute),
      ("second", \.second), ("weekday", \.weekday),
    ]
  }
}
