import FoundationEssentials
import ProsceniumPlatform
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// What opens a link, and what it looks like.
  @MainActor @Suite("Links") struct LinkTests {
    private let frame = Rect(x: 10, y: 10, width: 100, height: 24)

    @Test("A press, Space and Return send the action, and open the URL")
    func opens() throws {
      let url = try #require(URL(string: "https://example.org/a"))
      let view = Link("Example", url: url)
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      let desktop = OpeningDesktop()
      stage.program.application.desktop = desktop
      stage.send(.press(30, 20), .release(30, 20))
      #expect(desktop.opened == [url] && record.take() == ["down", "inside", "primary"])
      #expect(view.becomeFirstResponder())
      stage.send(.type(KeySymbol.space), .type(KeySymbol.return))
      #expect(desktop.opened.count == 3 && record.take() == ["inside", "primary", "inside", "primary"])
      view.url = nil
      view.primaryAction(nil)
      #expect(desktop.opened.count == 3 && record.take() == ["primary"])
      view.url = url
      view.isEnabled = false
      stage.send(.press(30, 20), .release(30, 20), .type(KeySymbol.return))
      #expect(desktop.opened.count == 3 && !view.isFirstResponder)
    }

    @Test("Without a title the URL is shown; the pointer over it is a hand, and the text underlined")
    func looks() throws {
      let url = try #require(URL(string: "https://example.org/a"))
      let view = Link("", url: url)
      let wide = view.intrinsicContentSize.width
      view.title = "i"
      #expect(view.intrinsicContentSize.width < wide)
      view.title = "nnnnnnnn"
      let stage = try UIStage(view, frame)
      stage.send(.move(30, 20))
      #expect(stage.window.cursor == .pointingHand)
      // A whole row of the accent colour, but for the room at the side.
      let (accent, width) = (Theme.light.accent.pixel, view.intrinsicContentSize.width - 10)
      func hasLine() throws -> Bool {
        try (10..<34).contains { y in
          try stage.pixels(Rect(x: 15, y: y, width: width, height: 1)).allSatisfy { $0 == accent }
        }
      }
      #expect(try hasLine())
      let quiet = try stage.pixels(frame)
      view.becomeFirstResponder()
      #expect(try stage.pixels(frame) != quiet)
      // The ring is around the title, not at the end of a wider view.
      view.frame.size.width = 250
      let end = view.intrinsicContentSize.width
      let row = try stage.pixels(Rect(x: 10, y: 22, width: 250, height: 1))
      let columns = row.indices.filter { row[$0] == accent }
      #expect(columns.contains(0) && (end - 2..<end + 2).contains(columns.last ?? 0))
      view.frame.size.width = 100
      view.resignFirstResponder()
      stage.send(.press(30, 20))
      #expect(try stage.pixels(frame) != quiet)
      stage.send(.move(300, 200), .release(300, 200))
      #expect(try stage.pixels(frame) == quiet)
      view.isEnabled = false
      #expect(try !hasLine())
    }
  }
}
