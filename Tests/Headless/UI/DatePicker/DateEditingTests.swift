import FoundationEssentials
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Dates that are edited part by part.
  @MainActor @Suite("Editing of dates") struct DateEditingTests {
    private func editing(
      _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0,
      _ parts: [DatePart] = [.year, .month, .day], twelveHours: Bool = false
    ) -> DateEditing {
      DateEditing(
        DateFields(year: year, month: month, day: day, hour: hour, minute: minute), parts, twelveHours: twelveHours)
    }

    private func date(_ editing: DateEditing) -> [Int] {
      [editing.fields.year, editing.fields.month, editing.fields.day]
    }

    @Test("Each month of each kind of year has its days")
    func days() {
      let plain = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (year, february) in [
        (1900, 28), (2000, 29), (2023, 28), (2024, 29), (2100, 28), (2400, 29), (4, 29), (1, 28),
      ] {
        for month in 1...12 {
          #expect(DateFields.days(inMonth: month, of: year) == (month == 2 ? february : plain[month - 1]))
        }
      }
    }

    @Test("Every step of every part of every day of two years leaves a day that there is, and changes that part alone")
    func grid() {
      for year in [2023, 2024] {
        for month in 1...12 {
          for day in 1...DateFields.days(inMonth: month, of: year) {
            for part in 0..<3 {
              for step in [-1, 1] {
                var one = editing(year, month, day)
                one.select(part)
                one.step(by: step)
                let fields = one.fields
                let most = DateFields.days(inMonth: fields.month, of: fields.year)
                switch part {
                case 0: #expect(fields.year == year + step && fields.month == month && fields.day == min(day, most))
                case 1:
                  #expect(fields.year == year && fields.month == (month - 1 + step + 12) % 12 + 1)
                  #expect(fields.day == min(day, most))
                default:
                  #expect(
                    fields.year == year && fields.month == month && fields.day == (day - 1 + step + most) % most + 1)
                }
              }
            }
          }
        }
      }
    }

    @Test("Every number that is typed into every part is that number, or the nearest one that there is")
    func typing() {
      for part in DatePart.allCases where part != .half {
        for twelveHours in [false, true] {
          let most = part == .year ? 9999 : 99
          for number in stride(from: 0, through: most, by: part == .year ? 37 : 1) {
            let parts = [part, part == .minute ? .hour : .minute]
            var one = editing(2024, 3, 31, 15, 59, parts, twelveHours: twelveHours)
            let digits = part == .year ? 4 : 2
            let text = String(repeating: "0", count: digits - "\(number)".count) + "\(number)"
            for digit in text.compactMap(\.wholeNumberValue) where one.selection == 0 { one.type(digit) }
            let range = DateFields(year: 2024, month: 3).range(of: part, twelveHours: twelveHours)
            // A first digit that no other one can follow ends the part: what comes after it is the next part's.
            let first = number / 10
            let number = digits == 2 && first * 10 > range.upperBound ? first : number
            #expect(
              one.fields.number(of: part, twelveHours: twelveHours)
                == min(max(number, range.lowerBound), range.upperBound), "\(part), \(text)")
            #expect(one.typed == "" && one.selection == 1)
          }
        }
      }
    }

    @Test("Typed digits wait for more, are shown at once, and count when the part is left")
    func waiting() {
      var one = editing(2024, 12, 31)
      for digit in [2, 0] { one.type(digit) }
      #expect(one.text(of: 0) == "0020" && one.fields.year == 2024 && one.selection == 0)
      one.deleteBackward()
      #expect(one.text(of: 0) == "0002")
      one.type(3)
      #expect(one.move(by: 1) && one.fields.year == 2023)
      one.type(1)
      #expect(one.text(of: 1) == "01" && one.fields.month == 12)
      one.step(by: 1)
      #expect(date(one) == [2023, 2, 28] && one.selection == 1)
      one.type(0)
      one.deleteBackward()
      one.deleteBackward()
      one.commit()
      #expect(date(one) == [2023, 2, 28] && one.text(of: 1) == "02")
      // No part before the first one, and none after the last.
      #expect(one.move(by: 1) && !one.move(by: 1) && one.move(by: -2) && !one.move(by: -1))
      one.type(-1)
      one.type(10)
      #expect(one.typed == "")
      one.select(.max)
      #expect(one.selection == 2)
      one.select(.min)
      #expect(one.selection == 0)
    }

    @Test("A day that another month or year lacks becomes its last one")
    func shortMonths() {
      var one = editing(2024, 1, 31)
      _ = one.move(by: 1)
      for expected in [29, 29, 29] {
        one.step(by: 1)
        #expect(one.fields.day == expected)
      }
      one = editing(2024, 2, 29)
      one.step(by: 1)
      #expect(date(one) == [2025, 2, 28])
      one = editing(2024, 5, 31)
      _ = one.move(by: 1)
      one.type(4)
      #expect(date(one) == [2024, 4, 30])
    }

    @Test("Every hour of a clock with twelve hours is the one of the day, and its half is a part of its own")
    func halves() {
      for hour in 0..<24 {
        var one = editing(2024, 1, 1, hour, 0, [.hour, .half], twelveHours: true)
        #expect(one.text(of: 0) == (hour % 12 == 0 ? "12" : hour % 12 < 10 ? "0\(hour % 12)" : "\(hour % 12)"))
        one.step(by: 1)
        #expect(one.fields.hour == hour / 12 * 12 + (hour + 1) % 12)
        one.step(by: -1)
        one.setHalf(1)
        #expect(one.fields.hour == hour)
        _ = one.move(by: 1)
        one.type(1)
        one.step(by: 1)
        #expect(one.fields.hour == (hour + 12) % 24)
        one.setHalf(0)
        #expect(one.fields.hour == hour % 12)
      }
    }

    @Test("Without parts nothing happens")
    func empty() {
      var one = editing(2024, 1, 1, 0, 0, [])
      one.type(1)
      one.step(by: 1)
      one.setHalf(1)
      one.commit()
      one.select(3)
      #expect(!one.move(by: 1) && one.fields == DateFields(year: 2024))
    }

    // MARK: Forms

    @Test("The order is that of the region's example, or year, month and day where it says none")
    func forms() {
      func form(_ example: String) -> String {
        DateForm.pieces(ofDate: example).map { piece in
          switch piece {
          case .text(let text): text
          case .part(let part): part == .year ? "Y" : part == .month ? "M" : "D"
          }
        }.joined()
      }
      let examples = [
        ("22.11.2033", "D.M.Y"), ("11/22/33", "M/D/Y"), ("2033-11-22", "Y-M-D"), ("22. 11. 2033", "D. M. Y"),
        ("2033年11月22日", "Y年M月D日"), ("22/11/33", "D/M/Y"), ("", "Y-M-D"), ("22.11.", "Y-M-D"),
        ("۱۴۱۲/۰۹/۰۱", "Y-M-D"), ("1412/09/01", "Y-M-D"), ("22.11.2033 47", "Y-M-D"), ("22 22 11 33", "Y-M-D"),
      ]
      for (example, expected) in examples { #expect(form(example) == expected, "\(example)") }
    }

    @Test("Fields of each day of many years come back from their moments, and no moment is too far away")
    func moments() {
      for year in [1, 1583, 1900, 1969, 1970, 2024, 2038, 9999] {
        for month in 1...12 {
          let fields = DateFields(year: year, month: month, day: 15, hour: 12, minute: 34)
          #expect(DateFields(fields.date) == fields)
        }
      }
      for seconds in [-Double.infinity, -1e300, 1e300, .infinity, .nan] {
        #expect(1...9999 ~= DateFields(Date(timeIntervalSince1970: seconds)).year)
      }
    }
  }
}
