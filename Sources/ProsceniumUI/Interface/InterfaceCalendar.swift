import FoundationEssentials
import ProsceniumCore

/// The date of a calendar of an interface file, whose parts may come in any order.
@MainActor struct InterfaceCalendar {
  let builder: InterfaceBuilder

  /// The date that an element says; the first month is 0, and a day of 0 is none.
  /// - Parameters:
  ///   - element: The calendar.
  ///   - present: What counts for the parts that it does not say.
  /// - Returns: The date.
  /// - Throws: The part that is no number of its kind, with its line.
  func date(of element: InterfaceElement, _ present: Date) throws(InterfaceError) -> Date {
    var fields = DateFields(present)
    for property in element.children {
      switch property.propertyName {
      case "year": fields.year = try number(property, 1...9999)
      case "month": fields.month = try number(property, 0...11) + 1
      case "day":
        let day = try number(property, 0...31)
        if day > 0 { fields.day = day }
      default: break
      }
    }
    fields.day = min(fields.day, DateFields.days(inMonth: fields.month, of: fields.year))
    return fields.date
  }

  private func number(_ property: InterfaceElement, _ range: ClosedRange<Int>) throws(InterfaceError) -> Int {
    guard let value = Int(InterfaceProperty.trimmed(property.text)), range.contains(value) else {
      throw builder.invalid(property, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }
}
