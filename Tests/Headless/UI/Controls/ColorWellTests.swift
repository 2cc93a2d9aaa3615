import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What chooses a colour, and what it looks like.
  @MainActor @Suite("Color wells") struct ColorWellTests {
    private let frame = Rect(x: 10, y: 10, width: 52, height: 30)

    private func openPanel(_ stage: UIStage) -> ColorPanelController? {
      stage.window.windowScene?.modalWindows.last?.rootViewController as? ColorPanelController
    }

    private func type(_ stage: UIStage, _ symbol: UInt32, _ characters: String = "") throws {
      let window = try #require(stage.window.windowScene?.modalWindows.last)
      stage.send(.type(symbol, characters), to: window)
      stage.settle()
    }

    @Test("A colour is chosen by arrows and Return, and Escape keeps the one before")
    func keys() throws {
      let view = ColorWell(.black)
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      #expect(view.becomeFirstResponder())
      stage.send(.type(KeySymbol.space))
      stage.settle()
      let panel = try #require(openPanel(stage))
      #expect(view.isOpen && panel.swatches.selectedIndex == 0 && panel.code.text == "#000000")
      try type(stage, KeySymbol.down)
      try type(stage, KeySymbol.right)
      try type(stage, KeySymbol.left)
      try type(stage, KeySymbol.left)
      #expect(panel.swatches.selectedIndex == Swatches.columns && record.take() == ["inside"])
      try type(stage, KeySymbol.return)
      #expect(view.selectedColor == Swatches.colors[Swatches.columns] && record.take() == ["value", "primary"])
      #expect(!view.isOpen && stage.window.windowScene?.modalWindows.isEmpty == true)
      stage.send(.type(KeySymbol.return))
      stage.settle()
      try type(stage, KeySymbol.down)
      try type(stage, KeySymbol.escape)
      #expect(view.selectedColor == Swatches.colors[Swatches.columns] && record.take() == ["inside"] && !view.isOpen)
    }

    @Test("A colour is typed as a code; what is none cannot be chosen")
    func code() throws {
      let view = ColorWell()
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(30, 20), .release(30, 20))
      stage.settle()
      let panel = try #require(openPanel(stage))
      #expect(!panel.accept.isEnabled && panel.swatches.selectedIndex == nil)
      #expect(panel.code.becomeFirstResponder())
      _ = record.take()
      for letter in "#12" { try type(stage, UInt32(letter.asciiValue ?? 0), String(letter)) }
      try type(stage, KeySymbol.return)
      #expect(!panel.accept.isEnabled && view.isOpen && view.selectedColor == nil)
      for letter in "a4c7" { try type(stage, UInt32(letter.asciiValue ?? 0), String(letter)) }
      try type(stage, KeySymbol.return)
      #expect(view.selectedColor == Color(rgb: 0x12A4C7) && record.take() == ["value", "primary"])
    }

    #if !WITHOUT_Dialogs
      @Test("A colour is picked from the screen where the desktop lets a program do so")
      func picked() async throws {
        let view = ColorWell(.white)
        let stage = try UIStage(view, frame)
        view.primaryAction(nil)
        stage.settle()
        let panel = try #require(openPanel(stage))
        let pick = try #require(button("Pick", in: panel.view))
        pick.primaryAction(nil)
        await wait(stage) { stage.program.dialogs.shown == [.color] }
        stage.program.dialogs.pick(Color(rgb: 0x336699))
        await wait(stage) { panel.code.text == "#336699" }
        #expect(view.selectedColor == .white)
        panel.accept.primaryAction(nil)
        #expect(view.selectedColor == Color(rgb: 0x336699))
        // A desktop without it is told, and the panel goes on.
        stage.program.dialogs.isAvailable = false
        view.primaryAction(nil)
        stage.settle()
        let second = try #require(openPanel(stage))
        let height = second.view.frame.size.height
        try #require(button("Pick", in: second.view)).primaryAction(nil)
        await wait(stage) { label("This desktop picks no colors.", in: second.view) }
        // The message takes room only now.
        await wait(stage) { second.view.frame.size.height > height }
        // One that is asked when the panel goes is taken down.
        stage.program.dialogs.isAvailable = true
        try #require(button("Pick", in: second.view)).primaryAction(nil)
        await wait(stage) { stage.program.dialogs.shown == [.color] }
        second.cancel(nil)
        await wait(stage) { stage.program.dialogs.shown.isEmpty }
        #expect(view.selectedColor == Color(rgb: 0x336699))
      }
    #endif

    /// Waits for tasks, and for what the desktop says.
    private func wait(
      _ stage: UIStage, _ location: SourceLocation = #_sourceLocation, until condition: @escaping () -> Bool
    ) async {
      await stage.wait(
        until: {
          stage.program.advance(by: .milliseconds(20))
          return condition()
        }, location)
    }

    private func button(_ title: String, in view: View) -> Button? {
      if let button = view as? Button, button.title == title { return button }
      return view.subviews.lazy.compactMap { self.button(title, in: $0) }.first
    }

    private func label(_ text: String, in view: View?) -> Bool {
      guard let view else { return false }
      return (view as? Label)?.text == text || view.subviews.contains { label(text, in: $0) }
    }

    @Test("The panel goes with the well's window; a well that is disabled opens none")
    func ends() throws {
      let view = ColorWell(.black)
      let stage = try UIStage(view, frame)
      view.isEnabled = false
      stage.send(.press(30, 20), .release(30, 20))
      #expect(!view.isOpen && !view.becomeFirstResponder())
      view.isEnabled = true
      view.primaryAction(nil)
      #expect(view.isOpen && stage.window.windowScene?.windows.count == 2)
      view.removeFromSuperview()
      #expect(!view.isOpen && stage.window.windowScene?.windows.count == 1)
    }

    @Test("It shows its colour, and describes it")
    func looks() throws {
      let view = ColorWell(Color(rgb: 0x1A66D6))
      let stage = try UIStage(view, frame)
      #expect(try stage.pixel(36, 25) == 0x1A66D6)
      #expect(view.accessibilityProperties.value == "#1A66D6" && view.accessibilityProperties.role == .button)
      view.selectedColor = Color(rgb: 0x00AA00).withAlphaComponent(0.2)
      #expect(try stage.pixel(36, 25) == 0x00AA00)
    }

    @Test("Codes of colours, and steps among the swatches")
    func values() {
      #expect(ColorCode.color("#1a66D6") == Color(rgb: 0x1A66D6) && ColorCode.color(" abc ") == Color(rgb: 0xAABBCC))
      for text in ["", "#", "12345", "1234567", "xyz", "#12 34", "\u{FF11}23456", "+12345", "-12345"] {
        #expect(ColorCode.color(text) == nil, "\(text)")
      }
      for color in Swatches.colors { #expect(ColorCode.color(ColorCode.text(color)) == color) }
      #expect(Set(Swatches.colors).count == 4 * Swatches.columns)
      let last = Swatches.colors.count - 1
      #expect(Swatches.step(from: nil, rows: 1) == 0 && Swatches.step(from: 0, columns: -1) == 0)
      #expect(Swatches.step(from: last, rows: 1) == last && Swatches.step(from: last, columns: 1) == last)
      #expect(Swatches.step(from: 1, rows: 1) == 1 + Swatches.columns && Swatches.step(from: 1, rows: -1) == 1)
    }
  }
}
