import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Presses whose pointer moves, and presses during which the list changes or scrolls.
  @MainActor @Suite("Presses on lists") struct ListPressTests {
    /// A table of numbers of which several may be selected.
    private func several(_ count: Int = 100, scrolledTo first: Int = 0) throws -> ListStage {
      let list = try ListStage(Numbers(Array(0..<count)))
      list.table.allowsMultipleSelection = true
      list.table.contentOffset.y = 20 * first
      list.stage.settle()
      return list
    }

    /// The pointer in a row of those in sight, by its place.
    private func point(_ row: Int, _ distance: Int = 0) -> Point { Point(x: 60, y: 20 + 20 * row + distance) }

    private func press(_ list: ListStage, _ point: Point, isDown: Bool = true, _ modifiers: ModifierFlags = []) {
      list.stage.send(
        .button(PointerButton(number: 1, isDown: isDown, location: point, modifiers: modifiers)))
    }

    /// Presses at a place, and releases at another one.
    private func drag(_ list: ListStage, _ start: Point, _ end: Point, _ modifiers: ModifierFlags = []) {
      press(list, start, modifiers)
      list.stage.send(.move(end.x, end.y))
      press(list, end, isDown: false, modifiers)
      list.stage.settle()
    }

    // MARK: A pointer that is not still

    @Test("A press with Control whose pointer moves adds to the selection, or takes from it as the press does")
    func movedWithControl() throws {
      let list = try several()
      list.click(1)
      drag(list, point(5), point(5, 6), .control)
      #expect(list.selected == [1, 5] && list.numbers.take() == ["+1", "+5"])
      drag(list, point(7), point(9), .control)
      #expect(list.selected == [1, 5, 7, 8, 9])
      _ = list.numbers.take()
      // The first of the rectangle is deselected by the press.
      drag(list, point(5), point(5, 6), .control)
      #expect(list.selected == [1, 7, 8, 9] && list.numbers.take() == ["-5"])
      drag(list, point(9), point(8), .control)
      #expect(list.selected == [1, 7])
      // What the rectangle leaves again is as it was.
      press(list, point(3), .control)
      list.stage.send(.move(60, 120), .move(60, 86))
      press(list, point(3, 6), isDown: false, .control)
      #expect(list.selected == [1, 3, 7])
    }

    @Test("A press with Shift whose pointer moves keeps what it selects, and one without either begins anew")
    func movedWithShift() throws {
      let list = try several()
      list.click(1)
      drag(list, point(5), point(5, 6), .shift)
      #expect(list.selected == [1, 2, 3, 4, 5])
      drag(list, point(5), point(7), .shift)
      #expect(list.selected == [1, 2, 3, 4, 5, 6, 7])
      drag(list, point(3), point(4))
      #expect(list.selected == [3, 4])
      press(list, point(8), .control)
      list.stage.send(.move(60, 60))
      list.stage.press([KeySymbol.escape])
      #expect(list.selected == [3, 4])
    }
  }
}
