import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Synchronization
import TestSupport
import Testing

@testable import ProsceniumUI

/// Counts what is done with the items that share it.
private final class Work: Sendable {
  let comparisons = Mutex(0)
  let hashes = Mutex(0)
  /// How often it was referred to when an item was hashed last: once for each item of each array and dictionary.
  let references = Mutex(0)

  /// What has been done since the last call.
  func take() -> (comparisons: Int, hashes: Int) {
    func taken(_ count: borrowing Mutex<Int>) -> Int {
      count.withLock { value in
        defer { value = 0 }
        return value
      }
    }
    return (taken(comparisons), taken(hashes))
  }
}

/// An item whose comparisons and hashes are counted.
private struct CountedItem: Hashable, Sendable, CustomStringConvertible {
  let number: Int
  let work: Work
  var description: String { "\(number)" }

  static func == (one: CountedItem, other: CountedItem) -> Bool {
    one.work.comparisons.withLock { $0 += 1 }
    return one.number == other.number
  }
  func hash(into hasher: inout Hasher) {
    work.hashes.withLock { $0 += 1 }
    work.references.withLock { $0 = Int(_getRetainCount(work)) }
    hasher.combine(number)
  }
}

extension UISuites {
  /// How much is done for a change of a long list: as much as for one of a short list.
  @MainActor @Suite("Long lists") struct LongListTests {
    private let work = Work()

    private func item(_ number: Int) -> CountedItem { CountedItem(number: number, work: work) }

    private func snapshot(_ count: Int, sections: Int = 1) -> DiffableDataSourceSnapshot<Int, CountedItem> {
      var snapshot = DiffableDataSourceSnapshot<Int, CountedItem>()
      snapshot.appendSections(Array(0..<sections))
      for section in 0..<sections {
        snapshot.appendItems((section * count..<(section + 1) * count).map(item), toSection: section)
      }
      return snapshot
    }

    private func table(
      _ count: Int
    ) throws -> (TableView, TableViewDiffableDataSource<Int, CountedItem>, UIStage) {
      let table = TableView()
      table.allowsMultipleSelection = true
      let source = TableViewDiffableDataSource<Int, CountedItem>(tableView: table) { _, _, _ in TableViewCell() }
      source.apply(snapshot(count))
      return (table, source, try UIStage(table, ListStage.frame))
    }

    @Test("A selection of many items is restored without a copy of all items for each")
    func restoration() throws {
      let count = 2000
      let (table, source, stage) = try table(count)
      for number in stride(from: 0, to: 200, by: 2) { table.selectRow(at: IndexPath(row: number, section: 0)) }
      let (state, rows) = (table.restorationState, table.indexPathsForSelectedRows)
      table.restorationState = state
      stage.settle()
      #expect(source.indexPath(for: item(7)) == IndexPath(row: 7, section: 0))
      let before = work.references.withLock { $0 }
      table.selectRow(at: nil)
      var named = 0
      source.modelIdentifier = {
        named += 1
        return "\($0.number)"
      }
      table.restorationState = state
      stage.settle()
      #expect(table.indexPathsForSelectedRows == rows && named == count)
      // The last one that was looked up: an array of all items would be in use besides those that stay.
      #expect(work.references.withLock { $0 } < before + count / 2)
    }

    @Test("Items that are inserted and moved beside each other are found from one to the next")
    func neighbours() {
      var snapshot = snapshot(10_000)
      snapshot.insertItems([item(-1)], beforeItem: item(5000))
      _ = work.take()
      for number in 2...100 { snapshot.insertItems([item(-number)], beforeItem: item(5000)) }
      for number in 101...200 { snapshot.insertItems([item(-number)], afterItem: item(1 - number)) }
      #expect(snapshot.indexOfItem(item(5000)) == 5200)
      #expect(snapshot.sectionIdentifier(containingItem: item(5001)) == 0)
      for number in 5000..<5100 { snapshot.moveItem(item(number + 1), beforeItem: item(number)) }
      #expect(work.take().comparisons < 50_000)
      #expect(snapshot.numberOfItems == 10_200)
      #expect(Array(snapshot.itemIdentifiers[5000..<5003]).map(\.number) == [-1, -2, -3])
    }

