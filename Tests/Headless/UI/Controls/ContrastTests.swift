import FoundationEssentials
import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What can be told from what beside it, in all appearances.
  @MainActor @Suite("Contrast of controls") struct ContrastTests {
    private let frame = Rect(x: 10, y: 10, width: 200, height: 40)

    @Test("What is disabled is not filled with the accent colour", arguments: [InterfaceStyle.light, .dark])
    func disabled(_ appearance: InterfaceStyle) throws {
      func look(_ style: Button.Style, isSelected: Bool = false) throws -> [UInt32] {
        let button = Button("Send", style: style)
        (button.isEnabled, button.isSelected) = (false, isSelected)
        return try UIStage(button, frame, appearance).pixels(frame)
      }
      let plain = try look(.plain)
      #expect(try look(.filled) == plain && look(.destructive) == plain)
      #expect(try look(.plain, isSelected: true) != plain)
      let view = SegmentedControl(["A", "B"])
      view.isEnabled = false
      let stage = try UIStage(view, frame, appearance)
      let none = try stage.pixels(frame)
      view.selectedSegmentIndex = 1
      let one = try stage.pixels(frame)
      #expect(one != none)
      view.selectedSegmentIndex = 0
      #expect(try stage.pixels(frame) != one)
    }

    @Test(
      "Letters on a strong colour can be read under the pointer and while pressed",
      arguments: [Button.Style.filled, .destructive], [false, true])
    func shades(style: Button.Style, isHigh: Bool) throws {
      for appearance in InterfaceStyle.allCases {
        let (button, theme) = (Button("", style: style), Theme.of(appearance, highContrast: isHigh))
        let stage = try UIStage(button, frame, appearance)
        if isHigh { stage.preferHighContrast() }
        var looks: Set = [try stage.pixel(30, 30)]
        #expect(looks == [(style == .filled ? theme.accentBackground : theme.destructiveBackground).pixel])
        stage.send(.move(30, 30))
        looks.insert(try stage.pixel(30, 30))
        stage.send(.press(30, 30))
        looks.insert(try stage.pixel(30, 30))
        #expect(looks.count == 3)
        for look in looks { #expect(Color.contrast(look, theme.accentLabel.pixel) >= 4.5) }
      }
    }

    @Test("Who needs more contrast sees what is disabled more clearly")
    func faint() throws {
      let button = Button("Send")
      button.isEnabled = false
      let stage = try UIStage(button, frame)
      stage.preferHighContrast()
      // Black, three fifths of it, on white.
      #expect(try stage.pixels(frame).contains(0x666666))
    }

    @Test("In high contrast the rest of a bar is an outline", arguments: [InterfaceStyle.light, .dark])
    func bars(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance, highContrast: true)
      let (progress, slider) = (ProgressView(progress: 0.5), Slider(0.5))
      let place = Rect(x: 10, y: 10, width: 200, height: 6)
      let bar = try UIStage(progress, place, appearance)
      bar.preferHighContrast()
      #expect(try bar.pixel(60, 13) == theme.accent.pixel)
      #expect(try (10..<16).map { try bar.pixel(160, $0) } == outline(theme, 4))
      let stage = try UIStage(slider, Rect(x: 10, y: 10, width: 200, height: 24), appearance)
      stage.preferHighContrast()
      #expect(try stage.pixel(60, 22) == theme.accent.pixel)
      #expect(try (20..<24).map { try stage.pixel(160, $0) } == outline(theme, 2))
    }

    @Test("In high contrast a text has an outline", arguments: [InterfaceStyle.light, .dark])
    func textOutline(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance, highContrast: true)
      let stage = try UIStage(TextView(), frame, appearance)
      #expect(try stage.pixel(10, 30) == Theme.of(appearance).contentBackground.pixel)
      stage.preferHighContrast()
      for (x, y) in [(10, 30), (100, 10), (209, 30), (100, 49)] {
        #expect(try stage.pixel(x, y) == theme.separator.pixel)
      }
    }

    @Test("Selected text can be read where something else gets the keys", arguments: [InterfaceStyle.light, .dark])
    func weakSelection(_ appearance: InterfaceStyle) throws {
      let (view, field) = (TextView(), TextField())
      (view.text, field.text) = ("HHHH", "HHHH")
      (view.selectedRange, field.selectedRange) = (0..<4, 0..<4)
      for text in [view, field] as [View] {
        let stage = try UIStage(text, frame, appearance)
        stage.preferHighContrast()
        let theme = Theme.of(appearance, highContrast: true)
        let pixels = Set(try stage.pixels(frame))
        // The letters, and what they stand on.
        #expect(pixels.isSuperset(of: [theme.label.pixel, theme.controlPressed.pixel]))
      }
    }

    @Test("The second text of a selected row is as strong as the first one", arguments: [InterfaceStyle.light, .dark])
    func selectedRows(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance)
      let cell = TableViewCell(style: .subtitle)
      (cell.textLabel.text, cell.detailTextLabel.text) = (" ", "HHHH")
      cell.detailTextLabel.font = Font.system.withSize(30)
      cell.accessoryType = .disclosureIndicator
      let stage = try UIStage(cell, frame, appearance)
      #expect(try stage.pixels(frame).contains(theme.secondaryLabel.pixel))
      for (isSelected, color) in [(true, theme.label), (false, theme.secondaryLabel)] {
        cell.isSelected = isSelected
        let pixels = try stage.pixels(frame)
        #expect(pixels.contains(color.pixel) && pixels.contains(theme.secondaryLabel.pixel) == !isSelected)
      }
    }

    @Test("What gets the keys shows it before anything in it is selected", arguments: [InterfaceStyle.light, .dark])
    func focus(_ appearance: InterfaceStyle) throws {
      let accent = Theme.of(appearance).accent.pixel
      let list = try ListStage(Numbers(Array(0..<20)), appearance)
      let corners = [(10, 10), (10, 100), (209, 100), (100, 209)]
      func ring() throws -> [Bool] { try corners.map { try list.stage.pixel($0.0, $0.1) == accent } }
      #expect(try ring() == [false, false, false, false])
      list.table.becomeFirstResponder()
      #expect(try ring() == [true, true, true, true])
      // It stays where it is while the rows move, and in front of them.
      list.table.contentOffset.y = 37
      #expect(try ring() == [true, true, true, true])
      list.stage.send(.type(KeySymbol.down))
      #expect(try ring() == [false, false, false, false])
      list.table.reloadData()
      #expect(try ring() == [true, true, true, true])
      list.table.resignFirstResponder()
      #expect(try ring() == [false, false, false, false])
      let grid = SwatchGrid()
      let stage = try UIStage(grid, Rect(Point(x: 10, y: 10), grid.intrinsicContentSize), appearance)
      grid.becomeFirstResponder()
      #expect(try stage.pixel(10, 50) == accent)
      grid.selectedIndex = 0
      #expect(try stage.pixel(10, 50) != accent)
    }

    @Test("In high contrast a list has an edge, in front of its rows", arguments: [InterfaceStyle.light, .dark])
    func edge(_ appearance: InterfaceStyle) throws {
      let list = try ListStage(Numbers(Array(0..<20)), appearance)
      let separator = Theme.of(appearance, highContrast: true).separator.pixel
      list.table.selectRow(at: IndexPath(row: 4, section: 0))
      let places = [(10, 10), (10, 100), (209, 100), (209, 150), (100, 209)]
      func edge() throws -> [Bool] { try places.map { try list.stage.pixel($0.0, $0.1) == separator } }
      #expect(try !edge().contains(true))
      list.stage.preferHighContrast()
      #expect(try !edge().contains(false))
      // That of a dialog for files has one in every appearance.
      let files = FileDialogViews(.open, FileDialogOptions()).table
      let stage = try UIStage(files, Rect(x: 10, y: 10, width: 200, height: 200), appearance)
      let color = Theme.of(appearance).separator.pixel
      #expect(try places.allSatisfy { try stage.pixel($0.0, $0.1) == color })
    }

    @Test("The ring of the first responder is a change that can be seen, in all appearances", arguments: [false, true])
    func rings(isHigh: Bool) throws {
      for appearance in InterfaceStyle.allCases {
        let theme = Theme.of(appearance, highContrast: isHigh)
        let selected = Button("")
        selected.isSelected = true
        let views: [Control] = [
          TextField(), DatePicker(), NumberField(), ColorWell(), Stepper(), PopUpButton([]), Button(""),
          Button("", style: .filled), selected, SegmentedControl([""]), Switch("", style: .checkbox),
          Switch("", isOn: true, style: .checkbox),
        ]
        for view in views {
          let stage = try UIStage(view, Rect(x: 10, y: 10, width: view is Switch ? 24 : 160, height: 30), appearance)
          if isHigh { stage.preferHighContrast() }
          // Down the upper edge, left of what is in the middle.
          let x = view is Switch ? 22 : 30
          func column() throws -> [UInt32] { try (8..<20).map { try stage.pixel(x, $0) } }
          let before = try column()
          (view.subviews.first ?? view).becomeFirstResponder()
          stage.settle()
          let after = try column()
          let ring = after.indices.filter {
            [theme.accent.pixel, theme.accentLabel.pixel].contains(after[$0]) && after[$0] != before[$0]
          }
          let name: Comment = "\(type(of: view)), \(appearance): \(ring), \(before) became \(after)"
          let seen = ring.filter { Color.contrast(before[$0], after[$0]) >= 3 }
          #expect(seen.count >= (isHigh ? 2 : 1), name)
          guard let first = ring.first, let last = ring.last else { continue }
          #expect(Color.contrast(after[first], after[first - 1]) >= 3, name)
          #expect(Color.contrast(after[last], after[last + 1]) >= 3, name)
        }
        // The row that the arrows start from, whether it is selected or not.
        for row in [theme.contentBackground, theme.selection] { #expect(theme.accent.contrast(with: row) >= 3) }
      }
    }

    private func outline(_ theme: Theme, _ inner: Int) -> [UInt32] {
      [theme.separator.pixel] + Array(repeating: theme.controlBackground.pixel, count: inner) + [theme.separator.pixel]
    }
  }
}
