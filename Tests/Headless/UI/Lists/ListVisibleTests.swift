import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What a list answers of the cells in sight between a change and the next layout.
  @MainActor @Suite("Cells in sight") struct ListVisibleTests {
    private func path(_ row: Int, _ section: Int = 0) -> IndexPath { IndexPath(row: row, section: section) }

    @Test("A row that was inserted has its cell at once, in which the program begins editing")
    func inserted() throws {
      let list = try ListStage(Numbers(Array(0..<50)))
      #expect(list.shown == Array(0..<10))
      list.numbers.sections[0].insert(99, at: 1)
      list.table.insertRows(at: [path(1)])
      let (cell, field) = (try #require(list.table.cellForRow(at: path(1))), TextField())
      cell.addSubview(field)
      #expect(cell.textLabel.text == "99" && field.becomeFirstResponder())
      #expect(list.table.visibleCells.map(\.textLabel.text) == ([0, 99] + Array(1..<9)).map { "\($0)" })
      #expect(list.table.indexPathsForVisibleRows == (0..<10).map { path($0) })
      list.stage.settle()
      #expect(field.isFirstResponder && list.table.cellForRow(at: path(1)) === cell)
    }

    @Test("The rows in sight are those of the place that the program has scrolled to, and of what it has loaded anew")
    func scrolled() throws {
      let list = try ListStage(Numbers(Array(0..<50)))
      #expect(list.shown == Array(0..<10))
      list.table.scrollToRow(at: path(49))
      #expect(list.table.indexPathsForVisibleRows == (40..<50).map { path($0) })
      #expect(list.table.cellForRow(at: path(0)) == nil && list.table.cellForRow(at: path(49))?.textLabel.text == "49")
      list.table.contentOffset = .zero
      #expect(list.table.visibleCells.map(\.textLabel.text) == (0..<10).map { "\($0)" })
      list.numbers.sections[0] = [7, 8]
      list.table.reloadData()
      #expect(list.table.visibleCells.map(\.textLabel.text) == ["7", "8"])
      // One that has no room yet has none in sight.
      let other = TableView()
      other.dataSource = list.numbers
      #expect(other.visibleCells.isEmpty && other.cellForRow(at: path(0)) == nil)
      other.frame = ListStage.frame
      #expect(other.visibleCells.count == 2)
    }

    @Test("The items of a collection in sight are those after a change, too")
    func collection() throws {
      final class Items: CollectionViewDataSource {
        var count = 50
        func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int { count }
        func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> CollectionViewCell {
          CollectionViewCell()
        }
      }
      let (items, view) = (Items(), CollectionView())
      view.collectionViewLayout.itemSize = Size(width: 184, height: 42)
      view.dataSource = items
      let stage = try UIStage(view, ListStage.frame)
      stage.settle()
      #expect(view.indexPathsForVisibleItems == (0..<4).map { path($0) })
      view.scrollToItem(at: path(49))
      #expect(view.indexPathsForVisibleItems.last == path(49) && view.cellForItem(at: path(49)) != nil)
      items.count = 1
      view.deleteItems(at: (1..<50).map { path($0) })
      #expect(view.indexPathsForVisibleItems == [path(0)] && view.visibleCells.count == 1)
    }

    @Test("A program that has changed its rows, and has not said so yet, is asked for none that are gone")
    func untold() throws {
      let list = try ListStage(Numbers(Array(0..<50)))
      #expect(list.shown == Array(0..<10))
      list.table.scrollToRow(at: path(49))
      list.numbers.sections[0].removeLast(20)
      #expect(list.table.cellForRow(at: path(49)) == nil && list.table.visibleCells.count <= 10)
      list.table.deleteRows(at: (30..<50).map { path($0) })
      #expect(list.table.visibleCells.map(\.textLabel.text) == (20..<30).map { "\($0)" })
      list.table.performBatchUpdates {
        list.numbers.sections[0].removeFirst(25)
        list.table.deleteRows(at: (0..<25).map { path($0) })
        _ = (list.table.visibleCells, list.table.cellForRow(at: path(29)))
      }
      #expect(list.table.visibleCells.map(\.textLabel.text) == (25..<30).map { "\($0)" })
    }

    @Test("A program that asks for the cells in sight while it is asked or told of some gets those that there are")
    func asking() throws {
      final class Asking: TableViewDataSource, TableViewDelegate {
        var count = 50
        var calls: [String: Int] = [:]
        func ask(_ table: TableView, _ name: String) {
          calls[name, default: 0] += 1
          _ = (table.visibleCells, table.indexPathsForVisibleRows, table.cellForRow(at: IndexPath(row: 3, section: 0)))
        }
        func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
          ask(table, "count")
          return count
        }
        func tableView(_ table: TableView, cellForRowAt path: IndexPath) -> TableViewCell {
          ask(table, "cell")
          return TableViewCell()
        }
        func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> String? {
          ask(table, "title")
          return nil
        }
        func tableView(_ table: TableView, heightForRowAt path: IndexPath) -> Int {
          ask(table, "height")
          return 20
        }
        func tableView(_ table: TableView, willDisplay cell: TableViewCell, forRowAt path: IndexPath) {
          ask(table, "display")
        }
        func tableView(_ table: TableView, didEndDisplaying cell: TableViewCell, forRowAt path: IndexPath) {
          ask(table, "end")
        }
        func scrollViewDidScroll(_ view: ScrollView) { if let table = view as? TableView { ask(table, "scroll") } }
      }
      final class Table: TableView {
        override func layoutSubviews() {
          super.layoutSubviews()
          setNeedsLayout()
          _ = visibleCells
        }
      }
      let (asking, table) = (Asking(), Table())
      table.dataSource = asking
      table.delegate = asking
      let stage = try UIStage(table, ListStage.frame)
      stage.settle()
      #expect(table.visibleCells.count == 10)
      table.scrollToRow(at: path(49))
      #expect(table.indexPathsForVisibleRows == (40..<50).map { path($0) })
      asking.count = 45
      table.deleteRows(at: (45..<50).map { path($0) })
      #expect(table.indexPathsForVisibleRows == (35..<45).map { path($0) })
      asking.count = 4
      table.reloadData()
      #expect(table.visibleCells.count == 4)
      stage.settle()
      #expect(table.visibleCells.count == 4)
      #expect(Set(asking.calls.keys) == ["count", "cell", "title", "height", "display", "end", "scroll"])
    }

    /// A cell that calls the program as its state changes.
    private final class Cell: TableViewCell {
      var whenChanged: (@MainActor (Cell) -> Void)?
      override func stateDidChange() {
        super.stateDidChange()
        whenChanged?(self)
      }
    }

    /// Gives a list such cells, and no others.
    private func register(_ list: ListStage, whenChanged: @escaping @MainActor (Cell) -> Void) {
      list.table.dataSource = nil
      list.stage.settle()
      list.table.register(
        {
          let cell = Cell()
          cell.whenChanged = whenChanged
          return cell
        }, forCellReuseIdentifier: "number")
      list.table.dataSource = list.numbers
      list.stage.settle()
    }

    @Test("Cells that ask for those in sight while the selection changes are all drawn as their rows are")
    func askingCells() throws {
      // The order in which cells are told is that of a dictionary, another one in each list.
      for _ in 0..<20 {
        let list = try ListStage(Numbers(Array(0..<50)))
        register(list) { [weak table = list.table] _ in _ = table?.visibleCells }
        list.table.selectRow(at: path(3))
        list.stage.settle()
        list.table.scrollToRow(at: path(40))
        list.table.selectRow(at: path(40))
        let selected = list.table.visibleCells.filter(\.isSelected).map(\.textLabel.text)
        #expect(selected == ["40"])
      }
    }

    @Test("A cell that changes the rows as its own comes in sight selected is displayed once, or not at all")
    func changingCells() throws {
      final class Told: TableViewDelegate {
        var log: [String] = []
        func tableView(_ table: TableView, willDisplay cell: TableViewCell, forRowAt path: IndexPath) {
          log.append("+\(cell.textLabel.text)@\(path.row)")
        }
        func tableView(_ table: TableView, didEndDisplaying cell: TableViewCell, forRowAt path: IndexPath) {
          log.append("-\(cell.textLabel.text)")
        }
      }
      for isInserted in [true, false] {
        let (list, told) = (try ListStage(Numbers(Array(0..<50))), Told())
        var mayChange = true
        register(list) { [weak table = list.table, numbers = list.numbers] cell in
          guard cell.isSelected, mayChange, cell.textLabel.text == "20" else { return }
          mayChange = false
          if isInserted {
            numbers.sections[0].insert(99, at: 0)
            table?.insertRows(at: [IndexPath(row: 0, section: 0)])
          } else {
            numbers.sections[0].removeAll { $0 == 20 }
            table?.deleteRows(at: [IndexPath(row: 20, section: 0)])
          }
        }
        list.table.delegate = told
        list.table.selectRow(at: path(20))
        list.table.scrollToRow(at: path(20))
        list.stage.settle()
        #expect(!mayChange)
        #expect(told.log.filter { $0.hasPrefix("+20") } == (isInserted ? ["+20@21"] : []))
        list.table.scrollToRow(at: path(0))
        list.stage.settle()
        #expect(told.log.filter { $0 == "-20" } == (isInserted ? ["-20"] : []))
      }
    }

    @Test("A program that asks for the cells in sight while it makes one for a text has none placed within it")
    func askingForText() throws {
      final class Asking: TableViewDataSource {
        var isAsked = false
        var within = 0
        func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 50 }
        func tableView(_ table: TableView, cellForRowAt path: IndexPath) -> TableViewCell {
          let cell = TableViewCell()
          cell.textLabel.text = "r\(path.row)"
          guard !isAsked else {
            within += 1
            return cell
          }
          isAsked = true
          defer { isAsked = false }
          table.setNeedsLayout()
          _ = table.visibleCells
          return cell
        }
      }
      let (asking, table) = (Asking(), TableView())
      table.rowHeight = 20
      table.dataSource = asking
      let stage = try UIStage(table, ListStage.frame)
      stage.settle()
      table.becomeFirstResponder()
      table.reloadData()
      table.selectRow(at: path(45))
      stage.command("c")
      #expect(stage.program.platform.pasteboards.items[.general]?.first.map { Array($0.data) } == Array("r45".utf8))
      #expect(asking.within == 0)
    }
  }
}
