import FoundationEssentials
import ProsceniumCore
import TestSupport
import Testing

@testable import ProsceniumUI

/// What becomes of the items of a list, beside an array that is changed in the same way.
@Suite("Lists that change") struct ListStepsTests {
  @Test(
    "1,000 changes lead each item where an array has it, and a selection with it",
    arguments: testSeeds(2, from: 1, test: "list steps"))
  func steps(seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    for _ in 0..<1000 {
      let count = Int.random(in: 0...30, using: &numbers)
      let old = Array(0..<count)
      func some(_ share: Int) -> [Int] { old.filter { _ in Int.random(in: 0..<10, using: &numbers) < share } }
      let leaving = some(Int.random(in: 0...6, using: &numbers))
      let moving = leaving.filter { _ in Bool.random(using: &numbers) }
      let deleted = Set(leaving).subtracting(moving)
      // What stays keeps its order; what moves and what is new comes in between. New items are negative.
      var new = old.filter { !leaving.contains($0) }
      let arriving = moving + (0..<Int.random(in: 0...6, using: &numbers)).map { -1 - $0 }
      for item in arriving { new.insert(item, at: Int.random(in: 0...new.count, using: &numbers)) }
      func set(_ items: some Sequence<Int>) -> RangeSet<Int> {
        var set = RangeSet<Int>()
        for item in items { set.insert(contentsOf: item..<item + 1) }
        return set
      }
      let steps = ListSteps(
        deleted: set(deleted), inserted: set(new.indices.filter { new[$0] < 0 }),
        moves: try moving.map { ($0, try #require(new.firstIndex(of: $0))) })
      #expect(steps.growth == new.count - old.count)
      for item in old { #expect(steps.item(item) == new.firstIndex(of: item), "\(old) -> \(new): \(item)") }
      for item in old {
        // A moved one is no neighbour.
        let beside = old[(item + 1)...].first { !leaving.contains($0) } ?? old[..<item].last { !leaving.contains($0) }
        let near = new.contains(item) ? item : beside
        let place = near.flatMap(new.firstIndex)
        #expect(steps.nearest(item, of: count) == place, "\(old) -> \(new): beside \(item)")
      }
      let selected = some(5)
      let expected = set(selected.compactMap { new.firstIndex(of: $0) })
      #expect(steps.items(set(selected)) == expected, "\(old) -> \(new): \(selected)")
      #expect(ListChange { new.firstIndex(of: $0) }.items(set(selected)) == expected)
    }
  }

  @Test(
    "A set without another one is what subtraction leaves", arguments: testSeeds(2, from: 1, test: "sets"))
  func without(seed: UInt64) {
    var numbers = SeededNumbers(seed)
    func set() -> RangeSet<Int> {
      let share = Int.random(in: 0...10, using: &numbers)
      return RangeSet(sorted: (0..<40).filter { _ in Int.random(in: 0..<10, using: &numbers) < share })
    }
    for _ in 0..<1000 {
      let (one, other) = (set(), set())
      #expect(one.without(other) == one.subtracting(other), "\(one) \(other)")
    }
    let (even, odd) = (stride(from: 0, to: 100_000, by: 2), stride(from: 1, to: 100_000, by: 2))
    #expect(RangeSet(0..<100_000).without(RangeSet(sorted: Array(odd))) == RangeSet(sorted: Array(even)))
  }

  @Test("A change of a million selected items is one of a few ranges")
  func million() {
    let all = RangeSet(0..<1_000_000)
    let steps = ListSteps(deleted: RangeSet(10..<11), inserted: RangeSet(500_000..<500_002), moves: [(0, 1_000_000)])
    let now = steps.items(all)
    #expect(Array(now.ranges) == [0..<500_000, 500_002..<1_000_001])
    #expect(now.count(in: 0..<2_000_000) == 999_999)
  }

  @Test("Beside an item that goes is the next that is left, else the one before, whoever says what goes where")
  func nearest() {
    let gone = ListSteps(deleted: RangeSet([0..<3, 5..<8]), inserted: RangeSet(0..<1), moves: [])
    let change = ListChange { [3: 1, 4: 2][$0] }
    for (item, place) in [0: 1, 2: 1, 3: 1, 5: 2, 7: 2] {
      #expect(gone.nearest(item, of: 8) == place && change.nearest(item, 8) == place, "\(item)")
    }
    #expect(ListSteps(deleted: RangeSet(0..<2), inserted: RangeSet(), moves: []).nearest(1, of: 2) == nil)
    #expect(ListChange { _ in nil }.nearest(1, 2) == nil)
  }

  @Test("Sections number their items through, and a path leads back")
  func sections() {
    let counts = [3, 0, 0, 2, -5, 1, 0]
    let sections = ListSections(counts: counts)
    #expect(sections.itemCount == 6 && sections.count == 7)
    let paths = counts.enumerated().flatMap { section, count in
      (0..<max(0, count)).map { IndexPath(item: $0, section: section) }
    }
    #expect((0..<6).map(sections.path) == paths)
    #expect(paths.map(sections.item) == [0, 1, 2, 3, 4, 5])
    for path in [
      IndexPath(), [0], [0, 3], [1, 0], [0, -1], [-1, 0], [7, 0], [0, 0, 0], [Int.max, Int.max], [Int.min, Int.min],
    ] { #expect(sections.item(at: path) == nil, "\(path)") }
    #expect(IndexPath().section == -1 && IndexPath(index: 3).row == -1 && IndexPath(row: 4, section: 2).item == 4)
    #expect(ListSections(counts: [.max, .max, .max]).itemCount == ListSections.most)
  }

  @Test("Edits that do not lead from the one to the other have no steps")
  func edits() {
    let (old, new) = (ListSections(counts: [3, 2]), ListSections(counts: [2, 3]))
    func steps(_ change: (inout ListEdit) -> Void) -> ListSteps? {
      var edit = ListEdit()
      change(&edit)
      return edit.steps(from: old, to: new)
    }
    #expect(steps { _ in } == nil)
    #expect(steps { $0.moves = [([0, 0], [1, 2])] }?.item(0) == 4)
    #expect(steps { ($0.deleted, $0.inserted) = ([[0, 2]], [[1, 0]]) }?.item(3) == 3)
    #expect(steps { ($0.deleted, $0.inserted) = ([[0, 3]], [[1, 0]]) } == nil)
    #expect(steps { ($0.deleted, $0.inserted) = ([[0, 0], [0, 0]], [[1, 0]]) }?.growth == 0)
    #expect(steps { ($0.deleted, $0.inserted) = ([[0, 0]], [[0, 0]]) } == nil)
    #expect(ListEdit().steps(from: old, to: ListSections(counts: [3, 2, 0])) == nil)
  }
}

/// Where items are, beside the frames of all of them.
@Suite("Layouts of lists") struct ListLayoutTests {
  private static let counts = [[], [0], [1], [5], [0, 3, 0, 4, 0], [7, 1, 13]]

  private func layouts() -> [(any ListLayout, ListSections, String)] {
    Self.counts.flatMap { counts -> [(any ListLayout, ListSections, String)] in
      let sections = ListSections(counts: counts)
      let around = counts.indices.map { RowLayout.Edges(header: $0 % 2 * 9, footer: $0 % 3 * 4) }
      let heights = (0..<sections.itemCount).map { $0 * 7 % 13 + 1 }
      let flow = CollectionViewFlowLayout(
        itemSize: Size(width: 20, height: 12), interitemSpacing: 5, lineSpacing: 3,
        sectionInset: .init(left: 4, top: 2, right: 6, bottom: 8))
      return [
        (RowLayout(sections, width: 100, rowHeight: 10, around: around), sections, "rows of \(counts)"),
        (
          RowLayout(sections, width: 100, rowHeight: 10, heights: heights, around: around), sections,
          "different rows of \(counts)"
        ),
        (GridLayout(sections, width: 100, flow), sections, "a grid of \(counts)"),
        (GridLayout(sections, width: 3, flow), sections, "a narrow grid of \(counts)"),
      ]
    }
  }

  @Test("What a part shows is what is in it, and nothing else")
  func parts() {
    for (layout, sections, name) in layouts() {
      let frames = (0..<sections.itemCount).map(layout.frame)
      let whole = Rect(.zero, layout.contentSize)
      for frame in frames {
        #expect(frame.origin.y >= 0 && frame.origin.y + frame.size.height <= whole.size.height, "\(name)")
      }
      for (index, frame) in frames.enumerated() {
        for other in frames.dropFirst(index + 1) { #expect(!frame.intersects(other), "\(name)") }
      }
      for y in stride(from: -20, to: whole.size.height + 20, by: 3) {
        for (x, width) in [(0, 100), (3, 1), (-5, 8), (23, 2), (60, 60), (99, 40), (200, 3)] {
          for height in [0, 1, 5, 40, 1000] {
            let part = Rect(x: x, y: y, width: width, height: height)
            let shown = Array(layout.items(in: part).joined())
            let expected = frames.indices.filter { frames[$0].intersects(part) }
            #expect(shown == expected, "\(name): \(part)")
          }
        }
      }
    }
  }

  @Test("Each item is reached by arrows, and no arrow leads out of the list")
  func arrows() {
    for (layout, sections, name) in layouts() where sections.itemCount > 0 {
      let last = sections.itemCount - 1
      for item in 0...last {
        for direction in ListDirection.allCases {
          #expect((0...last).contains(layout.item(direction, of: item)), "\(name)")
        }
        for distance in [-1000, -30, -1, 0, 1, 30, 1000] {
          #expect((0...last).contains(layout.item(distance, below: item)), "\(name)")
        }
        let down = layout.item(.down, of: item)
        if down != item { #expect(layout.frame(of: down).origin.y > layout.frame(of: item).origin.y, "\(name)") }
        let up = layout.item(.up, of: item)
        if up != item { #expect(layout.frame(of: up).origin.y < layout.frame(of: item).origin.y, "\(name)") }
      }
      func reach(_ start: Int, _ direction: ListDirection) -> Int {
        (0...last).reduce(start) { item, _ in layout.item(direction, of: item) }
      }
      #expect(layout.frame(of: reach(0, .down)).origin.y == layout.frame(of: last).origin.y, "\(name)")
      #expect(layout.frame(of: reach(last, .up)).origin.y == layout.frame(of: 0).origin.y, "\(name)")
      if layout is GridLayout { #expect(reach(0, .right) == last && reach(last, .left) == 0, "\(name)") }
      #expect(layout.item(100_000, below: 0) == reach(0, .down) || layout is GridLayout, "\(name)")
    }
  }

  @Test("A place between items is one of its section, and its mark is in the list")
  func places() {
    for (layout, sections, name) in layouts() {
      for y in stride(from: -20, to: layout.contentSize.height + 20, by: 3) {
        for x in [-10, 0, 13, 50, 99, 200] {
          let place = layout.place(at: Point(x: x, y: y))
          guard sections.count > 0 else { continue }
          #expect((0..<sections.count).contains(place.section), "\(name)")
          #expect((0...sections.items(in: place.section).count).contains(place.item), "\(name)")
          #expect(layout.mark(of: place).origin.y <= layout.contentSize.height, "\(name)")
        }
      }
    }
  }

  @Test("Lengths without sense do no harm", arguments: [Int.min, -1, 0, 1 << 40, .max])
  func extremes(_ length: Int) {
    let sections = ListSections(counts: [2, 3])
    let flow = CollectionViewFlowLayout(
      itemSize: Size(width: length, height: length), interitemSpacing: length, lineSpacing: length,
      sectionInset: .init(left: length, top: length, right: length, bottom: length))
    let around = [RowLayout.Edges(), RowLayout.Edges()]
    for layout: any ListLayout in [
      GridLayout(sections, width: 100, flow), GridLayout(sections, width: 0, flow),
      RowLayout(sections, width: 100, rowHeight: length, around: around),
      RowLayout(
        sections, width: 0, rowHeight: 5, heights: .init(repeating: length, count: sections.itemCount), around: around),
    ] {
      #expect(layout.contentSize.height > 0)
      #expect((0..<5).allSatisfy { layout.frame(of: $0).size.height > 0 })
      _ = layout.items(in: Rect(x: 0, y: 0, width: 1 << 24, height: 1 << 24))
    }
  }

  @Test("A header stays in sight as long as its section")
  func headers() {
    let around = [RowLayout.Edges(header: 10), RowLayout.Edges(header: 10, footer: 5)]
    let layout = RowLayout(ListSections(counts: [3, 2]), width: 100, rowHeight: 20, around: around)
    func tops(_ y: Int) -> [Int?] {
      let shown = layout.supplements(in: Rect(x: 0, y: y, width: 100, height: 100))
      func top(_ kind: ListSupplement.Kind, _ section: Int) -> Int? {
        shown[ListSupplement(kind: kind, section: section)]?.origin.y
      }
      return [top(.header, 0), top(.header, 1), top(.footer, 1)]
    }
    #expect(tops(0) == [0, 70, nil])
    #expect(tops(30) == [30, 70, 120])
    #expect(tops(65) == [60, 70, 120])
    #expect(tops(75) == [nil, 75, 120])
  }
}

/// Which items are selected.
@Suite("Selections of lists") struct ListSelectionTests {
  private func selected(_ selection: ListSelection) -> [Int] { Array(selection.items.elements) }

  @Test("Shift goes from where the last selection began")
  func extending() {
    var selection = ListSelection()
    selection.selectOnly(5)
    selection.extend(to: 8, adds: false)
    #expect(selected(selection) == [5, 6, 7, 8] && selection.lead == 8)
    selection.extend(to: 3, adds: false)
    #expect(selected(selection) == [3, 4, 5] && selection.lead == 3 && selection.anchor == 5)
    selection.toggle(10)
    selection.extend(to: 11, adds: true)
    #expect(selected(selection) == [3, 4, 5, 10, 11])
    selection.toggle(4)
    #expect(selected(selection) == [3, 5, 10, 11] && selection.lead == 4)
  }

  @Test("Fewer items, or fewer that may be selected, take the rest of the selection")
  func limits() {
    var selection = ListSelection(items: RangeSet(2..<9), anchor: 2, lead: 8)
    selection.limit(to: .multiple, of: 5)
    #expect(selected(selection) == [2, 3, 4] && selection.anchor == 2 && selection.lead == nil)
    selection.limit(to: .single, of: 5)
    #expect(selected(selection) == [2])
    // The program selects one where the user selects none.
    selection.limit(to: .none, of: 5)
    #expect(selected(selection) == [2])
    selection.limit(to: .multiple, of: 0)
    #expect(selection == ListSelection())
  }
}
