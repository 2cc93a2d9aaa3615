import FoundationEssentials
import Testing

@testable import ProsceniumPlatform

/// The times of triggers by the calendar: in a zone with daylight saving, and without one.
@Suite("Times of triggers") struct TriggerTimeTests {
  private static let (spring, autumn) = (at(2026, 3, 29, 1), at(2026, 10, 25, 1))

  private static func at(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> Int {
    CivilDay(year: year, month: month, day: day).number * 86_400 + hour * 3600 + minute * 60
  }

  /// As in Berlin in 2026: an hour east of Greenwich, two from the spring to the autumn.
  private static func berlin(_ time: Int) -> Int { time >= spring && time < autumn ? 7200 : 3600 }

  private static func next(_ components: DateComponents, _ time: Int, _ offset: (Int) -> Int = { _ in 0 }) -> Int? {
    DateMatch(components)?.next(after: time, offset: offset)
  }

  @Test("Each day from 1600 to 2400 has its date, and its weekday follows that of the day before")
  func days() {
    var (last, weekday) = (CivilDay(year: 1599, month: 12, day: 31), CivilDay(year: 1599, month: 12, day: 31).weekday)
    for number in CivilDay(year: 1600, month: 1, day: 1).number...CivilDay(year: 2400, month: 12, day: 31).number {
      let day = CivilDay(number)
      guard day.number == number, day.weekday == weekday % 7 + 1 else { return #expect(Bool(false), "\(day)") }
      let isNext =
        day.day == last.day + 1 && day.month == last.month && day.year == last.year
        || day.day == 1 && (28...31).contains(last.day)
          && (day.month == last.month + 1 && day.year == last.year
            || day.month == 1 && last.month == 12 && day.year == last.year + 1)
      guard isNext else { return #expect(Bool(false), "\(day) after \(last)") }
      (last, weekday) = (day, day.weekday)
    }
    #expect(CivilDay(0) == CivilDay(year: 1970, month: 1, day: 1) && CivilDay(0).weekday == 5)
    #expect(CivilDay(year: 2026, month: 11, day: 27).weekday == 6)
  }

  @Test("Larger parts have any value, smaller ones their first")
  func parts() {
    let now = Self.at(2026, 11, 27, 10, 30)
    let cases: [(DateComponents, Int?)] = [
      (DateComponents(hour: 9), Self.at(2026, 11, 28, 9)), (DateComponents(hour: 11), Self.at(2026, 11, 27, 11)),
      (DateComponents(hour: 10), Self.at(2026, 11, 28, 10)),
      (DateComponents(hour: 10, minute: 30), Self.at(2026, 11, 28, 10, 30)),
      (DateComponents(minute: 30), Self.at(2026, 11, 27, 11, 30)), (DateComponents(second: 7), now + 7),
      (DateComponents(minute: 31, second: 0), now + 60), (DateComponents(weekday: 6), Self.at(2026, 12, 4)),
      (DateComponents(hour: 9, weekday: 2), Self.at(2026, 11, 30, 9)), (DateComponents(day: 31), Self.at(2026, 12, 31)),
      (DateComponents(month: 2, day: 29), Self.at(2028, 2, 29)),
      (DateComponents(month: 2, day: 29, weekday: 3), Self.at(2028, 2, 29)),
      (DateComponents(month: 2, day: 29, weekday: 1), Self.at(2032, 2, 29)),
      (DateComponents(month: 2, day: 30), nil), (DateComponents(year: 2026), nil),
      (DateComponents(year: 2027), Self.at(2027, 1, 1)), (DateComponents(year: 2500, day: 3), Self.at(2500, 1, 3)),
      (DateComponents(year: 2026, month: 11, day: 27, hour: 10, minute: 30), nil),
      (DateComponents(year: 2026, month: 11, day: 27, hour: 10, minute: 31), now + 60),
      (DateComponents(month: 6), Self.at(2027, 6, 1)), (DateComponents(day: 1, minute: 5), Self.at(2026, 12, 1, 0, 5)),
    ]
    var dated = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSince1970: 0))
    (dated.year, dated.hour) = (2027, 8)
    let more = [dated, DateComponents(calendar: Calendar(identifier: .gregorian), hour: 9)]
    #expect(more.map { Self.next($0, now) } == [Self.at(2027, 1, 1, 8), Self.at(2026, 11, 28, 9)])
    for (components, expected) in cases { #expect(Self.next(components, now) == expected, "\(components)") }
    let once = UserNotificationTrigger.matching(DateComponents(year: 2026, month: 1, day: 1))
    #expect(once.next(after: Double(now), offset: { _ in 0 }) == nil && once.problem == nil)
    #expect(UserNotificationTrigger.after(.milliseconds(1500)).next(after: 10) == 11.5)
    let date = Date(timeIntervalSince1970: Double(now))
    #expect(UserNotificationTrigger.after(.seconds(5)).nextTriggerDate(after: date) == date + 5)
  }

  @Test("A time that a change of the clock leaves out is the moment of the change, one that comes twice is the first")
  func daylightSaving() {
    let (halfPastTwo, oneAndHalf) = (DateComponents(hour: 2, minute: 30), 5400)
    #expect(Self.next(halfPastTwo, Self.spring - oneAndHalf, Self.berlin) == Self.spring)
    #expect(Self.next(halfPastTwo, Self.spring, Self.berlin) == Self.at(2026, 3, 30, 0, 30))
    #expect(Self.next(halfPastTwo, Self.autumn - oneAndHalf, Self.berlin) == Self.autumn - 1800)
    // Not once more an hour later.
    #expect(Self.next(halfPastTwo, Self.autumn - 1800, Self.berlin) == Self.at(2026, 10, 26, 1, 30))
    #expect(Self.next(halfPastTwo, Self.autumn, Self.berlin) == Self.at(2026, 10, 26, 1, 30))
  }

  /// The first minute after a time that a trigger means, found by looking at each.
  private static func search(_ components: DateComponents, _ time: Int) -> Int? {
    func matches(_ local: Int) -> Bool {
      let (day, second) = (CivilDay(local / 86_400), local % 86_400)
      return (components.weekday.map { $0 == day.weekday } ?? true) && (components.day.map { $0 == day.day } ?? true)
        && (components.hour.map { $0 == second / 3600 } ?? true)
        && (components.minute ?? 0) == second % 3600 / 60
    }
    for minute in (time / 60 + 1)...(time / 60 + 32 * 1440) {
      let moment = minute * 60
      let local = moment + berlin(moment)
      // The second time.
      if moment >= autumn, moment < autumn + 3600 { continue }
      if matches(local) { return moment }
      if moment == spring, (local / 60 - 60..<local / 60).contains(where: { matches($0 * 60) }) { return moment }
    }
    return nil
  }

  @Test(
    "The next time is the one that a search of all minutes finds, around both changes of the clock",
    arguments: [
      DateComponents(hour: 2, minute: 30), DateComponents(hour: 2, minute: 0), DateComponents(minute: 15),
      DateComponents(hour: 3, minute: 0), DateComponents(hour: 0, minute: 59),
      DateComponents(hour: 2, minute: 10, weekday: 1), DateComponents(day: 25, hour: 2, minute: 45),
    ])
  func grid(components: DateComponents) {
    for change in [Self.spring, Self.autumn] {
      for time in stride(from: change - 7200, through: change + 7200, by: 1260) {
        #expect(Self.next(components, time, Self.berlin) == Self.search(components, time), "\(time - change)")
      }
    }
  }
}
