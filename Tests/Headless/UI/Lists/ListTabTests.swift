import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// Tab in a list whose rows have controls.
  @MainActor @Suite("Tab in lists") struct ListTabTests {
    /// A row with two buttons, of which the second one may be hidden.
    private final class ButtonRow: TableViewCell {
      let (first, second) = (Button(""), Button(""))
      override init() {
        super.init()
        for (index, button) in [first, second].enumerated() {
          button.frame = Rect(x: 40 + 70 * index, y: 0, width: 60, height: 20)
          addSubview(button)
        }
      }
    }

    /// Rows of which some have buttons.
    private final class Rows: TableViewDataSource, TableViewDelegate {
      var count: Int
      /// The rows without buttons.
      var plain: Set<Int> = []
      /// The rows whose second button is shown.
      var double: Set<Int> = []
      var displayed = 0
      init(_ count: Int) { self.count = count }
      func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { count }
      func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
        guard let cell = cell as? ButtonRow else { return cell }
        cell.first.title = "\(indexPath.row)"
        cell.second.title = "\(indexPath.row)b"
        cell.first.isHidden = plain.contains(indexPath.row)
        cell.second.isHidden = !double.contains(indexPath.row)
        return cell
      }
      func tableView(_ tableView: TableView, willDisplay cell: TableViewCell, forRowAt indexPath: IndexPath) {
        displayed += 1
      }
    }

    /// A table of ten rows in sight between two buttons.
    @MainActor private final class Form {
      let rows: Rows
      let table = TableView()
      let (before, after) = (Button("before"), Button("after"))
      let stage: UIStage

      init(_ rows: Rows) throws {
        self.rows = rows
        table.rowHeight = 20
        table.register(ButtonRow.init, forCellReuseIdentifier: "row")
        (table.dataSource, table.delegate) = (rows, rows)
        let root = View()
        table.frame = Rect(x: 10, y: 30, width: 200, height: 200)
        before.frame = Rect(x: 10, y: 0, width: 60, height: 20)
        after.frame = Rect(x: 230, y: 0, width: 60, height: 20)
        for view in [before, table, after] { root.addSubview(view) }
        stage = try UIStage { $0.rootView = root }
        stage.settle()
      }

      /// What has the keys.
      var focused: String? {
        guard let first = stage.window.firstResponder else { return nil }
        return first === table ? "table" : (first as? Button)?.title
      }

      /// What has the keys after each of some presses of Tab.
      func tab(_ count: Int = 1, _ modifiers: ModifierFlags = []) -> [String?] {
        (0..<count).map { _ in
          stage.press([KeySymbol.tab], with: modifiers)
          return focused
        }
      }

      /// Whether what has the keys is in sight.
      var isInSight: Bool {
        stage.settle()
        guard let view = stage.window.firstResponder as? View else { return false }
        return table.bounds.contains(view.convert(view.bounds, to: table).origin)
      }

      func select(_ row: Int) {
        table.selectRow(at: IndexPath(row: row, section: 0), scrollPosition: TableView.ScrollPosition.none)
        stage.settle()
      }
    }

    @Test("Tab goes through all rows, which come in sight, and then on, and Shift and Tab back")
    func all() throws {
      let rows = Rows(40)
      rows.double = [9, 20]
      let form = try Form(rows)
      form.before.becomeFirstResponder()
      let titles = (0..<40).flatMap { rows.double.contains($0) ? ["\($0)", "\($0)b"] : ["\($0)"] }
      #expect(form.tab() == ["table"])
      for title in titles { #expect(form.tab() == [title] && form.isInSight) }
      #expect(form.tab(3) == ["after", "before", "table"])
      form.before.becomeFirstResponder()
      #expect(form.tab(2, .shift) == ["after", "39"])
      for title in titles.reversed().dropFirst() { #expect(form.tab(1, .shift) == [title] && form.isInSight) }
      #expect(form.tab(3, .shift) == ["table", "before", "after"])
      #expect(form.table.contentOffset.y == 0)
    }

    @Test("From the list Tab goes to the row from which the arrows go on, also where that is out of sight")
    func lead() throws {
      let rows = Rows(100)
      rows.plain = [30, 31]
      let form = try Form(rows)
      form.select(5)
      form.table.becomeFirstResponder()
      #expect(form.tab(2) == ["5", "6"])
      form.select(20)
      form.table.contentOffset.y = 1400
      form.stage.settle()
      form.table.becomeFirstResponder()
      #expect(form.tab(2) == ["20", "21"] && form.isInSight)
      form.select(30)
      form.table.becomeFirstResponder()
      #expect(form.tab() == ["32"] && form.isInSight)
      // The other way it leaves the list.
      form.table.becomeFirstResponder()
      #expect(form.tab(1, .shift) == ["before"])
    }

    @Test("Tab goes on from a row that has been scrolled out of sight, and comes back to it")
    func scrolled() throws {
      let form = try Form(Rows(100))
      form.table.becomeFirstResponder()
      #expect(form.tab(3) == ["0", "1", "2"])
      form.table.contentOffset.y = 1400
      form.stage.settle()
      #expect(form.tab() == ["3"] && form.isInSight)
      form.table.contentOffset.y = 1400
      form.stage.settle()
      #expect(form.tab(1, .shift) == ["2"] && form.isInSight)
    }

    @Test("Rows without controls are left out, so many at a time, and then the list is left where it is")
    func plain() throws {
      let rows = Rows(1000)
      rows.plain = Set(3..<60).union(70..<1000)
      let form = try Form(rows)
      form.table.becomeFirstResponder()
      #expect(form.tab(4) == ["0", "1", "2", "60"] && form.isInSight)
      #expect(form.tab(1, .shift) == ["2"] && form.isInSight)
      #expect(form.tab(10) == (60..<70).map { "\($0)" } && form.isInSight)
      let offset = form.table.contentOffset
      rows.displayed = 0
      #expect(form.tab() == ["after"] && form.table.contentOffset == offset)
      #expect(rows.displayed < 300)
    }

    @Test("A list whose rows have no controls is left at once, and is not scrolled")
    func none() throws {
      let rows = Rows(1000)
      rows.plain = Set(0..<1000)
      let form = try Form(rows)
      form.select(5)
      let displayed = rows.displayed
      form.before.becomeFirstResponder()
      #expect(form.tab(3) == ["table", "after", "before"])
      #expect(form.tab(3, .shift) == ["after", "table", "before"])
      form.stage.settle()
      #expect(rows.displayed == displayed && form.table.contentOffset.y == 0)
    }

    @Test("Control and Tab leave the rows")
    func leave() throws {
      let form = try Form(Rows(1000))
      form.select(4)
      form.table.becomeFirstResponder()
      #expect(form.tab(2) == ["4", "5"])
      #expect(form.tab(1, .control) == ["after"])
      form.table.becomeFirstResponder()
      #expect(form.tab() == ["4"])
      #expect(form.tab(1, [.control, .shift]) == ["table"])
    }

    @Test("Rows that the program takes away as Tab leaves one are not gone through", arguments: [false, true])
    func gone(_ isAll: Bool) throws {
      let rows = Rows(100)
      let form = try Form(rows)
      form.select(9)
      form.table.becomeFirstResponder()
      #expect(form.tab() == ["9"])
      let observer = ScrollObserver(rows)
      form.table.delegate = observer
      observer.left = isAll ? 0 : 4
      form.stage.press([KeySymbol.tab])
      form.stage.settle()
      #expect(rows.count == observer.left && form.table.visibleCells.count == observer.left)
      form.stage.press([KeySymbol.tab])
      #expect(form.focused != nil)
    }

    /// Leaves few of the rows as the table is scrolled.
    private final class ScrollObserver: TableViewDelegate {
      let rows: Rows
      var left = 0
      init(_ rows: Rows) { self.rows = rows }
      func scrollViewDidScroll(_ scrollView: ScrollView) {
        guard let table = scrollView as? TableView, rows.count > left else { return }
        rows.count = left
        table.reloadData()
      }
    }

    @Test("A field that keeps the keys keeps its row where it is")
    func kept() throws {
      final class Keeper: Button {
        override var canResignFirstResponder: Bool { false }
      }
      let form = try Form(Rows(100))
      let keeper = Keeper("keeper")
      keeper.frame = Rect(x: 0, y: 0, width: 30, height: 20)
      form.table.cellForRow(at: IndexPath(row: 9, section: 0))?.addSubview(keeper)
      #expect(keeper.becomeFirstResponder())
      #expect(form.tab() == ["keeper"] && form.tab(1, .shift) == ["keeper"])
      form.stage.settle()
      #expect(form.table.contentOffset.y == 0)
    }
  }
}
