import Glibc
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What users type into number fields, and what becomes of it.
  @MainActor @Suite("Number fields") struct NumberFieldTests {
    private let frame = Rect(x: 10, y: 10, width: 150, height: 30)

    private func text(_ view: NumberField) throws -> TextField {
      try #require(view.subviews.first { $0 is TextField } as? TextField)
    }

    @Test("It shows its value with as many digits as it has, and keeps those that it does not show")
    func shown() throws {
      let stage = try UIStage { _ in }
      let view = NumberField(3.14159, in: -1e16...1e16)
      #expect(try text(view).text == "3" && view.value == 3.14159)
      view.fractionDigits = 2
      #expect(try text(view).text == "3.14" && view.value == 3.14159)
      for (value, expected) in [(-1234567.5, "-1234567.50"), (0, "0.00"), (.nan, "0.00"), (1e16, "1e+16")] {
        view.value = value
        #expect(try text(view).text == expected)
      }
      view.fractionDigits = .max
      view.fractionDigits = .min
      view.maximumValue = 5
      #expect(try text(view).text == "5" && view.value == 5)
      _ = stage
    }

    @Test("The field has room for the digits of its limits, and a field that is not edited shows the first ones")
    func room() throws {
      let view = NumberField(123_456_789, in: 0...1e12)
      let (short, narrow) = (NumberField(3, in: 0...9), NumberField(123_456_789, in: 0...1e9))
      for one in [view, short, narrow] { one.stackPlacement.horizontal = .leading }
      narrow.preferredSize = Size(width: 130, height: 30)
      let stage = try UIStage { $0.rootView = StackView(.vertical, [view, short, narrow, Spacer()]) }
      stage.settle()
      func shows(_ view: NumberField) -> (shift: Int, isWhole: Bool) {
        let field = view.editor
        return (field.area.origin.x - field.origin.x, field.layout.size.width < field.area.size.width)
      }
      #expect(shows(view) == (0, true) && shows(short) == (0, true))
      let width = view.frame.size.width
      view.fractionDigits = 2
      stage.settle()
      #expect(view.frame.size.width > width && shows(view) == (0, true))
      view.maximumValue = 1
      stage.settle()
      #expect(view.frame.size.width == short.frame.size.width)
      #expect(shows(narrow) == (0, false))
      _ = narrow.becomeFirstResponder()
      stage.press([KeySymbol.end])
      stage.settle()
      #expect(shows(narrow).shift > 0)
      narrow.editor.resignFirstResponder()
      stage.settle()
      #expect(shows(narrow).shift == 0)
    }

    @Test("What is typed becomes the value with Return, rounded and within the limits; what is no number does not")
    func typed() throws {
      let view = NumberField(5, in: 0...100)
      view.fractionDigits = 1
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      let field = try text(view)
      #expect(view.becomeFirstResponder() && stage.window.firstResponder === field)
      let cases: [(String, Double)] = [
        ("7", 7), ("7.26", 7.3), (" 8 ", 8), ("1e1", 10), ("-3", 0), ("1000", 100), ("", 100), ("x", 100), ("nan", 100),
        ("inf", 100), ("1e400", 100), ("4.5.6", 100), ("5²", 100), ("1,5", 100), ("4", 4), ("۱۲", 12), ("१२.५", 12.5),
        ("৭", 7), ("\u{2212}3", 0), ("+1", 1), ("4", 4), ("0x10", 4), ("0X1p3", 4), ("-0x1", 4),
      ]
      var before = 5.0
      for (string, expected) in cases {
        try text(view).selectAll()
        stage.send(.type(KeySymbol.delete))
        stage.type(string)
        #expect(record.take() == [] && view.value == expected, "\(string)")
        stage.send(.type(KeySymbol.return))
        #expect(view.value == expected, "\(string)")
        #expect(record.take() == (before == expected ? [] : ["value", "primary"]))
        before = expected
      }
      #expect(try text(view).text == "4.0")
      // Leaving the field is as good, and a text that was not changed changes nothing.
      view.value = 4.123
      stage.send(.type(KeySymbol.return))
      #expect(view.value == 4.123)
      try text(view).selectAll()
      stage.type("6")
      try text(view).resignFirstResponder()
      #expect(view.value == 6 && record.take() == ["value", "primary"])
    }

    /// Whether the C library's data of regions can be made.
    nonisolated private static let hasRegions =
      getenv("PROSCENIUM_TESTS_NO_SKIP") != nil || access("/usr/share/i18n/locales/de_DE", R_OK) == 0

    @Test("Numbers are read as the region writes them, and with a decimal point", .enabled(if: hasRegions))
    func regions() async {
      // The C library looks for its data where the process's environment tells.
      await #expect(processExitsWith: .success) { try await NumberFieldTests().checkRegions() }
    }

    @Test("A field that is not changed shows its value by a new region, and keeps it", .enabled(if: hasRegions))
    func newRegion() async {
      await #expect(processExitsWith: .success) { try await NumberFieldTests().checkNewRegion() }
    }

    /// Makes the data of regions for this process.
    private func makeRegions(_ names: String..., in directory: TemporaryDirectory) throws {
      setenv("LOCPATH", directory.path, 1)
      for name in names {
        let file = try #require(popen("localedef -i \(name) -f UTF-8 '\(directory.path)/\(name).UTF-8' 2>&1", "r"))
        while fgetc(file) != EOF {}
        try #require(pclose(file) == 0)
      }
    }

    private func checkRegions() throws {
      let directory = try TemporaryDirectory()
      try makeRegions("de_DE", "en_US", "de_CH", "en_IN", in: directory)
      let view = NumberField(0, in: -1e9...1e9)
      view.fractionDigits = 3
      let stage = try UIStage(view, frame)
      let field = try text(view)
      view.becomeFirstResponder()
      let cases: [String: [(String, Double)]] = [
        "de_DE": [
          ("1.234", 1234), ("-1.234.567,5", -1_234_567.5), ("+1.234", 1234), ("1234,5", 1234.5), ("1.5", 1.5),
          ("0.125", 0.125), ("12.3456", 12.346), ("1.23.456", 7), ("1,5,5", 7), ("1.5,5", 7), ("۱٫۵", 7),
        ],
        "en_US": [("1,234", 1234), ("1,234,567.5", 1_234_567.5), ("1,5", 7), ("1.234", 1.234), ("12,34", 7)],
        "de_CH": [("1'234", 1234), ("1’234.5", 1234.5), ("1'2", 7)],
        "en_IN": [("12,34,567.5", 1_234_567.5), ("1,234,567", 7)],
      ]
      for (region, cases) in cases {
        stage.program.machine.chooseFormats(region: region)
        stage.settle()
        for (string, expected) in cases {
          view.value = 7
          field.selectAll()
          stage.type(string)
          #expect(view.value == expected, "\(string) in \(region)")
          stage.send(.type(KeySymbol.return))
          #expect(view.value == expected, "\(string) in \(region)")
        }
      }
    }

    private func checkNewRegion() throws {
      let directory = try TemporaryDirectory()
      try makeRegions("de_DE", in: directory)
      let (view, other) = (NumberField(1.2345, in: 0...100), NumberField(3.5))
      for field in [view, other] { field.fractionDigits = 1 }
      let record = view.recordEvents()
      let stage = try UIStage(StackView(.vertical, [view, other]), Rect(x: 0, y: 0, width: 200, height: 200))
      view.becomeFirstResponder()
      #expect(try text(view).text == "1.2" && text(other).text == "3.5")
      stage.program.machine.chooseFormats(region: "de_DE")
      stage.settle()
      #expect(try text(other).text == "3,5" && view.value == 1.2345)
      try text(view).resignFirstResponder()
      #expect(try view.value == 1.2345 && record.take() == [] && text(view).text == "1,2")
      // One that comes into a window later.
      view.removeFromSuperview()
      stage.program.machine.chooseFormats(region: "C")
      stage.settle()
      other.superview?.addSubview(view)
      #expect(try text(view).text == "1.2")
    }

    @Test("Whoever reads the value while it is typed gets what is shown, and the events come when the field is left")
    func read() throws {
      let (view, button) = (NumberField(10), Button("OK"))
      let record = view.recordEvents()
      var read: [Double] = []
      button.addAction(for: .primaryActionTriggered) { [weak view] in if let view { read.append(view.value) } }
      let stage = try UIStage(StackView(.vertical, [view, button]), Rect(x: 0, y: 0, width: 200, height: 200))
      let place = button.convert(button.bounds, to: nil).origin
      view.becomeFirstResponder()
      try text(view).selectAll()
      stage.type("42")
      stage.click(place.x + 5, place.y + 5)
      #expect(read == [42] && record.take() == [] && view.restorationValue as? Double == 42)
      stage.type("0")
      stage.click(place.x + 5, place.y + 5)
      #expect(try read == [42, 100] && record.take() == [] && text(view).text == "420")
      try text(view).resignFirstResponder()
      #expect(view.value == 100 && record.take() == ["value", "primary"])
    }

    /// A view whose undo manager has the steps of what is in it.
    private final class Form: View {
      let manager = UndoManager()
      override var undoManager: UndoManager? { manager }
    }

    @Test("An undo and a redo of what was typed, made from another view, are changes of the value by the user")
    func undone() throws {
      let (view, other, form) = (NumberField(5, in: 0...100), TextView(), Form())
      let record = view.recordEvents()
      let stage = try UIStage { [frame] window in
        for one in [view, other] { form.addSubview(one) }
        view.frame = frame
        other.frame = Rect(x: 10, y: 60, width: 200, height: 100)
        window.rootView = form
        view.becomeFirstResponder()
      }
      try text(view).selectAll()
      stage.type("12")
      other.becomeFirstResponder()
      #expect(view.value == 12 && record.take() == ["value", "primary"])
      stage.command("z")
      #expect(try text(view).text == "5" && view.value == 5 && record.take() == ["value", "primary"])
      stage.command("y")
      #expect(try text(view).text == "12" && view.value == 12 && record.take() == ["value", "primary"])
    }

    @Test("Arrows and buttons step from what has been typed, and Tab passes the buttons over")
    func steps() throws {
      let view = NumberField(5, in: 0...100)
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      view.becomeFirstResponder()
      for (symbol, expected) in [
        (KeySymbol.up, 6.0), (KeySymbol.down, 5), (KeySymbol.pageUp, 15), (KeySymbol.pageDown, 5), (0xFF97, 6),
      ] {
        stage.send(.type(symbol))
        #expect(try view.value == expected && text(view).text == "\(Int(expected))")
        #expect(record.take() == ["value", "primary"])
      }
      try text(view).selectAll()
      stage.type("41")
      stage.send(.type(KeySymbol.up))
      #expect(view.value == 42 && record.take() == ["value", "primary"])
      try text(view).selectAll()
      stage.type("50")
      // The button that increases.
      stage.click(150, 20)
      #expect(try view.value == 51 && text(view).text == "51")
      stage.click(100, 20)
      #expect(view.value == 50)
      view.wraps = true
      view.value = 100
      stage.send(.type(KeySymbol.up))
      #expect(view.value == 0)
      stage.send(.type(KeySymbol.tab, "\t"))
      let field = try text(view)
      #expect(field.isFirstResponder)
      view.isEnabled = false
      stage.click(150, 20)
      stage.send(.type(KeySymbol.up))
      #expect(view.value == 0 && !view.becomeFirstResponder())
    }
  }
}
