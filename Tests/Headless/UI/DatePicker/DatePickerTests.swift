import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What keys and presses do to a date, and what is shown of it.
  @MainActor @Suite("Date pickers") struct DatePickerTests {
    private let frame = Rect(x: 10, y: 10, width: 200, height: 30)
    private let first = DateFields(year: 2024, month: 1, day: 31, hour: 15, minute: 5)

    private func fields(_ view: DatePicker) -> [Int] {
      let fields = DateFields(view.date)
      return [fields.year, fields.month, fields.day, fields.hour, fields.minute]
    }

    /// A picker for the region of the tests, which is C: month, day, year, and 24 hours.
    private func made(_ mode: DatePicker.Mode = .date) throws -> (DatePicker, UIStage, EventRecord) {
      let view = DatePicker(first.date, mode: mode)
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.program.machine.chooseFormats(region: "C", usesTwelveHourClock: false)
      stage.settle()
      view.becomeFirstResponder()
      return (view, stage, record)
    }

    @Test("Digits, arrows and Tab edit part by part, and each change is told of once")
    func keys() throws {
      let (view, stage, record) = try made(.dateAndTime)
      stage.type("2")
      #expect(fields(view) == [2024, 2, 29, 15, 5] && record.take() == ["value", "primary"])
      stage.type("07")
      #expect(fields(view) == [2024, 2, 7, 15, 5] && record.take() == ["value", "primary"])
      stage.type("2031")
      #expect(fields(view) == [2031, 2, 7, 15, 5] && record.take() == ["value", "primary"])
      stage.send(.type(KeySymbol.up))
      stage.send(.type(KeySymbol.right), .type(KeySymbol.down))
      #expect(fields(view) == [2031, 2, 7, 16, 4] && record.take() == ["value", "primary", "value", "primary"])
      stage.send(.type(KeySymbol.home))
      stage.type("1")
      #expect(fields(view)[1] == 1 && record.take() == [])
      stage.send(.type(KeySymbol.tab, "\t"))
      #expect(fields(view)[1] == 1 && record.take() == ["value", "primary"] && view.isFirstResponder)
      stage.send(.type(KeySymbol.backTab), .type(KeySymbol.up))
      #expect(fields(view)[1] == 2)
      stage.send(.type(KeySymbol.end), .type(KeySymbol.left), .type(KeySymbol.up))
      #expect(fields(view)[3] == 17)
      _ = record.take()
      stage.type("xyz")
      stage.send(.type(KeySymbol.up, "", .control), .type(KeySymbol.backspace), .type(KeySymbol.escape, "escape"))
      #expect(record.take() == [] && stage.scene?.heard == ["x", "y", "z", "", "escape"])
    }

    @Test("A separator ends the part that is typed, whichever it is; behind a part that is complete it is its own")
    func separators() throws {
      for typed in ["1/5/2001", "01/05/2001", "1.5.2001", "1-5-2001", "1 5 2001", "1, 5, 2001", "1/05/1/"] {
        let (view, stage, _) = try made(.dateAndTime)
        stage.type(typed)
        view.resignFirstResponder()
        #expect(fields(view) == [2001, 1, 5, 15, 5] && stage.scene?.heard == [], "\(typed)")
      }
      for typed in ["10/11/2003 9:7", "10/11/2003 09:07", "10112003  9.7:"] {
        let (view, stage, _) = try made(.dateAndTime)
        stage.type(typed)
        view.resignFirstResponder()
        #expect(fields(view) == [2003, 10, 11, 9, 7] && stage.scene?.heard == [], "\(typed)")
      }
      let (view, stage, record) = try made(.time)
      stage.type("1")
      // That of the number pad.
      stage.send(.type(0xFFAE, "."))
      #expect(record.take() == ["value", "primary"])
      stage.type("05")
      #expect(fields(view) == [2024, 1, 31, 1, 5])
      stage.send(.type(0x2E, ".", .control))
      stage.type("x")
      #expect(stage.scene?.heard == [".", "x"])
    }

    @Test("Tab leaves it from the last part, and Shift-Tab from the first; what is typed counts then")
    func tab() throws {
      let view = DatePicker(first.date)
      let buttons = [Button("Before"), Button("After")]
      let stage = try UIStage(
        StackView(.vertical, [buttons[0], view, buttons[1]]), Rect(x: 0, y: 0, width: 200, height: 200))
      view.becomeFirstResponder()
      for _ in 0..<2 { stage.send(.type(KeySymbol.tab, "\t")) }
      stage.type("19")
      #expect(view.isFirstResponder && fields(view)[0] == 2019)
      stage.send(.type(KeySymbol.tab, "\t"))
      #expect(buttons[1].isFirstResponder && fields(view)[0] == 2019)
      view.becomeFirstResponder()
      stage.send(.type(KeySymbol.backTab))
      #expect(buttons[0].isFirstResponder)
    }

    @Test("Whoever reads the date while it is typed gets what is shown, and the events come when the part is left")
    func read() throws {
      let (view, stage, record) = try made()
      stage.type("0115")
      _ = record.take()
      stage.type("27")
      #expect(fields(view) == [2027, 1, 15, 15, 5] && record.take() == [])
      #expect(view.restorationValue as? Date == view.date)
      view.resignFirstResponder()
      #expect(fields(view) == [2027, 1, 15, 15, 5] && record.take() == ["value", "primary"])
    }

    @Test("What the program sets while a date is edited leaves the part selected")
    func setWhileEdited() throws {
      let (view, stage, _) = try made()
      view.addAction(for: .valueChanged) { [weak view] in if let view { view.date = view.date } }
      stage.send(.type(KeySymbol.right), .type(KeySymbol.up), .type(KeySymbol.up))
      #expect(fields(view) == [2024, 1, 2, 15, 5])
      view.date = DateFields(year: 2024, month: 3, day: 8).date
      stage.send(.type(KeySymbol.up))
      #expect(fields(view) == [2024, 3, 9, 0, 0])
      view.minimumDate = DateFields(year: 2024, month: 3, day: 11).date
      stage.send(.type(KeySymbol.up))
      #expect(fields(view) == [2024, 3, 12, 0, 0])
      // What the program sets takes the place of what is typed, also where it is the date from before.
      let date = view.date
      stage.type("2")
      #expect(view.date != date)
      view.date = date
      #expect(view.date == date && fields(view) == [2024, 3, 12, 0, 0])
      // What is typed waits for more.
      stage.type("2")
      view.maximumDate = .distantFuture
      stage.type("3")
      #expect(fields(view) == [2024, 3, 23, 0, 0])
    }

    @Test("A date within the limits is typed part by part, and only such dates are told of")
    func typedWithinLimits() throws {
      let (view, stage, record) = try made()
      view.minimumDate = DateFields(year: 2024, month: 6, day: 15, hour: 10, minute: 30).date
      view.date = DateFields(year: 2024, month: 12, day: 5).date
      stage.type("0110")
      #expect(view.date == view.minimumDate && record.take() == [])
      stage.type("2025")
      #expect(fields(view) == [2025, 1, 10, 0, 0] && record.take() == ["value", "primary"])
      // A step from a date beyond the limits leads to one within them.
      stage.type("2024")
      #expect(view.date == view.minimumDate && record.take() == [])
      stage.send(.type(KeySymbol.home), .type(KeySymbol.up))
      #expect(fields(view) == [2024, 6, 15, 10, 30] && record.take() == ["value", "primary"])
      // The end of editing does so too.
      stage.type("12052024")
      _ = record.take()
      stage.send(.type(KeySymbol.home))
      stage.type("02")
      #expect(record.take() == [])
      view.resignFirstResponder()
      #expect(fields(view) == [2024, 6, 15, 10, 30] && record.take() == ["value", "primary"])
    }

    @Test("The day of a limit can be typed, whatever the time of the day is that is not shown")
    func typedDayOfLimit() throws {
      let (view, stage, record) = try made()
      view.minimumDate = DateFields(year: 2024, month: 6, day: 15, hour: 10, minute: 30).date
      view.date = DateFields(year: 2024, month: 12, day: 5).date
      stage.type("06")
      #expect(record.take() == [])
      stage.type("15")
      #expect(fields(view) == [2024, 6, 15, 10, 30] && record.take() == ["value", "primary"])
    }

    @Test("A press selects the part under it")
    func press() throws {
      let (view, stage, record) = try made()
      view.resignFirstResponder()
      for (x, expected) in [(20, [2024, 2, 29]), (50, [2024, 2, 1]), (200, [2025, 2, 1])] {
        stage.click(x, 25)
        #expect(view.isFirstResponder)
        stage.send(.type(KeySymbol.up))
        #expect(Array(fields(view).prefix(3)) == expected)
      }
      _ = record.take()
      view.isEnabled = false
      stage.click(20, 25)
      stage.send(.type(KeySymbol.up))
      #expect(!view.isFirstResponder && record.take() == [])
    }

    @Test("Dates stay within the limits, whoever changes them and whatever the limits are")
    func limits() throws {
      let (view, stage, record) = try made()
      let day = 86_400.0
      view.minimumDate = first.date.addingTimeInterval(-day)
      view.maximumDate = first.date.addingTimeInterval(day)
      view.date = .distantFuture
      #expect(view.date == view.maximumDate)
      view.date = .distantPast
      #expect(view.date == view.minimumDate && record.take() == [])
      stage.send(.type(KeySymbol.end), .type(KeySymbol.up))
      #expect(view.date == view.maximumDate && record.take() == ["value", "primary"])
      stage.send(.type(KeySymbol.up))
      #expect(view.date == view.maximumDate && record.take() == [])
      view.maximumDate = view.minimumDate?.addingTimeInterval(-day)
      #expect(view.date == view.maximumDate)
      (view.minimumDate, view.maximumDate) = (nil, nil)
      for seconds in [Double.infinity, -.infinity, .nan, 1e300] {
        view.date = Date(timeIntervalSince1970: seconds)
        stage.send(.type(KeySymbol.up), .type(KeySymbol.down))
        stage.settle()
      }
    }

    @Test("What is not edited stays, and what the program sets is kept to the second until then")
    func kept() throws {
      let (view, stage, _) = try made(.time)
      let date = first.date.addingTimeInterval(12.5)
      view.date = date
      #expect(view.date == date)
      stage.send(.type(KeySymbol.up))
      #expect(fields(view) == [2024, 1, 31, 16, 5])
      view.datePickerMode = .date
      stage.send(.type(KeySymbol.up))
      #expect(fields(view) == [2024, 2, 29, 16, 5])
    }

    @Test("The form is that of the region, and another one when the user chooses it")
    func region() throws {
      let (view, stage, _) = try made(.time)
      let wide = view.intrinsicContentSize.width
      stage.program.machine.chooseFormats(region: "C", usesTwelveHourClock: true)
      stage.settle()
      #expect(view.intrinsicContentSize.width > wide)
      view.resignFirstResponder()
      view.becomeFirstResponder()
      stage.type("3")
      #expect(fields(view)[3] == 15)
      stage.send(.type(KeySymbol.end))
      stage.type("a")
      #expect(fields(view)[3] == 3)
      stage.type("p")
      #expect(fields(view)[3] == 15)
      stage.send(.type(KeySymbol.down))
      #expect(fields(view)[3] == 3)
    }

    @Test("In another time zone it is read anew, and not on another day")
    func timeZone() throws {
      let (view, stage, record) = try made()
      stage.type("1")
      stage.program.machine.changeTime(.newDay)
      stage.settle()
      stage.type("2")
      #expect(fields(view)[1] == 12 && record.take() == ["value", "primary"])
      stage.send(.type(KeySymbol.home))
      stage.type("1")
      stage.program.machine.changeTime(.timeZone)
      stage.settle()
      stage.type("2")
      #expect(fields(view)[1] == 2)
    }

    @Test("An hour that comes twice is edited in the one that it is, and steps lead back to where they came from")
    func repeatedHour() async {
      // The time zone is that of the whole process.
      await #expect(processExitsWith: .success) { try await DatePickerTests().checkRepeatedHour() }
    }

    private func checkRepeatedHour() throws {
      setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
      tzset()
      let (view, stage, _) = try made(.dateAndTime)
      // The 26th October 2025, 02:30, in summer time and after it; and before and after both.
      let first = 1_761_438_600.0
      for start in [first, first + 3600, first, first - 3600, first + 7200] {
        let date = Date(timeIntervalSince1970: start)
        view.date = date
        stage.send(.type(KeySymbol.end), .type(KeySymbol.up))
        #expect(view.date == date + 60)
        stage.type("3")
        stage.type("0")
        #expect(view.date == date)
        view.minimumDate = date
        stage.send(.type(KeySymbol.up), .type(KeySymbol.down))
        #expect(view.date == date)
        view.minimumDate = nil
      }
      // A step over the end of summer time, and one to another season.
      view.date = Date(timeIntervalSince1970: first - 3600)
      stage.send(.type(KeySymbol.end), .type(KeySymbol.left), .type(KeySymbol.up))
      #expect(view.date.timeIntervalSince1970 == first)
      view.date = Date(timeIntervalSince1970: first + 7200)
      stage.send(.type(KeySymbol.down))
      #expect(view.date.timeIntervalSince1970 == first + 3600)
      stage.send(.type(KeySymbol.home), .type(KeySymbol.down), .type(KeySymbol.down))
      #expect(fields(view) == [2025, 8, 26, 2, 30])
    }

    @Test("Each state has a look of its own, in both appearances", arguments: [InterfaceStyle.light, .dark])
    func looks(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance)
      let view = DatePicker(first.date)
      let stage = try UIStage(view, frame, appearance)
      let quiet = try stage.pixels(frame)
      #expect(quiet.contains(theme.contentBackground.pixel) && !quiet.contains(theme.selection.pixel))
      view.becomeFirstResponder()
      let month = try stage.pixels(frame)
      #expect(month.contains(theme.selection.pixel) && month.contains(theme.accent.pixel))
      stage.send(.type(KeySymbol.right))
      #expect(try stage.pixels(frame) != month)
      view.isEnabled = false
      #expect(try !stage.pixels(frame).contains(theme.label.pixel))
      #expect(try !stage.pixels(frame).contains(theme.selection.pixel))
    }
  }
}