    @Test("A move by the user looks at the items between its two places alone")
    func movedByUser() throws {
      let (table, source, stage) = try table(10_000)
      source.reorderingHandlers.canReorderItem = { _ in true }
      table.selectRow(at: IndexPath(row: 5000, section: 0), scrollPosition: .middle)
      #expect(table.becomeFirstResponder())
      stage.settle()
      _ = work.take()
      stage.press([KeySymbol.down, KeySymbol.down], with: .alternate)
      stage.settle()
      #expect(work.take().hashes < 1000)
      #expect(source.indexPath(for: item(5000)) == IndexPath(row: 5002, section: 0))
      #expect(source.indexPath(for: item(5002)) == IndexPath(row: 5001, section: 0))
      #expect(table.indexPathsForSelectedRows == [IndexPath(row: 5002, section: 0)])
    }

    @Test(
      "Items are where an array has them after 500 changes of a snapshot and moves by the user",
      arguments: testSeeds(2, from: 1, test: "long lists"))
    func sameAsArrays(seed: UInt64) throws {
      let table = TableView()
      let source = TableViewDiffableDataSource<Int, Int>(tableView: table) { _, _, _ in TableViewCell() }
      var snapshot = DiffableDataSourceSnapshot<Int, Int>()
      snapshot.appendSections(Array(0..<5))
      var sections = [[Int]](repeating: [], count: 5)
      for section in 0..<4 where section != 1 {
        sections[section] = Array(section * 10..<section * 10 + 8)
        snapshot.appendItems(sections[section], toSection: section)
      }
      func place(of item: Int) -> (Int, Int)? {
        for (section, items) in sections.enumerated() {
          if let index = items.firstIndex(of: item) { return (section, index) }
        }
        return nil
      }
      var numbers = SeededNumbers(seed)
      var next = 100
      for step in 0..<500 {
        let all = sections.flatMap { $0 }
        guard let one = all.randomElement(using: &numbers), let other = all.randomElement(using: &numbers) else {
          break
        }
        let distance = Int.random(in: 0...1, using: &numbers)
        switch Int.random(in: 0...3, using: &numbers) {
        case 0:
          let (section, index) = try #require(place(of: one))
          sections[section].insert(next, at: index + distance)
          if distance == 0 {
            snapshot.insertItems([next], beforeItem: one)
          } else {
            snapshot.insertItems([next], afterItem: one)
          }
          next += 1
        case 1 where one != other:
          let (section, index) = try #require(place(of: one))
          sections[section].remove(at: index)
          let (target, near) = try #require(place(of: other))
          sections[target].insert(one, at: near + distance)
          if distance == 0 {
            snapshot.moveItem(one, beforeItem: other)
          } else {
            snapshot.moveItem(one, afterItem: other)
          }
        case 2 where all.count > 10:
          let (section, index) = try #require(place(of: one))
          sections[section].remove(at: index)
          snapshot.deleteItems([one])
        default:
          source.apply(snapshot)
          let (section, index) = try #require(place(of: one))
          let target = Int.random(in: 0..<5, using: &numbers)
          let room = sections[target].count - (target == section ? 1 : 0)
          let new = Int.random(in: 0...room, using: &numbers)
          sections[target].insert(sections[section].remove(at: index), at: new)
          source.move(IndexPath(row: index, section: section), to: IndexPath(row: new, section: target))
          snapshot = source.snapshot()
          for (number, item) in sections.joined().enumerated() {
            let path = source.indexPath(for: item)
            #expect(path.flatMap(ListSections(counts: sections.map(\.count)).item) == number, "\(step)")
          }
        }
        #expect(snapshot.itemIdentifiers == sections.flatMap { $0 })
        #expect(snapshot.indexOfItem(one) == sections.flatMap { $0 }.firstIndex(of: one))
        #expect(snapshot.sectionIdentifier(containingItem: one) == place(of: one)?.0)
        #expect(snapshot.indexOfItem(-1) == nil)
      }
    }
  }
}
