import FoundationEssentials
import ProsceniumCore

/// Changes of the data source that a list is told about together.
///
/// Paths of deleted and moved items are those before all of the changes, the others those after them.
struct ListEdit {
  var deleted: [IndexPath] = []
  var inserted: [IndexPath] = []
  var moves: [(from: IndexPath, to: IndexPath)] = []
  var reloaded: [IndexPath] = []

  var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moves.isEmpty && reloaded.isEmpty }

  /// The steps from the items before to those after.
  /// - Parameters:
  ///   - old: The sections before.
  ///   - new: The sections after.
  /// - Returns: The steps; nil where they do not lead from the one to the other.
  func steps(from old: ListSections, to new: ListSections) -> ListSteps? {
    guard old.count == new.count else { return nil }
    var (removed, added) = (RangeSet<Int>(), RangeSet<Int>())
    var numbers: [(from: Int, to: Int)] = []
    for path in deleted { guard insert(old.item(at: path), into: &removed) else { return nil } }
    for path in inserted { guard insert(new.item(at: path), into: &added) else { return nil } }
    for (from, to) in moves {
      guard let from = old.item(at: from), let to = new.item(at: to) else { return nil }
      numbers.append((from, to))
    }
    let steps = ListSteps(deleted: removed, inserted: added, moves: numbers)
    let isWhole = (0..<old.count).allSatisfy { section in
      let (before, after) = (old.items(in: section), new.items(in: section))
      return before.count - steps.removed.count(in: before) == after.count - steps.added.count(in: after)
    }
    return isWhole ? steps : nil
  }

  private func insert(_ item: Int?, into set: inout RangeSet<Int>) -> Bool {
    guard let item else { return false }
    set.insert(contentsOf: item..<item + 1)
    return true
  }
}

extension RangeSet<Int> {
  /// The set of numbers that are in order.
  init(sorted numbers: [Int]) {
    self.init()
    // Neighbours are one range.
    var start = 0
    for end in numbers.indices where end + 1 == numbers.count || numbers[end + 1] != numbers[end] + 1 {
      insert(contentsOf: numbers[start]..<numbers[end] + 1)
      start = end + 1
    }
  }

  /// The numbers that another set does not have.
  ///
  /// In one pass, in place of `subtracting(_:)`, which for each range that it takes out moves all behind it.
  func without(_ other: RangeSet<Int>) -> RangeSet<Int> {
    var (rest, start) = (RangeSet<Int>(), Int.min)
    for range in other.ranges {
      rest.insert(contentsOf: start..<range.lowerBound)
      start = range.upperBound
    }
    rest.insert(contentsOf: start..<Int.max)
    return intersection(rest)
  }

  /// The number of elements within a range.
  func count(in range: Range<Int>) -> Int { intersection(RangeSet(range)).ranges.reduce(0) { $0 + $1.count } }

  /// The elements, one by one.
  var elements: some BidirectionalCollection<Int> { ranges.lazy.joined() }
}

extension ListCore {
  /// Follows changes of the data source.
  /// - Parameter changes: Changes the data source, and says so by the list's functions.
  func performBatchUpdates(_ changes: () -> Void) {
    if edit != nil { return changes() }
    let wasAtWork = host.beginWork()
    defer { host.isAtWork = wasAtWork }
    edit = ListEdit()
    let wasKnown = !isStale
    let old = sections
    changes()
    // Nil where the program has loaded the list anew meanwhile.
    guard let edit = edit.take(), !edit.isEmpty else { return }
    // A list that has never been shown asks for everything later.
    guard wasKnown, !isStale else { return reload() }
    let generation = generation
    let new = ListSections(counts: host.itemCounts())
    guard generation == self.generation else { return reload() }
    guard let steps = edit.steps(from: old, to: new) else {
      Application.report(
        "A \(type(of: host)) was told of \(edit.deleted.count) deleted, \(edit.inserted.count) inserted and "
          + "\(edit.moves.count) moved items, which do not lead from \(old.itemCount) items in \(old.count) sections "
          + "to the data source's \(new.itemCount) in \(new.count). It is loaded anew, without its selection. Tell it "
          + "of all items that the data source changes, in one performBatchUpdates(_:).")
      return reload()
    }
    var reloaded = RangeSet<Int>()
    for item in edit.reloaded.compactMap(old.item).compactMap(steps.item) {
      reloaded.insert(contentsOf: item..<item + 1)
    }
    apply(ListChange(steps), reloaded: reloaded)
  }

  /// Moves an item for the user, as far as the delegate allows.
  func move(_ path: IndexPath, to place: IndexPath) {
    let place = host.target(of: path, movedTo: place)
    guard place != path, item(at: path) != nil else { return }
    performBatchUpdates {
      host.moveData(path, to: place)
      // Nil where the data source has loaded the list anew.
      edit?.moves.append((path, place))
    }
    (host.source as? any ReorderingSource)?.didReorder()
  }

  /// Follows a change of the data source, where the list knows what was before.
  func follow(_ change: ListChange, reloaded: RangeSet<Int>) {
    edit = nil
    if isStale { reload() } else { apply(change, reloaded: reloaded) }
  }

  /// Adds changes to those that the list follows.
  func edit(_ change: (inout ListEdit) -> Void) {
    performBatchUpdates {
      var edit = edit ?? ListEdit()
      change(&edit)
      self.edit = edit
    }
  }
}
