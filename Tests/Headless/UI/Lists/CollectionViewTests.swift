import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Collections, and snapshots of what lists show.
  @MainActor @Suite("Collections and snapshots") struct CollectionViewTests {
    private typealias Snapshot = DiffableDataSourceSnapshot<String, Int>

    private final class Cell: CollectionViewCell {
      let label = Label()
      override init() {
        super.init()
        addSubview(label)
      }
    }

    /// A collection of 200 by 200 points with items of 40, four in a line, and its data source.
    private func collection(
      _ items: [Int]
    ) throws -> (CollectionView, CollectionViewDiffableDataSource<String, Int>, UIStage) {
      let view = CollectionView(
        collectionViewLayout: CollectionViewFlowLayout(itemSize: Size(width: 40, height: 40)))
      view.register(Cell.init, forCellWithReuseIdentifier: "cell")
      view.allowsMultipleSelection = true
      let source = CollectionViewDiffableDataSource<String, Int>(collectionView: view) { view, path, item in
        let cell = view.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        (cell as? Cell)?.label.text = "\(item)"
        return cell
      }
      source.apply(snapshot(items))
      return (view, source, try UIStage(view, Rect(x: 10, y: 10, width: 200, height: 200)))
    }

    private func snapshot(_ items: [Int]) -> Snapshot {
      var snapshot = Snapshot()
      snapshot.appendSections(["one"])
      snapshot.appendItems(items)
      return snapshot
    }

    private func shown(_ view: CollectionView, _ stage: UIStage) -> [String] {
      stage.settle()
      return view.visibleCells.compactMap { ($0 as? Cell)?.label.text }
    }

    @Test("Items are in lines, and the arrows go to their neighbours")
    func lines() throws {
      let (view, source, stage) = try collection(Array(0..<1000))
      defer { withExtendedLifetime(source) {} }
      #expect(shown(view, stage) == (0..<16).map { "\($0)" })
      #expect(view.rectForItem(at: [0, 5]) == Rect(x: 56, y: 56, width: 40, height: 40))
      stage.click(10 + 60, 10 + 60)
      #expect(view.indexPathsForSelectedItems == [[0, 5]])
      stage.press([KeySymbol.down])
      #expect(view.indexPathsForSelectedItems == [[0, 9]])
      stage.press([KeySymbol.right, KeySymbol.up])
      #expect(view.indexPathsForSelectedItems == [[0, 6]])
      stage.press([KeySymbol.right, KeySymbol.down], with: .shift)
      #expect(view.indexPathsForSelectedItems.map(\.item) == Array(6...11))
      stage.press([KeySymbol.end])
      #expect(view.indexPathsForSelectedItems == [[0, 999]] && shown(view, stage).last == "999")
    }

    @Test("A rectangle that begins between the items selects what it touches")
    func band() throws {
      let (view, source, stage) = try collection(Array(0..<12))
      defer { withExtendedLifetime(source) {} }
      stage.send(.press(10 + 52, 10 + 4), .move(10 + 80, 10 + 30), .move(10 + 110, 10 + 70), .release(120, 80))
      #expect(view.indexPathsForSelectedItems.map(\.item) == [1, 2, 5, 6])
    }

    @Test("Items that stay are selected and in sight, whatever comes and goes around them")
    func snapshots() throws {
      let (view, source, stage) = try collection(Array(0..<1000))
      view.scrollToItem(at: [0, 400], at: .top)
      stage.settle()
      view.selectItem(at: [0, 401])
      view.selectItem(at: [0, 10])
      let cell = try #require(view.cellForItem(at: [0, 401]))
      var snapshot = source.snapshot()
      snapshot.deleteItems(Array(0..<100))
      snapshot.insertItems([-1, -2], beforeItem: 401)
      snapshot.moveItem(405, afterItem: 999)
      source.apply(snapshot)
      stage.settle()
      #expect(source.indexPath(for: 401) == [0, 303] && source.itemIdentifier(for: [0, 303]) == 401)
      #expect(view.indexPathsForSelectedItems == [[0, 303]])
      #expect(view.cellForItem(at: [0, 303]) === cell)
      #expect(shown(view, stage).prefix(5) == ["400", "-1", "-2", "401", "402"])
      source.apply(Snapshot())
      #expect(shown(view, stage) == [] && view.indexPathsForSelectedItems == [] && view.contentOffset.y == 0)
    }

    @Test("Cells are made anew where their content has changed, and nowhere else")
    func reloads() throws {
      var asked: [Int] = []
      let table = TableView()
      let source = TableViewDiffableDataSource<Int, Int>(tableView: table) { _, _, item in
        asked.append(item)
        return TableViewCell()
      }
      let stage = try UIStage(table, ListStage.frame)
      var snapshot = DiffableDataSourceSnapshot<Int, Int>()
      snapshot.appendSections([1, 2])
      snapshot.appendItems([10, 11], toSection: 1)
      snapshot.appendItems([20], toSection: 2)
      source.apply(snapshot)
      stage.settle()
      #expect(asked == [10, 11, 20] && table.numberOfSections == 2)
      snapshot.reloadItems([11, 99])
      snapshot.insertSections([3], beforeSection: 1)
      snapshot.appendItems([30], toSection: 3)
      source.apply(snapshot)
      stage.settle()
      #expect(asked == [10, 11, 20, 30, 11])
      #expect(source.indexPath(for: 20) == [2, 0] && source.snapshot().itemIdentifiers == [30, 10, 11, 20])
      #expect(source.sectionIdentifier(for: 0) == 3 && source.sectionIdentifier(for: 9) == nil)
    }

    @Test("What is twice in a snapshot, or not in it, is left out and reported")
    func wrongSnapshots() throws {
      let (view, source, stage) = try collection([1, 2, 1, 3, 2])
      #expect(shown(view, stage) == ["1", "2", "3"])
      var snapshot = source.snapshot()
      snapshot.appendSections(["one"])
      snapshot.insertItems([5], afterItem: 77)
      snapshot.moveItem(1, afterItem: 77)
      snapshot.appendItems([8], toSection: "none")
      #expect(snapshot.itemIdentifiers == [1, 2, 3] && snapshot.sectionIdentifiers == ["one"])
      snapshot.moveItem(3, beforeItem: 1)
      snapshot.insertItems([2], beforeItem: 3)
      source.apply(snapshot)
      #expect(shown(view, stage) == ["2", "3", "1"])
      var empty = Snapshot()
      empty.appendItems([1])
      #expect(empty.numberOfItems == 0)
    }

    @Test("The user moves an item, and the program may show other items at once")
    func reordering() throws {
      let (view, source, stage) = try collection(Array(0..<8))
      var moved: [[Int]] = []
      source.reorderingHandlers.canReorderItem = { $0 != 0 }
      source.reorderingHandlers.didReorder = { snapshot in
        moved.append(snapshot.itemIdentifiers)
        var snapshot = snapshot
        snapshot.deleteItems([7])
        source.apply(snapshot)
      }
      stage.settle()
      stage.send(.press(10 + 60, 10 + 20), .move(10 + 70, 10 + 20), .move(10 + 145, 10 + 20), .release(155, 30))
      #expect(moved == [[0, 2, 1, 3, 4, 5, 6, 7]])
      #expect(shown(view, stage) == ["0", "2", "1", "3", "4", "5", "6"])
      #expect(view.indexPathsForSelectedItems == [[0, 2]])
    }

    @Test("Each item is told of once, where it is then, whatever an earlier call has done with the collection")
    func toldWhileChanged() throws {
      final class Changing: CollectionViewDelegate {
        let source: CollectionViewDiffableDataSource<String, Int>
        var next: Snapshot?
        var heard: [Int?] = []
        init(_ source: CollectionViewDiffableDataSource<String, Int>) { self.source = source }
        func collectionView(_ collectionView: CollectionView, didSelectItemAt path: IndexPath) {
          heard.append(source.itemIdentifier(for: path))
        }
        func collectionView(_ collectionView: CollectionView, didDeselectItemAt path: IndexPath) {
          heard.append(source.itemIdentifier(for: path).map { -$0 })
          if let next = next.take() { source.apply(next) }
        }
      }
      let (view, source, stage) = try collection(Array(0..<12))
      let delegate = Changing(source)
      for item in 1...3 { view.selectItem(at: [0, item]) }
      view.delegate = delegate
      delegate.next = snapshot([20, 21, 3, 1, 4, 5, 6])
      stage.click(10 + 60, 10 + 60)
      #expect(delegate.heard == [-1, -3, 5] && view.indexPathsForSelectedItems == [[0, 5]])
    }

    @Test("A state is restored by identifiers, also where the items come later")
    func restoration() throws {
      let (before, old, first) = try collection(Array(0..<1000))
      defer { withExtendedLifetime(old) {} }
      before.scrollToItem(at: [0, 600], at: .top)
      before.contentOffset.y += 7
      first.settle()
      before.selectItem(at: [0, 602])
      before.selectItem(at: [0, 3])
      let state = before.restorationState
      let (view, source, stage) = try collection([])
      view.restorationState = state
      stage.settle()
      #expect(view.restorationState["selection"] as? [String] == ["3", "602"])
      // Some have come, and some are gone.
      source.apply(snapshot(Array(-50..<2) + Array(100..<1000)))
      stage.settle()
      #expect(view.indexPathsForSelectedItems.compactMap(source.itemIdentifier) == [602])
      #expect(view.contentOffset.y == 7 + (view.rectForItem(at: source.indexPath(for: 600) ?? [])?.origin.y ?? 0))
    }

    @Test("Where the user may select none a state selects nothing, and what the program has selected stays")
    func restorationWithoutSelection() throws {
      let (view, source, stage) = try collection(Array(0..<100))
      defer { withExtendedLifetime(source) {} }
      view.selectItem(at: [0, 7])
      let state = view.restorationState
      view.allowsSelection = false
      view.restorationState = state
      stage.settle()
      #expect(view.indexPathsForSelectedItems == [])
      view.selectItem(at: [0, 1])
      view.restorationState = state
      stage.settle()
      #expect(view.indexPathsForSelectedItems == [[0, 1]])
    }

    @Test("Names of items may come from the data source itself, and a source that is not used changes nothing")
    func namesAndOtherSources() throws {
      let (view, source, stage) = try collection(Array(0..<100))
      source.modelIdentifier = { [weak source] in "\(source?.indexPath(for: $0)?.item ?? -1)/\($0)" }
      view.selectItem(at: [0, 7])
      let state = view.restorationState
      view.selectItem(at: nil)
      view.restorationState = state
      stage.settle()
      #expect(view.indexPathsForSelectedItems == [[0, 7]])
      let other = CollectionViewDiffableDataSource<String, Int>(collectionView: view) { _, _, _ in nil }
      view.dataSource = source
      stage.settle()
      view.selectItem(at: [0, 8])
      other.apply(snapshot([5]))
      stage.settle()
      #expect(view.indexPathsForSelectedItems == [[0, 8]] && shown(view, stage).count == 16)
    }

    @Test("A state that is set before the view has a size waits for it")
    func sizeless() throws {
      let (view, source, stage) = try collection(Array(0..<1000))
      defer { withExtendedLifetime(source) {} }
      view.scrollToItem(at: [0, 400], at: .top)
      stage.settle()
      let (state, offset, frame) = (view.restorationState, view.contentOffset, view.frame)
      view.contentOffset = .zero
      view.frame.size = Size(width: 0, height: 0)
      view.restorationState = state
      stage.settle()
      view.frame = frame
      stage.settle()
      #expect(view.contentOffset == offset)
    }

    @Test("A state of rubbish restores nothing", arguments: ["x", "-1 -1", "9 9", "1", "0 99999999999999999999"])
    func rubbish(_ name: String) throws {
      let list = try ListStage(Numbers(Array(0..<30)))
      list.table.restorationState = [
        "selection": [name, name], "lead": name, "top": name, "topOffset": Int.min,
      ]
      #expect(list.shown == Array(0..<10) && list.selected == [])
      list.table.restorationState = ["selection": "0 1", "lead": 7, "top": "0 5", "topOffset": Int.max]
      #expect(list.shown.last == 29)
    }
  }
}
