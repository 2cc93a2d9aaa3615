import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// What a table shows, and what the user does with it.
  @MainActor @Suite("Tables") struct TableViewTests {
    private func path(_ row: Int, _ section: Int = 0) -> IndexPath { IndexPath(row: row, section: section) }

    // MARK: Cells

    @Test("A table of a million rows makes cells for those in sight, and uses them again")
    func million() throws {
      let list = try ListStage(Numbers(Array(0..<1_000_000)))
      #expect(list.shown == Array(0..<10) && list.numbers.made == 10 && list.numbers.asked == 10)
      for step in 1...200 {
        list.stage.send(.scroll(Scroll(deltaX: 0, deltaY: 1, isPrecise: false, location: Point(x: 60, y: 60))))
        #expect(list.shown.first == 3 * step)
      }
      #expect(list.numbers.made <= 12 && list.table.subviews.count <= 14)
      list.table.scrollToRow(at: path(999_999))
      #expect(list.shown == Array(999_990..<1_000_000))
      #expect(list.numbers.made <= 12)
      let row = try #require(list.table.rectForRow(at: path(999_999)))
      #expect(row == Rect(x: 0, y: 19_999_980, width: 200, height: 20))
      #expect(list.table.indexPathForRow(at: Point(x: 0, y: 19_999_980)) == path(999_999))
    }

    @Test("What is far down is drawn as what is at the top")
    func drawnFarDown() throws {
      final class Many: TableViewDataSource {
        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 1 << 31 }
        func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
          let cell = TableViewCell()
          cell.textLabel.text = "7"
          return cell
        }
      }
      let (table, rows) = (TableView(), Many())
      table.rowHeight = 20
      table.dataSource = rows
      let stage = try UIStage(table, ListStage.frame)
      let top = try stage.pixels(ListStage.frame.inset(x: 12, y: 0))
      table.scrollToRow(at: path((1 << 31) - 1), at: .bottom)
      #expect(try stage.pixels(ListStage.frame.inset(x: 12, y: 0)) == top)
      #expect(table.indexPathsForVisibleRows.last == path((1 << 31) - 1) && table.visibleCells.count == 10)
    }

    @Test("Cells of kinds that are not registered are plain, and the error says what to do")
    func unknownKind() throws {
      let numbers = Numbers([1, 2])
      let table = TableView()
      table.dataSource = numbers
      let stage = try UIStage(table, ListStage.frame)
      stage.settle()
      #expect(table.visibleCells.map(\.textLabel.text) == ["1", "2"])
    }

    @Test("A text that is edited in a cell stays when its row goes out of sight")
    func edited() throws {
      let numbers = Numbers(Array(0..<100))
      let list = try ListStage(numbers)
      let field = TextField()
      let cell = try #require(list.table.cellForRow(at: path(2)))
      field.frame = Rect(x: 80, y: 0, width: 80, height: 20)
      cell.addSubview(field)
      field.becomeFirstResponder()
      list.stage.type("ab")
      list.table.scrollToRow(at: path(90))
      #expect(list.shown.contains(90))
      list.stage.type("c")
      #expect(field.text == "abc" && field.isFirstResponder)
      #expect(
        !list.table.visibleCells.contains { $0 === cell } && !list.table.indexPathsForVisibleRows.contains(path(2)))
      list.table.scrollToRow(at: path(0))
      #expect(list.shown.first == 0 && list.table.cellForRow(at: path(2)) === cell)
    }

    // MARK: Selection

    @Test("A press selects, and the delegate hears of what has changed")
    func clicks() throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.click(3)
      #expect(list.selected == [3] && list.numbers.take() == ["+3"])
      list.click(5)
      #expect(list.selected == [5] && list.numbers.take() == ["-3", "+5"])
      list.click(5, modifiers: .control)
      #expect(list.selected == [] && list.numbers.take() == ["-5"])
      list.click(4, modifiers: .shift)
      #expect(list.selected == [4])
    }

    @Test("A cell is selected when the delegate hears that it comes in sight, as is its row")
    func selectedBeforeShown() throws {
      final class Rows: TableViewDelegate {
        var shown: [Int: Bool] = [:]
        func tableView(_ table: TableView, willDisplay cell: TableViewCell, forRowAt path: IndexPath) {
          shown[path.row] = cell.isSelected
        }
      }
      let list = try ListStage(Numbers(Array(0..<100)))
      let rows = Rows()
      list.table.delegate = rows
      list.click(1)
      for row in [60, 0] {
        list.table.scrollToRow(at: path(row), at: .top)
        list.stage.settle()
      }
      #expect(rows.shown[1] == true && rows.shown.count { $0.value } == 1 && rows.shown.count == 20)
      list.table.selectRow(at: path(50))
      rows.shown = [:]
      list.table.scrollToRow(at: path(45), at: .top)
      list.stage.settle()
      #expect(rows.shown.filter(\.value).map(\.key) == [50])
    }

    @Test("A click on the row that is selected asks and tells the delegate again, as a tap does")
    func selectedAgain() throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.click(3)
      list.click(3)
      #expect(list.selected == [3] && list.numbers.take() == ["+3", "+3"])
      for phase in [Touch.Phase.began, .ended] {
        list.stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 60, y: 86))))
      }
      #expect(list.numbers.take() == ["+3"])
      list.numbers.refused = [3]
      list.click(3)
      #expect(list.selected == [3] && list.numbers.take() == [])
      list.numbers.refused = []
      // A release elsewhere is none, nor is a key that finds nothing else to select.
      list.stage.send(.press(60, 86), .move(60, 126), .release(60, 126))
      #expect(list.numbers.take() == [])
      list.stage.press([KeySymbol.home])
      #expect(list.numbers.take() == ["-3", "+0"])
      list.stage.press([KeySymbol.home, KeySymbol.up])
      #expect(list.selected == [0] && list.numbers.take() == [])
      list.table.allowsMultipleSelection = true
      list.click(4, modifiers: .shift)
      _ = list.numbers.take()
      list.numbers.refused = [2]
      list.click(2)
      #expect(list.selected == [0, 1, 2, 3, 4] && list.numbers.take() == [])
      list.numbers.refused = []
      list.click(2)
      #expect(list.selected == [2] && list.numbers.take() == ["-0", "-1", "-3", "-4", "+2"])
    }

    @Test("Another row that the delegate answers is selected in place of the one that the user has chosen")
    func redirected() throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.numbers.redirected = [4: path(5), 8: path(99)]
      list.click(4)
      #expect(list.selected == [5] && list.numbers.take() == ["+5"])
      // The arrows go on from there.
      list.stage.press([KeySymbol.down])
      #expect(list.selected == [6] && list.numbers.take() == ["-5", "+6"])
      // No row of the table, so that none is selected.
      list.click(8)
      #expect(list.selected == [6] && list.numbers.take() == [])
      list.click(5)
      list.click(4)
      #expect(list.selected == [5] && list.numbers.take() == ["-6", "+5"])
      // One that is selected already.
      list.numbers.redirected[5] = path(6)
      list.click(5)
      #expect(list.selected == [6] && list.numbers.take() == ["-5", "+6"])
      list.numbers.redirected[5] = nil
      list.click(5)
      _ = list.numbers.take()
      list.table.allowsMultipleSelection = true
      list.click(2, modifiers: .control)
      list.numbers.redirected[7] = path(9)
      list.click(7, modifiers: .control)
      #expect(list.selected == [2, 5, 9] && list.numbers.take() == ["+2", "+9"])
      // Of several at once each is agreed to or not.
      list.click(1)
      _ = list.numbers.take()
      list.click(4, modifiers: .shift)
      #expect(list.selected == [1, 2, 3, 4] && list.numbers.take() == ["+2", "+3", "+4"])
    }

    @Test("A row that the delegate refuses is not selected, and the selection stays")
    func refused() throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.numbers.refused = [6]
      list.click(4)
      list.click(6)
      #expect(list.selected == [4] && list.numbers.take() == ["+4"])
      // Nor is it opened.
      list.stage.press([KeySymbol.return])
      list.click(5)
      list.stage.press([KeySymbol.down, KeySymbol.return])
      #expect(list.selected == [5] && list.numbers.take() == ["-4", "+5"])
      list.table.core.pointer.activatesOnClick = true
      list.click(6)
      #expect(list.numbers.take() == [])
      list.click(7)
      #expect(list.numbers.take() == ["-5", "+7", "!7"])
      // Where nothing is selected, it is not asked.
      list.table.allowsSelection = false
      list.stage.press([KeySymbol.up, KeySymbol.return])
      #expect(list.numbers.take() == ["!6"])
    }

    @Test("Shift and Control select several rows where several may be selected")
    func several() throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.table.allowsMultipleSelection = true
      list.click(2)
      list.click(5, modifiers: .shift)
      #expect(list.selected == [2, 3, 4, 5] && list.numbers.take() == ["+2", "+3", "+4", "+5"])
      list.click(8, modifiers: .control)
      list.click(3, modifiers: .control)
      #expect(list.selected == [2, 4, 5, 8] && list.numbers.take() == ["+8", "-3"])
      list.click(4)
      #expect(list.selected == [4] && list.numbers.take() == ["-2", "-5", "-8", "+4"])
      list.stage.command("a")
      #expect(list.selected == Array(0..<30))
      list.table.allowsMultipleSelection = false
      #expect(list.selected == [0])
      list.table.allowsSelection = false
      #expect(list.selected == [])
      list.click(4)
      #expect(list.selected == [])
    }

    @Test("A double click and Return open a row")
    func opening() throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.click(3)
      list.click(3, after: 100)
      #expect(list.numbers.take() == ["+3", "!3"])
      list.click(3, after: 100)
      #expect(list.numbers.take() == ["+3"])
      list.stage.press([KeySymbol.return])
      #expect(list.numbers.take() == ["!3"])
      list.stage.press([KeySymbol.down, KeySymbol.keypadEnter])
      #expect(list.numbers.take() == ["-3", "+4", "!4"])
      // Where nothing is selected, too.
      list.table.allowsSelection = false
      list.click(6)
      #expect(list.numbers.take() == [])
      list.click(6, after: 100)
      #expect(list.numbers.take() == ["!6"])
    }

    @Test("The program selects a row where the user may select none, and that row stays")
    func selectedByProgram() throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.click(2)
      list.table.allowsSelection = false
      #expect(list.selected == [])
      list.table.selectRow(at: path(4))
      list.table.selectRow(at: path(5))
      #expect(list.selected == [5])
      list.click(7)
      list.stage.press([KeySymbol.down, KeySymbol.space])
      #expect(list.selected == [5])
      list.numbers.sections[0].insert(-1, at: 0)
      list.table.insertRows(at: [path(0)])
      list.stage.settle()
      #expect(list.table.indexPathsForSelectedRows == [path(6)] && list.selected == [5])
      list.table.deselectRow(at: path(6))
      #expect(list.selected == [])
      _ = list.numbers.take()
    }

    @Test("Arrows and pages move the selection, and the row comes in sight below its header")
    func keys() throws {
      let list = try ListStage(Numbers(Array(0..<50), Array(50..<100)))
      list.numbers.titles = ["First", "Second"]
      list.table.reloadData()
      list.stage.settle()
      list.table.becomeFirstResponder()
      list.stage.press([KeySymbol.down])
      #expect(list.selected == [0])
      list.stage.press([KeySymbol.down, KeySymbol.down, KeySymbol.up])
      #expect(list.selected == [1])
      list.stage.press([KeySymbol.end])
      #expect(list.selected == [99] && list.shown.last == 99)
      list.stage.press([KeySymbol.pageUp])
      #expect(list.selected == [90])
      list.stage.press([KeySymbol.home])
      #expect(list.selected == [0] && list.table.contentOffset.y == 0)
      list.stage.press([KeySymbol.pageDown])
      #expect(list.selected == [9])
      for _ in 0..<45 { list.stage.press([KeySymbol.down]) }
      #expect(list.selected == [54])
      for _ in 0..<4 { list.stage.press([KeySymbol.up]) }
      list.stage.settle()
      #expect(list.selected == [50])
      let row = try #require(list.table.rectForRow(at: path(0, 1)))
      #expect(row.origin.y >= list.table.contentOffset.y + TableSectionTitle.height)
    }

    @Test("Shift extends by keys, and Control moves without selecting")
    func extending() throws {
      let list = try ListStage(Numbers(Array(0..<50)))
      list.table.allowsMultipleSelection = true
      list.click(5)
      list.stage.press([KeySymbol.down, KeySymbol.down], with: .shift)
      #expect(list.selected == [5, 6, 7])
      list.stage.press([KeySymbol.up, KeySymbol.up, KeySymbol.up], with: .shift)
      #expect(list.selected == [4, 5])
      list.stage.press([KeySymbol.down, KeySymbol.down], with: .control)
      #expect(list.selected == [4, 5])
      list.stage.press([KeySymbol.space], with: .control)
      #expect(list.selected == [4, 5, 6])
      list.stage.press([KeySymbol.space], with: .control)
      #expect(list.selected == [4, 5])
      list.stage.press([KeySymbol.space])
      #expect(list.selected == [6])
    }

    @Test("Typing finds a row, and a letter that comes later begins anew")
    func typing() throws {
      let list = try ListStage(Numbers([10, 20, 21, 31, 22, 215]))
      list.table.becomeFirstResponder()
      func type(_ text: String, at time: UInt32) {
        for character in text {
          let key = InputEvent.Kind.type(character.unicodeScalars.first?.value ?? 0, String(character))
          list.stage.program.platform.send(.input(list.stage.id, InputEvent(key, time: time)))
        }
      }
      type("2", at: 1000)
      #expect(list.selected == [20])
      type("1", at: 1400)
      #expect(list.selected == [21])
      type("5", at: 1800)
      #expect(list.selected == [215])
      type("2", at: 4000)
      #expect(list.selected == [20])
      type("2", at: 6000)
      #expect(list.selected == [21])
      type("x", at: 8000)
      #expect(list.selected == [21])
    }

    @Test("Typing finds a row by its letters in upper and lower case of every script")
    func typingInScripts() throws {
      final class Names: TableViewDataSource {
        let names = ["Ankara", "İzmir", "Işık", "ΟΔΟΣ"]
        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { names.count }
        func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
          let cell = TableViewCell()
          cell.textLabel.text = names[indexPath.row]
          return cell
        }
        func tableView(_ tableView: TableView, typeSelectTextForRowAt indexPath: IndexPath) -> String? {
          names[indexPath.row]
        }
      }
      for (typed, row) in [("iz", 1), ("ış", 2), ("οδος", 3)] {
        let (names, table) = (Names(), TableView())
        table.dataSource = names
        let stage = try UIStage(table, ListStage.frame)
        table.becomeFirstResponder()
        stage.type(typed)
        #expect(table.indexPathsForSelectedRows == [path(row)], "\(typed)")
      }
    }

    // MARK: Drags

    @Test("A rectangle selects the rows in it, scrolls at the edge, and Escape takes it back")
    func band() throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      list.table.allowsMultipleSelection = true
      list.click(1)
      list.stage.send(.press(60, 75), .move(70, 85), .move(80, 118))
      #expect(list.selected == [3, 4, 5])
      list.stage.send(.move(80, 95))
      #expect(list.selected == [3, 4])
      list.stage.send(.move(80, 260))
      for _ in 0..<20 { list.stage.settle() }
      #expect(list.table.contentOffset.y > 100 && list.selected.first == 3 && list.selected.count > 15)
      list.stage.press([KeySymbol.escape])
      #expect(list.selected == [1])
      let offset = list.table.contentOffset
      for _ in 0..<5 { list.stage.settle() }
      #expect(list.table.contentOffset == offset, "nothing scrolls after the drag")
      list.stage.send(.release(80, 260))
      #expect(list.selected == [1])
    }

    @Test("A press behind the last row deselects, and begins a rectangle")
    func emptyPart() throws {
      let list = try ListStage(Numbers([1, 2, 3]))
      list.table.allowsMultipleSelection = true
      list.click(1)
      list.click(7)
      #expect(list.selected == [])
      list.stage.send(.press(60, 150), .move(60, 60), .move(70, 35), .release(70, 35))
      #expect(list.selected == [2, 3])
    }

    @Test("A row is moved by dragging it, and by Alt with an arrow; the selection goes with it")
    func moving() throws {
      let numbers = Numbers([0, 1, 2, 3, 4])
      numbers.canMove = true
      let list = try ListStage(numbers)
      list.stage.send(.press(60, 40), .move(60, 50), .move(60, 95), .release(60, 95))
      #expect(numbers.sections == [[0, 2, 3, 1, 4]] && list.shown == [0, 2, 3, 1, 4])
      #expect(list.selected == [1])
      list.stage.press([KeySymbol.up], with: .alternate)
      #expect(numbers.sections == [[0, 2, 1, 3, 4]] && list.shown == [0, 2, 1, 3, 4] && list.selected == [1])
      list.stage.press([KeySymbol.down, KeySymbol.down, KeySymbol.down], with: .alternate)
      #expect(numbers.sections == [[0, 2, 3, 4, 1]] && list.shown == [0, 2, 3, 4, 1] && list.selected == [1])
      // Dropped where it was.
      list.stage.send(.press(60, 100), .move(60, 90), .move(60, 105), .release(60, 105))
      #expect(numbers.sections == [[0, 2, 3, 4, 1]])
      // Cancelled.
      list.stage.send(.press(60, 100), .move(60, 60))
      list.stage.press([KeySymbol.escape])
      list.stage.send(.release(60, 60))
      #expect(numbers.sections == [[0, 2, 3, 4, 1]])
    }

    @Test("A finger scrolls, and a tap selects")
    func touches() throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      func touch(_ phase: Touch.Phase, _ y: Int) {
        list.stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 60, y: y))))
      }
      touch(.began, 150)
      touch(.moved, 110)
      touch(.moved, 50)
      touch(.ended, 50)
      #expect(list.table.contentOffset.y == 100 && list.selected == [])
      touch(.began, 60)
      touch(.ended, 61)
      #expect(list.selected == [7])
    }

    @Test("The scroll bar of a million rows is dragged, and selects none", arguments: [false, true])
    func scrollBar(selectsSeveral: Bool) throws {
      let list = try ListStage(Numbers(Array(0..<1_000_000)))
      list.table.allowsMultipleSelection = selectsSeveral
      list.stage.settle()
      // The thumb is 24 of 200 points long.
      list.stage.send(.press(206, 20), .move(206, 108))
      #expect((499_000...501_000).contains(try #require(list.shown.first)) && list.selected == [])
      list.stage.send(.move(206, 300), .release(206, 300))
      #expect(list.shown.last == 999_999 && list.selected == [])
      // A page up, and the row beside the bar.
      list.stage.send(.press(206, 20), .release(206, 20))
      #expect(list.shown.first == 999_981 && list.selected == [])
      list.stage.send(.press(200, 20), .release(200, 20))
      #expect(list.selected == [999_981])
    }

    @Test("A finger that a list cannot follow scrolls the view around it, and none on the bar selects")
    func touchesAround() throws {
      let (numbers, table, outer) = (Numbers(Array(0..<12)), TableView(), ScrollView())
      table.rowHeight = 20
      table.dataSource = numbers
      table.register(TableViewCell.init, forCellReuseIdentifier: "number")
      table.frame = Rect(x: 0, y: 0, width: 200, height: 200)
      outer.addSubview(table)
      outer.contentSize = Size(width: 200, height: 600)
      let stage = try UIStage(outer, ListStage.frame)
      stage.settle()
      func touch(_ phase: Touch.Phase, _ x: Int, _ y: Int) {
        stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: x, y: y))))
      }
      touch(.began, 60, 150)
      touch(.moved, 60, 90)
      touch(.ended, 60, 90)
      #expect(table.contentOffset.y == 40 && outer.contentOffset.y == 20)
      outer.contentOffset.y = 0
      touch(.began, 206, 50)
      touch(.ended, 206, 50)
      #expect(table.indexPathsForSelectedRows == [])
    }

    // MARK: Changes

    @Test("Rows that come and go leave what is in sight, and the selection")
    func updates() throws {
      let numbers = Numbers(Array(0..<100))
      let list = try ListStage(numbers)
      list.table.scrollToRow(at: path(40), at: .top)
      list.stage.settle()
      list.click(5)
      #expect(list.selected == [45])
      let cell = try #require(list.table.cellForRow(at: path(45)))
      numbers.sections[0].removeSubrange(0..<10)
      numbers.sections[0].insert(contentsOf: [-1, -2, -3], at: 0)
      list.table.performBatchUpdates {
        list.table.deleteRows(at: (0..<10).map { path($0) })
        list.table.insertRows(at: (0..<3).map { path($0) })
      }
      #expect(list.shown == Array(40..<50) && list.selected == [45])
      #expect(list.table.cellForRow(at: path(38)) === cell)
      numbers.sections[0].remove(at: 38)
      list.table.deleteRows(at: [path(38)])
      #expect(list.selected == [] && list.shown == [40, 41, 42, 43, 44, 46, 47, 48, 49, 50])
      let asked = numbers.asked
      list.table.reloadRows(at: [path(35)])
      list.stage.settle()
      #expect(numbers.asked == asked + 1)
    }

    @Test("Updates that do not fit are reported, and the table shows what there is")
    func wrongUpdates() throws {
      let numbers = Numbers(Array(0..<20))
      let list = try ListStage(numbers)
      list.click(2)
      numbers.sections[0].removeLast(15)
      list.table.deleteRows(at: [path(3)])
      #expect(list.shown == [0, 1, 2, 3, 4] && list.selected == [])
      numbers.sections = []
      list.table.reloadData()
      #expect(list.shown == [])
      for symbol in [KeySymbol.down, KeySymbol.end, KeySymbol.pageDown, KeySymbol.return, KeySymbol.space] {
        list.stage.press([symbol])
      }
      list.click(3)
      numbers.sections = [[5], [6]]
      list.table.insertRows(at: [path(0)])
      #expect(list.shown == [5, 6])
    }

    @Test("A delegate that loads the table anew while it is told of a selection does no harm")
    func reentrant() throws {
      final class Reloading: TableViewDelegate {
        let numbers: Numbers
        init(_ numbers: Numbers) { self.numbers = numbers }
        func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {
          numbers.sections = [[indexPath.row]]
          tableView.reloadData()
        }
        func tableView(_ tableView: TableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? {
          tableView.reloadData()
          return indexPath
        }
      }
      let list = try ListStage(Numbers(Array(0..<50)))
      let delegate = Reloading(list.numbers)
      list.table.allowsMultipleSelection = true
      list.table.delegate = delegate
      list.click(8)
      list.stage.command("a")
      #expect(!list.shown.isEmpty)
      list.stage.press([KeySymbol.end], with: .shift)
      #expect(!list.shown.isEmpty)
    }

    @Test("A data source that has fewer rows while it is asked for a cell is asked for no other that is gone")
    func shrinking() throws {
      final class Shrinking: TableViewDataSource {
        var count = 50
        var wrong = 0
        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { count }
        func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
          if indexPath.row >= count { wrong += 1 }
          if indexPath.row == 2, count > 2 {
            count = 2
            tableView.reloadData()
          }
          return TableViewCell()
        }
      }
      let (table, rows) = (TableView(), Shrinking())
      table.dataSource = rows
      let stage = try UIStage(table, ListStage.frame)
      stage.settle()
      #expect(rows.wrong == 0 && table.visibleCells.count == 2)
    }

    @Test("A delegate that loads fewer rows while it is asked for a selection leaves none that is gone")
    func shrinkingSelection() throws {
      final class Refusing: TableViewDelegate {
        let numbers: Numbers
        init(_ numbers: Numbers) { self.numbers = numbers }
        func tableView(_ tableView: TableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? {
          numbers.sections = [[7]]
          tableView.reloadData()
          return indexPath
        }
        func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath) {
          numbers.log.append("!\(numbers.number(indexPath))")
        }
      }
      let list = try ListStage(Numbers(Array(0..<50)))
      let delegate = Refusing(list.numbers)
      list.table.delegate = delegate
      list.click(8)
      list.stage.press([KeySymbol.return, KeySymbol.down, KeySymbol.return])
      #expect(list.shown == [7] && list.selected.allSatisfy { $0 == 7 })
    }

    @Test(
      "What the program changes while it is called is shown by the next layout, and nothing that is gone is asked for",
      arguments: ["show", "hide", "scroll", "select", "deselect"], ["reload", "insert", "delete"])
    func changedWhileCalled(_ call: String, _ change: String) throws {
      final class Changing: TableViewDelegate {
        let numbers: Numbers
        let call: String
        let change: String
        var left = 0
        var changes = 0
        init(_ numbers: Numbers, _ call: String, _ change: String) {
          (self.numbers, self.call, self.change) = (numbers, call, change)
        }
        func called(_ call: String, _ table: TableView) {
          guard call == self.call, left > 0, numbers.sections[0].count > 4 else { return }
          left -= 1
          changes += 1
          switch change {
          case "reload":
            numbers.sections[0].removeLast(numbers.sections[0].count / 2)
            table.reloadData()
          case "insert":
            numbers.sections[0].insert(1000 + left, at: 0)
            table.insertRows(at: [[0, 0]])
          default:
            numbers.sections[0].removeFirst(3)
            table.deleteRows(at: [[0, 0], [0, 1], [0, 2]])
          }
        }
        func tableView(_ table: TableView, willDisplay cell: TableViewCell, forRowAt: IndexPath) {
          called("show", table)
        }
        func tableView(_ table: TableView, didEndDisplaying cell: TableViewCell, forRowAt: IndexPath) {
          called("hide", table)
        }
        func scrollViewDidScroll(_ scrollView: ScrollView) {
          if let table = scrollView as? TableView { called("scroll", table) }
        }
        func tableView(_ table: TableView, didSelectRowAt: IndexPath) { called("select", table) }
        func tableView(_ table: TableView, didDeselectRowAt: IndexPath) { called("deselect", table) }
      }
      let numbers = Numbers(Array(0..<60))
      let list = try ListStage(numbers)
      let delegate = Changing(numbers, call, change)
      list.table.allowsMultipleSelection = true
      list.table.delegate = delegate
      list.table.becomeFirstResponder()
      for key in [KeySymbol.down, KeySymbol.end, KeySymbol.pageUp, KeySymbol.home, KeySymbol.pageDown, KeySymbol.end] {
        delegate.left = 2
        list.stage.press([key])
        list.stage.press([key], with: .shift)
        for _ in 0..<3 { list.stage.settle() }
        // Each cell shows its row, and the rows in sight all have one.
        let shown = list.table.indexPathsForVisibleRows
        #expect(!shown.isEmpty && list.shown == shown.map(numbers.number))
        #expect(list.selected.allSatisfy(numbers.sections[0].contains))
      }
      #expect(delegate.changes > 0)
    }

    @Test(
      "Each row is told of once, where it is then, whatever an earlier call has done with the list",
      arguments: [
        ("insert", ["-2", "-3", "-4", "+7"]), ("delete", ["-2", "-4", "+7"]),
        ("select", ["-2", "-3", "-4", "+7", "+8"]),
        ("deselect", ["-2", "-3", "-4"]), ("reload", ["-2"]),
      ])
    func toldWhileChanged(_ change: String, _ expected: [String]) throws {
      final class Changing: TableViewDelegate {
        let numbers: Numbers
        var change: String?
        init(_ numbers: Numbers) { self.numbers = numbers }
        func tableView(_ table: TableView, didSelectRowAt path: IndexPath) {
          numbers.tableView(table, didSelectRowAt: path)
          #expect(table.indexPathsForSelectedRows.contains(path))
        }
        func tableView(_ table: TableView, didDeselectRowAt path: IndexPath) {
          numbers.tableView(table, didDeselectRowAt: path)
          #expect(!table.indexPathsForSelectedRows.contains(path))
          switch change.take() {
          case "insert":
            numbers.sections[0].insert(contentsOf: [100, 101], at: 0)
            table.insertRows(at: [[0, 0], [0, 1]])
          case "delete":
            numbers.sections[0].removeAll { $0 == 0 || $0 == 3 }
            table.deleteRows(at: [[0, 0], [0, 3]])
          case "reload": table.reloadData()
          case "select": table.core.userSelects(selection([7, 8]))
          case "deselect": table.core.userSelects(selection([]))
          default: break
          }
        }
        private func selection(_ items: [Int]) -> ListSelection { ListSelection(items: RangeSet(sorted: items)) }
      }
      let numbers = Numbers(Array(0..<10))
      let list = try ListStage(numbers)
      list.table.allowsMultipleSelection = true
      list.click(2)
      list.click(4, modifiers: .shift)
      let delegate = Changing(numbers)
      list.table.delegate = delegate
      delegate.change = change
      _ = numbers.take()
      list.click(7)
      #expect(numbers.take() == expected)
    }

    @Test("A row is named right where a delegate deletes rows of the section before meanwhile")
    func toldAcrossSections() throws {
      final class Deleting: TableViewDelegate {
        let numbers: Numbers
        init(_ numbers: Numbers) { self.numbers = numbers }
        func tableView(_ table: TableView, didSelectRowAt path: IndexPath) {
          numbers.tableView(table, didSelectRowAt: path)
        }
        func tableView(_ table: TableView, didDeselectRowAt path: IndexPath) {
          numbers.tableView(table, didDeselectRowAt: path)
          numbers.sections[0].removeLast(2)
          table.deleteRows(at: [[0, 1], [0, 2]])
        }
      }
      let numbers = Numbers([0, 1, 2])
      numbers.sections.append([3, 4, 5, 6, 7])
      let list = try ListStage(numbers)
      list.table.core.userSelects(ListSelection(items: RangeSet(sorted: [0])))
      let delegate = Deleting(numbers)
      list.table.delegate = delegate
      _ = numbers.take()
      list.table.core.userSelects(ListSelection(items: RangeSet(sorted: [3])))
      #expect(numbers.take() == ["-0", "+3"])
    }

    @Test("A press that is interrupted leaves no rectangle, and the list does not scroll by itself afterwards")
    func interrupted() throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      list.table.allowsMultipleSelection = true
      list.stage.send(.press(60, 75), .move(70, 85), .move(80, 260))
      list.stage.settle()
      #expect(list.table.core.pointer.drag.kind == .band && list.selected.count > 2)
      list.stage.window.isHidden = true
      list.stage.settle()
      #expect(list.table.core.pointer.drag.kind == .none && list.selected == [])
      list.stage.window.isHidden = false
      list.stage.settle()
      let offset = list.table.contentOffset
      list.stage.send(.move(80, 100))
      for _ in 0..<5 { list.stage.settle() }
      #expect(list.table.contentOffset == offset && list.selected == [])
      // A finger as well: another one is heard afterwards.
      func touch(_ phase: Touch.Phase, _ y: Int, _ number: Int) {
        list.stage.send(.touch(Touch(identifier: number, phase: phase, location: Point(x: 60, y: y))))
      }
      touch(.began, 60, 1)
      list.stage.window.isHidden = true
      list.stage.settle()
      list.stage.window.isHidden = false
      list.stage.settle()
      touch(.began, 60, 2)
      touch(.ended, 60, 2)
      #expect(list.selected.count == 1)
    }

    @Test("A finger goes on scrolling when rows come")
    func changedWhileScrolling() throws {
      let numbers = Numbers(Array(0..<100))
      let list = try ListStage(numbers)
      func touch(_ phase: Touch.Phase, _ y: Int) {
        list.stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 60, y: y))))
      }
      touch(.began, 150)
      touch(.moved, 110)
      numbers.sections[0].append(100)
      list.table.insertRows(at: [path(100)])
      touch(.moved, 70)
      touch(.ended, 70)
      #expect(list.table.contentOffset.y == 80)
    }

    @Test("A button that is held in a cell acts for no other row")
    func heldButton() throws {
      let numbers = Numbers(Array(0..<100))
      let list = try ListStage(numbers)
      let button = Button("x")
      var presses = 0
      button.addAction(for: .primaryActionTriggered) { presses += 1 }
      let cell = try #require(list.table.cellForRow(at: path(2)))
      button.frame = Rect(x: 100, y: 0, width: 60, height: 20)
      cell.addSubview(button)
      list.stage.send(.press(130, 60))
      #expect(button.isTracking)
      list.table.scrollToRow(at: path(50), at: .top)
      list.stage.settle()
      #expect(!button.isTracking)
      list.stage.send(.release(130, 60))
      #expect(presses == 0)
    }

    @Test("A finger on a button in a cell scrolls the list, selects nothing and presses nothing")
    func fingerOnButton() throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      let button = Button("x")
      var presses = 0
      button.addAction(for: .primaryActionTriggered) { presses += 1 }
      button.frame = Rect(x: 100, y: 0, width: 60, height: 20)
      try #require(list.table.cellForRow(at: path(6))).addSubview(button)
      func touch(_ phase: Touch.Phase, _ y: Int) {
        list.stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 130, y: y))))
      }
      touch(.began, 140)
      #expect(button.isTracking)
      touch(.moved, 100)
      touch(.moved, 40)
      touch(.ended, 40)
      #expect(list.table.contentOffset.y == 100 && list.selected == [] && presses == 0 && !button.isTracking)
      // The list hears of other fingers afterwards.
      touch(.began, 60)
      touch(.ended, 60)
      #expect(list.selected == [7])
    }

    @Test("The place stays although the uppermost row is deleted, and the delegate hears of cells that go")
    func uppermostDeleted() throws {
      let numbers = Numbers(Array(0..<100))
      let list = try ListStage(numbers)
      list.table.scrollToRow(at: path(40), at: .top)
      list.stage.settle()
      let ends = EndedRows()
      list.table.delegate = ends
      numbers.sections[0].removeSubrange(30..<42)
      list.table.deleteRows(at: (30..<42).map { path($0) })
      #expect(ends.rows.sorted() == [40, 41])
      #expect(list.shown == [28, 29, 42, 43, 44, 45, 46, 47, 48, 49])
    }

    @Test("A page goes on by a row that is higher than the table")
    func highRows() throws {
      let list = try ListStage(Numbers(Array(0..<10)))
      list.table.rowHeight = 500
      list.stage.settle()
      list.table.becomeFirstResponder()
      list.stage.press([KeySymbol.home, KeySymbol.pageDown, KeySymbol.pageDown])
      #expect(list.selected == [2])
      list.stage.press([KeySymbol.pageUp])
      #expect(list.selected == [1])
    }

    /// Measures all rows alike.
    private final class Scaled: TableViewDelegate {
      var height = 20
      func tableView(_ table: TableView, heightForRowAt indexPath: IndexPath) -> Int { height }
    }

    private func scaled(_ numbers: Numbers) throws -> (ListStage, Scaled) {
      let (list, delegate) = (try ListStage(numbers), Scaled())
      list.table.delegate = delegate
      list.table.hasVariableRowHeights = true
      return (list, delegate)
    }

    @Test("Heights are asked for again at another scale, and the uppermost row and the selection stay")
    func heightsOfScale() throws {
      let (list, delegate) = try scaled(Numbers(Array(0..<100)))
      list.table.selectRow(at: path(42))
      list.table.scrollToRow(at: path(40), at: .top)
      list.table.contentOffset.y += 15
      #expect(list.shown.first == 40)
      func send(_ scale: Double, _ height: Int) {
        delegate.height = height
        list.stage.program.platform.send(.scale(list.stage.id, scale))
        list.stage.settle()
      }
      send(2, 25)
      #expect(list.table.contentOffset.y == 40 * 25 + 15)
      #expect(list.shown.first == 40 && list.selected == [42])
      // Of a row that is lower than what was above the edge, something stays in sight.
      send(1, 10)
      #expect(list.table.contentOffset.y == 40 * 10 + 9)
      #expect(list.shown.first == 40 && list.selected == [42])
      // The end of the list stays within the view.
      list.table.scrollToRow(at: path(99), at: .bottom)
      send(2, 5)
      #expect(list.table.contentOffset.y == 100 * 5 - 200 && list.shown.last == 99)
    }

    @Test("The uppermost row of another scale is that of the list as the program has changed it meanwhile")
    func changesWithScale() throws {
      let numbers = Numbers(Array(0..<100))
      let (list, delegate) = try scaled(numbers)
      list.table.scrollToRow(at: path(40), at: .top)
      #expect(list.shown.first == 40)
      let parent = try #require(list.table.superview)
      list.table.removeFromSuperview()
      list.stage.program.platform.send(.scale(list.stage.id, 2))
      list.stage.settle()
      delegate.height = 30
      parent.addSubview(list.table)
      numbers.sections[0].removeFirst(10)
      list.table.deleteRows(at: (0..<10).map { path($0) })
      #expect(list.shown.first == 40 && list.table.contentOffset.y == 30 * 30)
    }

    @Test(
      "The uppermost row stays, and is saved, where places are asked for before the rows are laid out for a new scale")
    func placesBeforeLayout() throws {
      let (list, delegate) = try scaled(Numbers(Array(0..<100)))
      list.table.scrollToRow(at: path(40), at: .top)
      #expect(list.shown.first == 40)
      // Its window has another scale before it is laid out again, as while it is hidden.
      delegate.height = 30
      list.stage.window.changeScale(to: 2, keepsPixels: true)
      #expect(list.table.rectForRow(at: path(1))?.origin.y == 30)
      #expect(list.table.core.topPlace()?.item == 40)
      list.stage.settle()
      #expect(list.shown.first == 40 && list.table.contentOffset.y == 40 * 30)
    }

    @Test("A delegate that asks for places while it is asked for heights gets some")
    func placesWhileMeasured() throws {
      final class Asking: TableViewDelegate {
        func tableView(_ table: TableView, heightForRowAt indexPath: IndexPath) -> Int {
          if indexPath.row == 3 { _ = table.indexPathForRow(at: table.rectForRow(at: indexPath)?.origin ?? .zero) }
          return 30
        }
      }
      let list = try ListStage(Numbers(Array(0..<100)))
      let delegate = Asking()
      list.table.delegate = delegate
      #expect(list.shown.count == 7 && list.table.rectForRow(at: path(3))?.origin.y == 90)
    }

    @Test("Rows of different heights are where their heights say")
    func heights() throws {
      final class Tall: TableViewDelegate {
        func tableView(_ tableView: TableView, heightForRowAt indexPath: IndexPath) -> Int { 10 + indexPath.row }
      }
      let numbers = Numbers(Array(0..<1000))
      let list = try ListStage(numbers)
      #expect(!list.table.hasVariableRowHeights && list.shown.count == 10)
      let delegate = Tall()
      list.table.delegate = delegate
      #expect(list.table.hasVariableRowHeights && list.shown.count == 13)
      #expect(list.table.rectForRow(at: path(3)) == Rect(x: 0, y: 33, width: 200, height: 13))
      list.table.scrollToRow(at: path(999))
      #expect(list.shown == [999])
      // The program may say that they are alike, and another delegate has none.
      list.table.hasVariableRowHeights = false
      #expect(list.table.rectForRow(at: path(3)) == Rect(x: 0, y: 60, width: 200, height: 20))
      list.table.hasVariableRowHeights = true
      #expect(list.table.rectForRow(at: path(3)) == Rect(x: 0, y: 33, width: 200, height: 13))
      list.table.delegate = numbers
      #expect(list.table.rectForRow(at: path(3)) == Rect(x: 0, y: 60, width: 200, height: 20))
    }
  }
}
