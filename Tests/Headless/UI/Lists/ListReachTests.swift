import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// What keys reach in a list: the controls in it, the menus of its items, and items beside those that have gone.
  @MainActor @Suite("Lists by keys") struct ListReachTests {
    private func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }

    @Test("Tab goes through the controls of a list from above, whenever their cells were made")
    func tabs() throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      // Back to cells that are used again.
      for row in [50, 53, 49] {
        list.table.scrollToRow(at: path(row), at: .top)
        list.stage.settle()
      }
      let buttons = list.table.visibleCells.map { cell in
        let button = Button("")
        button.frame = Rect(x: 100, y: 0, width: 60, height: 20)
        cell.addSubview(button)
        return button
      }
      #expect(list.shown == Array(49..<59) && list.table.becomeFirstResponder())
      for (row, button) in buttons.enumerated() {
        list.stage.press([KeySymbol.tab])
        #expect(button.isFirstResponder, "\(row)")
      }
      list.stage.press([KeySymbol.tab], with: .control)
      #expect(list.table.isFirstResponder)
      list.stage.press([KeySymbol.tab], with: .shift)
      #expect(buttons.last?.isFirstResponder == true)
    }

    @Test("Tab goes on to the row behind one that was deleted or made anew while the keys were in it", arguments: 0..<4)
    func tabFromGone(_ how: Int) throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      func fill() -> [Button] {
        list.table.visibleCells.map { cell in
          if let button = cell.subviews.lazy.compactMap({ $0 as? Button }).first { return button }
          let button = Button("")
          button.frame = Rect(x: 100, y: 0, width: 60, height: 20)
          cell.addSubview(button)
          return button
        }
      }
      #expect(list.shown == Array(0..<10))
      let buttons = fill()
      buttons[4].becomeFirstResponder()
      switch how {
      case 0:
        list.numbers.sections[0].remove(at: 4)
        list.table.deleteRows(at: [path(4)])
      case 1:
        // Together with rows before and behind it.
        list.numbers.sections[0].removeSubrange(2...5)
        list.table.deleteRows(at: (2...5).map(path))
      case 2: list.table.reloadRows(at: [path(4)])
      default:
        list.numbers.sections[0].removeAll()
        list.table.deleteRows(at: (0..<100).map(path))
      }
      list.stage.settle()
      #expect(list.stage.window.firstResponder == nil)
      let shown = fill()
      list.stage.press([KeySymbol.tab])
      let reached = shown.firstIndex { $0.isFirstResponder }
      #expect(reached == [4, 2, 4, nil][how])
    }

    // MARK: Menus

    private final class MenuTable: TableView {
      var asked: [Int?] = []
      override func contextMenu(at point: Point) -> Menu? {
        asked.append(indexPathForRow(at: point)?.row)
        return nil
      }
    }

    @Test("The menu that a key opens is for the row from which keys go on, which comes in sight")
    func menus() throws {
      let (table, numbers) = (MenuTable(), Numbers(Array(0..<100)))
      table.rowHeight = 20
      table.dataSource = numbers
      table.register(TableViewCell.init, forCellReuseIdentifier: "number")
      let stage = try UIStage(table, ListStage.frame)
      #expect(table.becomeFirstResponder())
      stage.press([KeySymbol.menu])
      #expect(table.asked == [nil], "nothing is selected")
      stage.click(60, 20 + 20 * 3)
      stage.press([KeySymbol.menu])
      #expect(table.asked == [nil, 3])
      table.contentOffset.y = 1000
      stage.settle()
      stage.press([KeySymbol.function(10)], with: .shift)
      #expect(table.asked == [nil, 3, 3] && table.contentOffset.y == 60)
      // The keys are in a row.
      stage.settle()
      let (button, cell) = (Button(""), try #require(table.cellForRow(at: path(7))))
      cell.addSubview(button)
      #expect(button.becomeFirstResponder())
      stage.press([KeySymbol.menu])
      #expect(table.asked.last == 7)
    }

    // MARK: Items that go

    /// A hundred rows, of which one is left when the table calls for what is named.
    private final class Shrinking: TableViewDataSource, TableViewDelegate {
      let cause: String
      var count = 100
      var moves = 0
      init(_ cause: String) { self.cause = cause }
      private func called(_ name: String, _ table: TableView) {
        guard name == cause, count > 1 else { return }
        count = 1
        table.reloadData()
      }
      func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { count }
      func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell { TableViewCell() }
      func tableView(_ tableView: TableView, canMoveRowAt indexPath: IndexPath) -> Bool {
        called("move", tableView)
        return true
      }
      func tableView(_ tableView: TableView, moveRowAt from: IndexPath, to: IndexPath) { moves += 1 }
      func scrollViewDidScroll(_ scrollView: ScrollView) {
        if let table = scrollView as? TableView { called("scroll", table) }
      }
    }

    @Test("A key for a row that goes while the program is called for it is for none", arguments: ["scroll", "move"])
    func goneMeanwhile(_ cause: String) throws {
      let (table, rows) = (MenuTable(), Shrinking(cause))
      table.rowHeight = 20
      table.dataSource = rows
      table.delegate = rows
      let stage = try UIStage(table, ListStage.frame)
      table.selectRow(at: path(50))
      #expect(table.becomeFirstResponder())
      if cause == "scroll" {
        stage.press([KeySymbol.menu])
        #expect(table.asked == [nil])
      } else {
        stage.press([KeySymbol.down], with: .alternate)
      }
      stage.settle()
      #expect(rows.count == 1 && rows.moves == 0 && table.visibleCells.count == 1)
    }

    /// Rows of which few are left when the table asks for a height, a title or their number.
    private final class Trimmed: TableViewDataSource, TableViewDelegate {
      enum Cause: CaseIterable { case height, title, count }
      var count = 100
      let left: Int
      var cause: Cause?
      /// How many calls come before the one that it is.
      var delay = 0
      /// Rows that were asked for and are not there.
      var wrong: [Int] = []
      init(_ left: Int) { self.left = left }
      private func called(_ now: Cause, _ table: TableView) {
        guard now == cause else { return }
        delay -= 1
        guard delay < 0 else { return }
        (cause, count) = (nil, left)
        table.reloadData()
      }
      func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        let count = count
        called(.count, tableView)
        return count
      }
      func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        if indexPath.row >= count { wrong.append(indexPath.row) }
        return TableViewCell()
      }
      func tableView(_ tableView: TableView, heightForRowAt indexPath: IndexPath) -> Int {
        called(.height, tableView)
        return 20
      }
      func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        called(.title, tableView)
        return nil
      }
    }

    enum Request: CaseIterable {
      case scroll, place, select, end, page, menu, width

      @MainActor func ask(_ table: TableView, _ path: IndexPath, _ stage: UIStage) {
        switch self {
        case .scroll: table.scrollToRow(at: path, at: .bottom)
        case .place: #expect(table.rectForRow(at: path) == nil)
        case .select: table.selectRow(at: path, scrollPosition: .top)
        case .end: stage.press([KeySymbol.end])
        case .page: stage.press([KeySymbol.pageDown])
        case .menu: stage.press([KeySymbol.menu])
        case .width: table.frame.size.width = 150
        }
      }
    }

    @Test(
      "Rows that go while a list is asked for heights, titles or counts are none that it scrolls to",
      arguments: [0, 1, 2], Request.allCases)
    func goneWhileAsked(_ left: Int, _ request: Request) throws {
      for cause in Trimmed.Cause.allCases {
        let (table, rows) = (TableView(), Trimmed(left))
        table.dataSource = rows
        table.delegate = rows
        let stage = try UIStage(table, ListStage.frame)
        #expect(table.becomeFirstResponder())
        table.selectRow(at: path(60), scrollPosition: .top)
        stage.settle()
        table.reloadData()
        table.selectRow(at: path(60))
        if cause == .count { table.reloadData() }
        rows.cause = cause
        request.ask(table, path(99), stage)
        stage.settle()
        #expect(rows.cause == nil && rows.wrong == [], "\(cause)")
        #expect(table.numberOfRows(inSection: 0) == left && table.visibleCells.count == left, "\(cause)")
      }
    }

    @Test("Rows that go while a list that follows a change counts them leave no cell behind", arguments: 0...1)
    func goneWhileFollowed(_ delay: Int) throws {
      let (table, rows) = (TableView(), Trimmed(1))
      table.rowHeight = 20
      table.dataSource = rows
      rows.count = 3
      let stage = try UIStage(table, ListStage.frame)
      #expect(table.visibleCells.count == 3)
      rows.count = 4
      (rows.cause, rows.delay) = (.count, delay)
      table.insertRows(at: [path(3)])
      stage.settle()
      #expect(rows.cause == nil && rows.wrong == [] && table.visibleCells.count == 1)
      #expect(table.visibleCells.allSatisfy { !$0.isHidden && $0.superview === table })
    }

    @Test("Keys go on beside a row that is deleted", arguments: [45, 99])
    func deleted(_ row: Int) throws {
      let numbers = Numbers(Array(0..<100))
      let list = try ListStage(numbers)
      list.table.scrollToRow(at: path(row), at: .middle)
      list.stage.settle()
      list.table.selectRow(at: path(row))
      #expect(list.table.becomeFirstResponder())
      numbers.sections[0].remove(at: row)
      list.table.deleteRows(at: [path(row)])
      list.stage.settle()
      #expect(list.selected == [])
      let next = row == 99 ? 98 : 46
      #expect(list.table.visibleCells.filter(\.state.isLead).map(\.textLabel.text) == ["\(next)"])
      list.stage.press([KeySymbol.up])
      #expect(list.selected == [next == 98 ? 97 : 44])
    }

    @Test("Keys go on beside an item that a snapshot has no more")
    func deletedBySnapshot() throws {
      let table = TableView()
      let source = TableViewDiffableDataSource<Int, Int>(tableView: table) { _, _, _ in TableViewCell() }
      var snapshot = DiffableDataSourceSnapshot<Int, Int>()
      snapshot.appendSections([1])
      snapshot.appendItems(Array(0..<100))
      source.apply(snapshot)
      let stage = try UIStage(table, ListStage.frame)
      table.selectRow(at: path(5))
      #expect(table.becomeFirstResponder())
      snapshot.deleteItems([4, 5, 6])
      source.apply(snapshot)
      stage.settle()
      stage.press([KeySymbol.down])
      #expect(table.indexPathsForSelectedRows.compactMap(source.itemIdentifier) == [8])
    }

    @Test("Alt and an arrow move an item of a collection by a line, with Shift by a place to the side")
    func movedByLines() throws {
      let view = CollectionView(collectionViewLayout: CollectionViewFlowLayout(itemSize: Size(width: 40, height: 40)))
      let source = CollectionViewDiffableDataSource<Int, Int>(collectionView: view) { _, _, _ in CollectionViewCell() }
      source.reorderingHandlers.canReorderItem = { _ in true }
      var snapshot = DiffableDataSourceSnapshot<Int, Int>()
      snapshot.appendSections([1, 2])
      snapshot.appendItems(Array(0..<10), toSection: 1)
      snapshot.appendItems([20, 21], toSection: 2)
      source.apply(snapshot)
      // In a page that Alt and the left arrow leave.
      let (page, pages) = (ViewController(), NavigationController(rootViewController: ViewController()))
      pages.pushViewController(page, animated: false)
      let stage = try UIStage { $0.rootViewController = pages }
      stage.settle()
      view.frame = Rect(x: 0, y: 0, width: 200, height: 200)
      page.view.addSubview(view)
      stage.settle()
      view.selectItem(at: [0, 1])
      #expect(view.becomeFirstResponder())
      func press(_ symbol: UInt32) -> [Int] {
        let isSideways = symbol == KeySymbol.left || symbol == KeySymbol.right
        stage.press([symbol], with: isSideways ? [.alternate, .shift] : .alternate)
        stage.settle()
        return source.snapshot().itemIdentifiers(inSection: 1)
      }
      #expect(press(KeySymbol.down) == [0, 2, 3, 4, 5, 1, 6, 7, 8, 9])
      #expect(press(KeySymbol.right) == [0, 2, 3, 4, 5, 6, 1, 7, 8, 9])
      #expect(press(KeySymbol.left) == [0, 2, 3, 4, 5, 1, 6, 7, 8, 9])
      #expect(press(KeySymbol.down) == [0, 2, 3, 4, 5, 6, 7, 8, 9, 1])
      // No further than the section goes.
      #expect(press(KeySymbol.down) == [0, 2, 3, 4, 5, 6, 7, 8, 9, 1])
      #expect(press(KeySymbol.up) == [0, 2, 3, 4, 5, 1, 6, 7, 8, 9])
      #expect(press(KeySymbol.up) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      #expect(press(KeySymbol.up) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      #expect(view.indexPathsForSelectedItems == [[0, 1]] && pages.topViewController === page)
      stage.press([KeySymbol.right], with: .alternate)
      #expect(source.snapshot().itemIdentifiers(inSection: 1) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      stage.press([KeySymbol.left], with: .alternate)
      stage.program.advance(by: 1000)
      #expect(pages.topViewController !== page)
    }
  }
}
