import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Copying in tables and collections: by keys, by the *Edit* menu, and by selecting.
  @MainActor @Suite("Copying in lists") struct ListCopyingTests {
    private func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }

    private func copied(_ stage: UIStage, _ name: PasteboardName = .general) -> String? {
      stage.program.platform.pasteboards.items[name]?.first.map { String(decoding: $0.data, as: UTF8.self) }
    }

    /// Fruits with their prices, the second of which is not to be copied.
    private final class Fruits: TableViewDataSource {
      static let names = ["apple", "banana", "cherry"]
      func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { Self.names.count }
      func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell { TableViewCell() }
      func tableView(_ tableView: TableView, textForCopyingRowAt indexPath: IndexPath) -> String? {
        indexPath.row == 1 ? nil : Self.names[indexPath.row]
      }
    }

    @Test("Control-A and Control-C copy each selected row on a line, as its cell shows it")
    func keys() throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      list.table.allowsMultipleSelection = true
      list.click(2)
      #expect(copied(list.stage, .primary) == "2" && copied(list.stage) == nil)
      list.table.cellForRow(at: path(3))?.detailTextLabel.text = "three"
      list.stage.press([KeySymbol.down], with: .shift)
      #expect(copied(list.stage, .primary) == "2\n3\tthree")
      list.stage.command("c")
      #expect(copied(list.stage) == "2\n3\tthree")
      // Rows out of sight have cells made, which are used again.
      list.stage.command("a")
      list.stage.press([KeySymbol.insert], with: .control)
      #expect(copied(list.stage) == (0..<100).map { $0 == 3 ? "3\tthree" : "\($0)" }.joined(separator: "\n"))
      #expect(list.numbers.made == 11 && list.shown == Array(0..<10))
      list.table.scrollToRow(at: path(50))
      #expect(list.shown == Array(41..<51))
    }

    @Test("What the data source says is copied, and nothing of a row that it keeps to itself")
    func answered() throws {
      let (table, fruits) = (TableView(), Fruits())
      table.allowsMultipleSelection = true
      table.dataSource = fruits
      let stage = try UIStage(table, ListStage.frame)
      table.becomeFirstResponder()
      table.selectRow(at: path(1))
      table.copy()
      #expect(copied(stage) == nil)
      stage.command("a")
      #expect(copied(stage, .primary) == "apple\ncherry")
      stage.command("c")
      #expect(copied(stage) == "apple\ncherry")
      // The program's own selections are not the user's.
      table.selectRow(at: nil)
      table.selectRow(at: path(0))
      #expect(copied(stage, .primary) == "apple\ncherry")
    }

    @Test("An Edit menu has Copy where rows are selected, Select All where several may be, and the others of the chain")
    func validated() throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.table.becomeFirstResponder()
      func enabled() -> [String] {
        let items = Menu.standardEdit.items
        return items.filter { $0.validate(from: list.table) }.map(\.title)
      }
      #expect(enabled() == [])
      list.click(4)
      #expect(enabled() == ["Copy"])
      list.table.allowsMultipleSelection = true
      #expect(enabled() == ["Copy", "Select All"])
      list.numbers.sections = [[]]
      list.table.reloadData()
      #expect(enabled() == [])
      for command in EditCommands.all { #expect(!list.table.canPerformAction(command.action, withSender: nil)) }
    }

    @Test("What a text has made of an item of a menu is not so for a list, and what the program sets is")
    func validatedByText() throws {
      let (list, text, items) = (try ListStage(Numbers(Array(0..<30))), TextView(), Menu.standardEdit.items)
      list.table.allowsMultipleSelection = true
      func enabled(_ target: Responder) -> [String] { items.filter { $0.validate(from: target) }.map(\.title) }
      list.click(4)
      #expect(enabled(text) == ["Paste"])
      #expect(enabled(list.table) == ["Copy", "Select All"])
      let copy = try #require(items.first { $0.title == "Copy" })
      #expect(enabled(text) == ["Paste"] && copy.attributes == .disabled)
      copy.attributes = .disabled
      #expect(enabled(list.table) == ["Select All"])
      text.text = "text"
      text.selectAll()
      #expect(enabled(text) == ["Cut", "Copy", "Paste"])
      #expect(enabled(list.table) == ["Select All"])
    }

    @Test("Keys that a list does not perform go on to what it is in")
    func passedOn() throws {
      final class Page: View, ResponderStandardEditActions {
        var log: [String] = []
        override var keyCommands: [KeyCommand] { EditCommands.all }
        func cut(_ sender: AnyObject?) { log.append("cut") }
        func copy(_ sender: AnyObject?) { log.append("copy") }
        func paste(_ sender: AnyObject?) { log.append("paste") }
        func selectAll(_ sender: AnyObject?) { log.append("all") }
        func undo(_ sender: AnyObject?) { log.append("undo") }
        func redo(_ sender: AnyObject?) { log.append("redo") }
      }
      let (page, table, numbers) = (Page(), TableView(), Numbers([1, 2]))
      table.register(TableViewCell.init, forCellReuseIdentifier: "number")
      table.frame = ListStage.frame
      table.dataSource = numbers
      page.addSubview(table)
      let stage = try UIStage { $0.rootView = page }
      table.becomeFirstResponder()
      for letter: Unicode.Scalar in ["x", "c", "v", "a", "z", "y"] { stage.command(letter) }
      #expect(page.log == ["cut", "copy", "paste", "all", "undo", "redo"])
      stage.press([KeySymbol.down])
      stage.command("c")
      #expect(page.log.count == 6 && copied(stage) == "1")
    }

    @Test("A rectangle becomes the primary selection when it ends, and a selection of more than 1,000 does not")
    func primary() throws {
      let list = try ListStage(Numbers(Array(0..<5)))
      list.table.allowsMultipleSelection = true
      list.stage.send(.press(60, 180), .move(60, 100))
      #expect(copied(list.stage, .primary) == nil && list.selected == [4])
      list.stage.send(.move(60, 60), .release(60, 60))
      #expect(copied(list.stage, .primary) == "2\n3\n4")
      list.numbers.sections = [Array(0..<1001)]
      list.table.reloadData()
      list.stage.command("a")
      #expect(list.selected.count == 1001 && copied(list.stage, .primary) == "2\n3\n4")
      list.stage.press([KeySymbol.end, KeySymbol.home], with: .shift)
    }

    @Test("A data source that changes the list while it is asked ends the copying")
    func changing() throws {
      final class Fickle: TableViewDataSource {
        weak var table: TableView?
        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 3 }
        func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell { TableViewCell() }
        func tableView(_ tableView: TableView, textForCopyingRowAt indexPath: IndexPath) -> String? {
          table?.reloadData()
          return "text"
        }
      }
      let (table, rows) = (TableView(), Fickle())
      table.dataSource = rows
      rows.table = table
      let stage = try UIStage(table, ListStage.frame)
      table.selectRow(at: path(1))
      table.copy()
      #expect(copied(stage) == nil)
    }

    @Test("A collection copies as a table does")
    func collection() throws {
      final class Cell: CollectionViewCell {
        let label = Label()
        override init() {
          super.init()
          addSubview(label)
        }
      }
      let view = CollectionView(
        collectionViewLayout: CollectionViewFlowLayout(itemSize: Size(width: 40, height: 40)))
      view.register(Cell.init, forCellWithReuseIdentifier: "cell")
      view.allowsMultipleSelection = true
      let source = CollectionViewDiffableDataSource<String, Int>(collectionView: view) { view, path, item in
        let cell = view.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        (cell as? Cell)?.label.text = "item \(item)"
        return cell
      }
      var snapshot = DiffableDataSourceSnapshot<String, Int>()
      snapshot.appendSections(["one"])
      snapshot.appendItems(Array(0..<60))
      source.apply(snapshot)
      let stage = try UIStage(view, ListStage.frame)
      view.becomeFirstResponder()
      stage.press([KeySymbol.end])
      #expect(copied(stage, .primary) == "item 59")
      stage.command("a")
      stage.command("c")
      #expect(copied(stage) == (0..<60).map { "item \($0)" }.joined(separator: "\n"))
      withExtendedLifetime(source) {}
    }
  }
}
