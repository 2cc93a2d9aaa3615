import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// Menus that come to lie under the pointer, and those that have more rows than there is room for.
  @MainActor @Suite("The pointer in menus") struct MenuPointerTests {
    private let button = PopUpButton((0..<200).map { "Item \($0)" })
    private let stage: UIStage

    /// A menu without room below and above its button, which it covers: it begins at the top of the screen.
    init() throws {
      stage = try UIStage { [button] in $0.rootView = StackView(.vertical, margin: 10, [button, Spacer()]) }
      stage.settle()
    }

    private func menu() throws -> PopUpWindow {
      try #require(stage.program.application.conductor?.feature(PopUps.self)?.presented.first)
    }

    private func view() throws -> MenuView { try #require(try menu().rootView as? MenuView) }

    /// The window system tells of a window that is mapped under the resting pointer.
    private func enter(_ x: Int, _ y: Int) throws {
      stage.send(.motion(Motion(phase: .entered, location: Point(x: x, y: y))), to: try menu())
    }

    @Test("A click that opens a menu under the pointer chooses nothing, also where the hand trembles; a drag does")
    func clicked() throws {
      stage.send(.press(30, 20))
      #expect(try menu().frame.contains(Point(x: 130, y: 120)))
      try enter(20, 120)
      #expect(try view().navigation.highlighted == 0)
      stage.send(.release(30, 20))
      #expect(button.selectedIndex == 0 && button.isOpen)
      stage.press([KeySymbol.escape])
      stage.send(.press(30, 20))
      try enter(20, 120)
      stage.send(.move(32, 22), .release(32, 22))
      #expect(button.selectedIndex == 0 && button.isOpen)
      stage.press([KeySymbol.escape])
      stage.send(.press(30, 20), .move(30, 80), .release(30, 80))
      #expect(try #require(button.selectedIndex) > 0 && !button.isOpen)
    }

    @Test("A menu that a key opens under the pointer keeps its row until the pointer moves")
    func byKey() throws {
      button.becomeFirstResponder()
      stage.press([KeySymbol.space])
      try enter(20, 500)
      stage.press([KeySymbol.return])
      #expect(button.selectedIndex == 0 && !button.isOpen)
      stage.press([KeySymbol.space])
      try enter(20, 500)
      stage.send(.move(21, 500), to: try menu())
      #expect(try #require(try view().navigation.highlighted) > 10)
    }

    @Test("A long menu of a bar stays open and chooses nothing when its title is clicked, or reached by a drag")
    func bar() throws {
      var log: [String] = []
      let long = Menu("Long", children: (0..<200).map { row in MenuItem("Item \(row)") { log.append("\(row)") } })
      let bar = MenuBar([Menu("First", children: [MenuItem("x") { log.append("x") }]), long])
      stage.window.rootView = StackView(.vertical, spacing: 0, [bar, Spacer()])
      stage.settle()
      let title = bar.rect(of: 1).origin.x + 10
      stage.send(.press(title, 10))
      try enter(10, 110)
      stage.send(.release(title, 10))
      #expect(log == [] && bar.open == 1)
      stage.press([KeySymbol.escape])
      stage.send(.press(10, 10), .move(title, 10))
      #expect(bar.open == 1)
      stage.send(.release(title, 10))
      #expect(log == [] && bar.open == 1)
    }

    // MARK: More rows than there is room for

    private func open() throws -> (menu: PopUpWindow, view: MenuView) {
      button.becomeFirstResponder()
      stage.press([KeySymbol.space])
      stage.settle()
      return (try menu(), try view())
    }

    private func touch(_ phase: Touch.Phase, _ y: Int) throws {
      stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 40, y: y))), to: try menu())
    }

    @Test("A finger scrolls a long menu and chooses nothing then, and a tap chooses")
    func finger() throws {
      let (_, view) = try open()
      try touch(.began, 500)
      try touch(.moved, 300)
      #expect(view.bounds.origin.y == 200)
      try touch(.moved, 290)
      try touch(.ended, 290)
      #expect(view.bounds.origin.y == 210 && button.isOpen && button.selectedIndex == 0)
      try touch(.began, 500)
      try touch(.ended, 500)
      #expect(!button.isOpen && button.selectedIndex ?? 0 > 20)
    }

    @Test("The pointer at an edge behind which there are more rows scrolls, and an arrow is drawn there")
    func edges() throws {
      let (menu, view) = try open()
      func hasArrow(_ rows: Range<Int>) throws -> Bool {
        let surface = try #require(menu.id.flatMap(stage.program.platform.surface))
        let background = Theme.light.controlBackground.pixel & 0xFFFFFF
        let middle = surface.size.width / 2
        return rows.contains { y in
          (middle - 10..<middle + 10).contains { surface[$0, y] & 0xFFFFFF != background }
        }
      }
      stage.send(.move(40, 500), to: menu)
      stage.settle()
      #expect(try hasArrow(1062..<1079))
      #expect(try !hasArrow(1..<18))
      stage.send(.move(40, 1075), to: menu)
      stage.program.advance(by: 300)
      let first = view.bounds.origin.y
      #expect(first > 0 && view.navigation.highlighted == nil)
      stage.send(.press(40, 1075), .release(40, 1075), to: menu)
      #expect(button.isOpen, "the row behind the arrow is not chosen")
      stage.send(.move(40, 500), to: menu)
      stage.program.advance(by: 300)
      let second = view.bounds.origin.y
      stage.program.advance(by: 300)
      #expect(view.bounds.origin.y == second && second >= first && view.navigation.highlighted != nil)
      #expect(try hasArrow(1062..<1079))
      #expect(try hasArrow(1..<18))
      stage.send(.move(40, 5), to: menu)
      stage.program.advance(by: 20_000)
      #expect(view.bounds.origin.y == 0)
      // Nothing goes on at the end, nor behind the back of a user who has gone on by key.
      let count = stage.program.platform.drawCount
      stage.program.advance(by: 5000)
      #expect(stage.program.platform.drawCount == count)
      stage.send(.move(40, 1075), to: menu)
      stage.program.advance(by: 100)
      stage.press([KeySymbol.home])
      stage.program.advance(by: 1000)
      #expect(view.bounds.origin.y == 0 && view.navigation.highlighted == 0)
    }

    @Test("The row that a turn of the wheel brings under the pointer is highlighted")
    func wheel() throws {
      let (menu, view) = try open()
      stage.send(.move(40, 300), to: menu)
      let before = try #require(view.navigation.highlighted)
      stage.send(
        .scroll(Scroll(deltaX: 0, deltaY: 3, isPrecise: false, location: Point(x: 40, y: 300))), to: menu)
      let row = try #require(view.navigation.highlighted)
      #expect(row > before && view.rect(of: row).contains(Point(x: 40, y: 300 + view.bounds.origin.y)))
    }

    // MARK: Bars

    @Test("A menu bar has as many rows as its titles need, and their menus open below them")
    func narrowBar() throws {
      let bar = MenuBar((0..<9).map { number in Menu("Menu \(number)", children: [MenuItem("x") {}]) })
      let below = View()
      below.isStretching = true
      stage.window.rootView = StackView(.vertical, spacing: 0, [bar, below])
      stage.settle()
      let (width, height) = (bar.bounds.size.width, bar.intrinsicContentSize.height)
      let rows = Set((0..<9).map { bar.rect(of: $0).origin.y })
      #expect(width == 320 && rows.count > 1 && bar.bounds.size.height == rows.count * height)
      #expect(below.frame.origin.y == bar.bounds.size.height)
      for index in 0..<9 {
        let place = bar.rect(of: index)
        #expect(place.intersection(bar.bounds) == place)
        stage.send(.press(place.origin.x + 5, place.origin.y + 5))
        #expect(bar.open == index)
        let frame = try menu().frame
        #expect(frame.origin == Point(x: 100 + place.origin.x, y: 100 + place.origin.y + height))
        stage.press([KeySymbol.escape])
        stage.send(.release(place.origin.x + 5, place.origin.y + 5))
      }
      stage.window.frame.size.width = 900
      stage.settle()
      #expect(bar.bounds.size.height == height && bar.rect(of: 8).origin.y == 0)
    }

    @Test("The menu of a title that is wider than its bar begins within it")
    func wideTitle() throws {
      let bar = MenuBar([
        Menu("File", children: [MenuItem("x") {}]),
        Menu(String(repeating: "Wide ", count: 30), children: [MenuItem("x") {}]),
      ])
      stage.window.rootView = StackView(.vertical, spacing: 0, [bar, Spacer()])
      stage.settle()
      let height = bar.rect(of: 0).size.height
      #expect(bar.rect(of: 1) == Rect(x: 0, y: height, width: 320, height: height))
    }
  }
}
