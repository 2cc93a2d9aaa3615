import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Presses whose pointer moves, and presses during which the list changes or scrolls.
  @MainActor @Suite("Presses on lists") struct ListPressTests {
    private func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }

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

    private func insert(_ list: ListStage, _ numbers: [Int], at row: Int) {
      list.numbers.sections[0].insert(contentsOf: numbers, at: row)
      list.table.insertRows(at: (row..<row + numbers.count).map { path($0) })
      list.stage.settle()
    }

    private func delete(_ list: ListStage, _ rows: Range<Int>) {
      list.numbers.sections[0].removeSubrange(rows)
      list.table.deleteRows(at: rows.map { path($0) })
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

    // MARK: Changes

    @Test("A click on a row counts although others come and go meanwhile", arguments: [0, 15])
    func clickedWhileChanged(_ first: Int) throws {
      let list = try several(scrolledTo: first)
      for row in 2...6 { list.table.selectRow(at: path(first + row)) }
      press(list, point(3))
      insert(list, [500], at: 80)
      insert(list, [501, 502], at: 0)
      delete(list, 90..<95)
      press(list, point(3), isDown: false)
      #expect(list.selected == [first + 3])
      #expect(list.numbers.take().last == "+\(first + 3)")
    }

    @Test("A rectangle stays with its rows although others come and go", arguments: [0, 15])
    func bandWhileChanged(_ first: Int) throws {
      let list = try several(scrolledTo: first)
      list.table.selectRow(at: path(first + 9))
      press(list, point(1), .control)
      list.stage.send(.move(60, 105))
      #expect(list.selected == [1, 2, 3, 4, 9].map { first + $0 })
      insert(list, [500], at: 80)
      insert(list, [501, 502], at: 0)
      #expect(list.selected == [1, 2, 3, 4, 9].map { first + $0 })
      list.stage.send(.move(60, 145))
      #expect(list.selected == [1, 2, 3, 4, 5, 6, 9].map { first + $0 })
      delete(list, 0..<2)
      list.stage.send(.move(60, 125))
      #expect(list.selected == [1, 2, 3, 4, 5, 9].map { first + $0 })
      list.stage.press([KeySymbol.escape])
      #expect(list.selected == [first + 9])
    }

    @Test("A rectangle that begins after others have come begins at the pressed row", arguments: [(0, 3), (15, 4)])
    func changedBeforeBand(_ first: Int, _ last: Int) throws {
      let list = try several(scrolledTo: first)
      press(list, point(1))
      // At the top it comes in sight.
      insert(list, [500], at: 0)
      list.stage.send(.move(60, 105))
      #expect(list.selected == (1...last).map { first + $0 })
    }

    @Test("A rectangle from an empty place goes on although a row comes")
    func bandFromEmptyPlace() throws {
      let list = try several(4)
      press(list, point(7))
      list.stage.send(.move(60, 85))
      #expect(list.selected == [3])
      insert(list, [500], at: 0)
      list.stage.send(.move(60, 65))
      #expect(list.selected == [1, 2, 3])
    }

    @Test("A rectangle from an empty place goes on although the row nearest to where it began goes")
    func nearestRowGone() throws {
      let list = try several(4)
      press(list, point(7))
      list.stage.send(.move(60, 85))
      #expect(list.selected == [3])
      delete(list, 3..<4)
      #expect(list.table.core.pointer.drag.kind == .band && list.selected == [])
      list.stage.send(.move(60, 65))
      #expect(list.selected == [2])
    }

    @Test("A press on a title is one on an empty place, which goes on although rows go")
    func bandFromTitle() throws {
      let list = try several()
      list.numbers.titles = ["Title"]
      list.table.reloadData()
      list.stage.settle()
      list.table.selectRow(at: path(95))
      press(list, Point(x: 60, y: 20))
      #expect(list.selected == [] && list.numbers.take() == ["-95"])
      delete(list, 0..<50)
      #expect(list.table.core.pointer.drag.kind == .band)
      #expect(list.selected == [] && list.numbers.take() == [])
      list.stage.send(.move(60, 75))
      #expect(list.selected == [50, 51])
      list.stage.press([KeySymbol.escape])
      #expect(list.selected == [95])
    }

    @Test("A row that is being moved is dropped where the pointer is although others come")
    func movedWhileChanged() throws {
      let list = try several(20)
      list.numbers.canMove = true
      press(list, point(1))
      list.stage.send(.move(60, 60))
      insert(list, [500], at: 15)
      list.stage.send(.move(60, 95))
      press(list, Point(x: 60, y: 95), isDown: false)
      #expect(list.numbers.sections[0].prefix(6) == [0, 2, 3, 1, 4, 5] && list.selected == [1])
      #expect(list.table.visibleCells.allSatisfy { !$0.isHighlighted })
    }

    @Test("A press ends when its row is deleted, or the list is loaded anew", arguments: [false, true])
    func pressedRowGone(reloads: Bool) throws {
      let list = try several()
      for row in 2...6 { list.table.selectRow(at: path(row)) }
      press(list, point(3))
      if reloads { list.table.reloadData() } else { delete(list, 3..<4) }
      press(list, point(3), isDown: false)
      #expect(list.selected == (reloads ? [] : [2, 4, 5, 6]) && list.numbers.take() == [])
      press(list, point(1))
      list.stage.send(.move(60, 80))
      #expect(list.table.core.pointer.drag.kind == .band)
      if reloads { list.table.reloadData() } else { delete(list, 1..<2) }
      #expect(list.table.core.pointer.drag.kind == .none)
    }

    @Test("A tap selects its row although others come, and nothing where its row goes")
    func tappedWhileChanged() throws {
      let list = try several()
      func touch(_ phase: Touch.Phase, _ y: Int) {
        list.stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 60, y: y))))
      }
      touch(.began, 80)
      insert(list, [500], at: 80)
      touch(.ended, 80)
      #expect(list.selected == [3])
      touch(.began, 180)
      delete(list, 8..<9)
      touch(.ended, 180)
      #expect(list.selected == [3])
      touch(.began, 100)
      touch(.ended, 100)
      #expect(list.selected == [4])
    }

    @Test("A row that is loaded anew while it is moved stays where it is, and none is drawn as pressed")
    func reloadedWhileMoved() throws {
      let list = try several()
      list.numbers.canMove = true
      press(list, point(2))
      list.stage.send(.move(60, 100))
      list.stage.settle()
      #expect(list.table.visibleCells.filter(\.isHighlighted).map(\.textLabel.text) == ["2"])
      list.table.reloadRows(at: [path(2)])
      list.stage.settle()
      #expect(list.table.core.pointer.drag.kind == .none)
      #expect(list.shown == Array(0..<10) && list.table.visibleCells.filter(\.isHighlighted).isEmpty)
    }

    @Test("A rectangle whose pressed row is loaded anew ends, and leaves what it has selected")
    func reloadedDuringBand() throws {
      let list = try several()
      list.table.selectRow(at: path(9))
      press(list, point(1))
      list.stage.send(.move(60, 80))
      #expect(list.selected == [1, 2, 3])
      _ = list.numbers.take()
      list.table.reloadRows(at: [path(1)])
      list.stage.settle()
      #expect(list.table.core.pointer.drag.kind == .none)
      #expect(list.selected == [1, 2, 3] && list.numbers.take() == [])
    }

    /// Scrolls to what the user selects.
    private final class Scrolling: TableViewDelegate {
      func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {
        tableView.scrollToRow(at: indexPath, at: .middle)
      }
    }

    @Test("A rectangle whose delegate scrolls to what is selected does not go on by that")
    func delegateScrolls() throws {
      let (list, delegate) = (try several(10_000, scrolledTo: 15), Scrolling())
      defer { withExtendedLifetime(delegate) {} }
      list.table.delegate = delegate
      press(list, point(5))
      list.stage.send(.move(60, 126))
      #expect(list.table.core.pointer.drag.kind == .band)
      #expect(list.selected.starts(with: [20, 21]) && list.selected.count < 30)
    }

    // MARK: The wheel

    private func turn(_ list: ListStage, _ lines: Double) {
      let place = Point(x: 60, y: 100)
      list.stage.send(.scroll(Scroll(deltaX: 0, deltaY: lines, isPrecise: false, location: place)))
    }

    @Test("A rectangle selects up to the pointer at once when the wheel scrolls beneath it")
    func wheelDuringBand() throws {
      let list = try several()
      press(list, point(1))
      list.stage.send(.move(60, 120))
      #expect(list.selected == [1, 2, 3, 4, 5])
      turn(list, 2)
      #expect(list.table.contentOffset.y == 120 && list.selected == Array(1...11))
      let overlay = try #require(list.table.core.pointer.drag.overlay)
      #expect(overlay.frame.origin.y == 120 && overlay.frame.size.height == 111)
      turn(list, -1)
      #expect(list.selected == Array(1...8))
      press(list, Point(x: 60, y: 120), isDown: false)
      #expect(list.selected == Array(1...8))
      turn(list, 1)
      #expect(list.selected == Array(1...8))
    }

    @Test("The mark of a moved row follows the wheel")
    func wheelDuringMove() throws {
      let list = try several()
      list.numbers.canMove = true
      press(list, point(1))
      list.stage.send(.move(60, 105))
      #expect(list.table.core.pointer.drag.overlay?.frame.origin.y == 99)
      turn(list, 1)
      #expect(list.table.core.pointer.drag.overlay?.frame.origin.y == 159)
      press(list, Point(x: 60, y: 105), isDown: false)
      #expect(list.numbers.sections[0][1...8] == [2, 3, 4, 5, 6, 7, 1, 8])
    }
  }
}
