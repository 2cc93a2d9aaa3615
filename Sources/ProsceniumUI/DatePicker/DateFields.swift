/// A minute of the Gregorian calendar, as it is written, from the year 1 to the year 9999.
struct DateFields: Hashable, Sendable {
  var year = 2000
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400) ? 29 : 28
    default: 31
    }
  }
}

/// A part of a date or a time that is edited on its own.
enum DatePart: Hashable, Sendable, CaseIterable {
  case year, month, day, hour, minute
  /// The half of the day, of a clock with twelve hours.
  case half
}

extension DateFields {
  /// The numbers that a part may have; with a half of the day, hours are from 1 to 12.
  func range(of part: DatePart, twelveHours: Bool) -> ClosedRange<Int> {
    switch part {
    case .year: 1...9999
    case .month: 1...12
    case .day: 1...Self.days(inMonth: month, of: year)
    case .hour: twelveHours ? 1...12 : 0...23
    case .minute: 0...59
    case .half: 0...1
    }
  }

  func number(of part: DatePart, twelveHours: Bool) -> Int {
    switch part {
    case .year: year
    case .month: month
    case .day: day
    case .hour: twelveHours ? (hour + 11) % 12 + 1 : hour
    case .minute: minute
    case .half: hour / 12
    }
  }

  /// Sets a part to a number, or the nearest that it may have; a day that the month lacks becomes its last one.
  mutating func set(_ part: DatePart, to number: Int, twelveHours: Bool) {
    let range = range(of: part, twelveHours: twelveHours)
    let number = min(max(number, range.lowerBound), range.upperBound)
    switch part {
    case .year: year = number
    case .month: month = number
    case .day: day = number
    case .hour: hour = twelveHours ? number % 12 + hour / 12 * 12 : number
    case .minute: minute = number
    case .half: hour = hour % 12 + number * 12
    }
    day = min(day, Self.days(inMonth: month, of: year))
  }
}
