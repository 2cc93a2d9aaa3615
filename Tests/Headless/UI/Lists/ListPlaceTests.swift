import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What of a list stays in sight, and what counts as that.
  @MainActor @Suite("What lists show") struct ListPlaceTests {
    private func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }

    /// Rows of a text that needs more lines in a narrow table.
    private final class Wrapping: TableViewDelegate {
      // A delegate may have a type of this name.
      private enum RowHeight { static let line = 20 }
      func tableView(_ table: TableView, heightForRowAt indexPath: IndexPath) -> Int {
        RowHeight.line * (1 + 1200 / max(table.bounds.size.width, 100))
      }
    }

    private func wrapping(_ count: Int) throws -> (ListStage, Wrapping) {
      let (list, delegate) = (try ListStage(Numbers(Array(0..<count))), Wrapping())
      list.table.delegate = delegate
      list.table.hasVariableRowHeights = true
      list.stage.settle()
      return (list, delegate)
    }

    /// Items of 40 points in lines, by their numbers.
    private final class Items: CollectionViewDataSource {
      var count = 10_000
      func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int { count }
      func collectionView(_ collectionView: CollectionView, cellForItemAt path: IndexPath) -> CollectionViewCell {
        CollectionViewCell()
      }
    }

    /// A collection of 200 by 200 points, which has four items in a line.
    private func collection(_ items: Items) throws -> (CollectionView, UIStage) {
      let view = CollectionView(collectionViewLayout: CollectionViewFlowLayout(itemSize: Size(width: 40, height: 40)))
      view.dataSource = items
      return (view, try UIStage(view, ListStage.frame))
    }

    private func isUppermost(_ item: Int, _ view: CollectionView) -> Bool {
      guard let frame = view.rectForItem(at: path(item)) else { return false }
      return frame.origin.y - 8..<frame.origin.y + frame.size.height ~= view.contentOffset.y
    }

    // MARK: Other widths

    @Test("The uppermost row stays in its place in a table of other widths, whose rows have other heights")
    func widthsOfTable() throws {
      let (list, delegate) = try wrapping(1000)
      defer { withExtendedLifetime(delegate) {} }
      list.table.scrollToRow(at: path(900), at: .top)
      list.table.contentOffset.y += 100
      list.stage.settle()
      let offset = list.table.contentOffset.y
      for (width, above) in [(0, 100), (300, 99), (150, 100), (50, 100), (0, 100), (300, 99), (200, 100)] {
        list.table.frame.size.width = width
        list.stage.settle()
        let row = try #require(list.table.rectForRow(at: path(900)))
        #expect(list.table.contentOffset.y == row.origin.y + above, "\(width)")
      }
      #expect(list.table.contentOffset.y == offset && list.shown.first == 900)
    }

    @Test("The uppermost line of a collection of other widths has the item that was uppermost")
    func widthsOfCollection() throws {
      let items = Items()
      let (view, stage) = try collection(items)
      view.scrollToItem(at: path(9000), at: .top)
      view.contentOffset.y -= 3
      stage.settle()
      let offset = view.contentOffset
      for width in [350, 250, 100, 0, 360, 400, 200] {
        view.frame.size.width = width
        stage.settle()
        #expect(isUppermost(9000, view), "\(width): \(view.contentOffset.y)")
        #expect(view.core.topPlace()?.item == 9000)
      }
      #expect(view.contentOffset == offset)
      // What the user has scrolled to since stays there.
      view.frame.size.width = 300
      stage.settle()
      view.contentOffset.y -= 96
      stage.settle()
      let first = try #require(view.indexPathsForVisibleItems.first)
      view.frame.size.width = 100
      stage.settle()
      #expect(isUppermost(first.item, view) && first.item < 8999)
    }

    @Test("The end of a list that is cut in a wide and high window comes back in the old one, and no row jumps there")
    func endOfList() throws {
      let (list, delegate) = try wrapping(100)
      defer { withExtendedLifetime(delegate) {} }
      list.table.scrollToRow(at: path(99), at: .bottom)
      list.stage.settle()
      let (offset, size) = (list.table.contentOffset, list.table.frame.size)
      list.table.frame.size = Size(width: 1300, height: 700)
      list.stage.settle()
      #expect(list.table.contentOffset.y == 100 * 20 - 700)
      list.table.frame.size = size
      list.stage.settle()
      #expect(list.table.contentOffset == offset)
      // With the height alone, or with rows that come, something else has come to the upper edge.
      list.table.frame.size = Size(width: 1300, height: 700)
      list.stage.settle()
      list.table.frame.size.height = 200
      list.stage.settle()
      list.table.frame.size.width = 1400
      list.stage.settle()
      #expect(list.table.contentOffset.y == 1300)
    }

    @Test("Rows that come to the end of a list that is cut leave what is in sight there, in another width too")
    func endThatGrows() throws {
      let (list, delegate) = try wrapping(100)
      defer { withExtendedLifetime(delegate) {} }
      list.table.scrollToRow(at: path(99), at: .bottom)
      list.stage.settle()
      list.table.frame.size = Size(width: 1300, height: 700)
      list.stage.settle()
      #expect(list.shown.first == 65)
      list.numbers.sections[0] += 100..<200
      list.table.insertRows(at: (100..<200).map { path($0) })
      list.table.frame.size.width = 1310
      list.stage.settle()
      #expect(list.shown.first == 65)
    }

    @Test("What is at the top stays at the top")
    func top() throws {
      let items = Items()
      let (view, stage) = try collection(items)
      for width in [300, 100, 200] {
        view.frame.size.width = width
        stage.settle()
        #expect(view.contentOffset.y == 0)
      }
      view.collectionViewLayout.sectionInset.top = 30
      stage.settle()
      #expect(view.contentOffset.y == 0)
    }

    @Test("A place that is restored is that of the size that the window has then")
    func restoredThenLarger() throws {
      let items = Items()
      let (view, stage) = try collection(items)
      view.frame.size = Size(width: 300, height: 200)
      stage.settle()
      // Six in a line: 9000 is the first of one of them, and not of one of four.
      view.scrollToItem(at: path(9006), at: .top)
      view.contentOffset.y += 5
      stage.settle()
      let (state, offset) = (view.restorationState, view.contentOffset)
      let (again, other) = try collection(items)
      again.restorationState = state
      other.settle()
      #expect(isUppermost(9006, again))
      again.frame.size = Size(width: 300, height: 200)
      other.settle()
      #expect(again.contentOffset == offset)
      #expect(again.restorationState["top"] as? String == state["top"] as? String)
    }

    @Test("The uppermost row stays where the program sets another height, and what it scrolls to then is shown")
    func otherLayouts() throws {
      let list = try ListStage(Numbers(Array(0..<10_000)))
      list.table.scrollToRow(at: path(400), at: .top)
      list.stage.settle()
      list.table.rowHeight = 50
      list.stage.settle()
      #expect(list.shown.first == 400 && list.table.contentOffset.y == 20_000)
      let delegate = Wrapping()
      list.table.delegate = delegate
      list.table.hasVariableRowHeights = true
      list.stage.settle()
      #expect(list.shown.first == 400)
      list.table.hasVariableRowHeights = false
      list.table.rowHeight = 20
      // At the offset that the list has already.
      list.table.scrollToRow(at: path(list.table.contentOffset.y / 20), at: .top)
      let expected = list.table.contentOffset.y / 20
      list.stage.settle()
      #expect(list.shown.first == expected)
      let items = Items()
      let (view, stage) = try collection(items)
      view.scrollToItem(at: path(9000), at: .top)
      stage.settle()
      view.collectionViewLayout.itemSize = Size(width: 60, height: 20)
      stage.settle()
      #expect(isUppermost(9000, view))
    }

    @Test("Where the uppermost row goes before the layout that it is kept for, the next one takes its place")
    func uppermostGone() throws {
      let list = try ListStage(Numbers(Array(0..<10_000)))
      list.table.scrollToRow(at: path(400), at: .top)
      list.stage.settle()
      list.table.rowHeight = 50
      list.numbers.sections[0].remove(at: 400)
      list.table.deleteRows(at: [path(400)])
      #expect(list.shown.first == 401 && list.table.contentOffset.y == 20_000)
    }

    @Test("The heights of a delegate that is gone go with the next one, and with none", arguments: [false, true])
    func heightsGone(hasNext: Bool) throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      var delegate: Wrapping? = Wrapping()
      list.table.delegate = delegate
      #expect(list.table.rectForRow(at: path(3))?.origin.y == 3 * 140)
      withExtendedLifetime(delegate) {}
      delegate = nil
      #expect(list.table.delegate == nil)
      list.table.delegate = hasNext ? list.numbers : nil
      #expect(list.table.rectForRow(at: path(3))?.origin.y == 60)
    }

    // MARK: What is in sight

    @Test("A row whose text was edited is out of sight once the keys leave it there")
    func editedBefore() throws {
      let (list, delegate) = (try ListStage(Numbers(Array(0..<100))), EndedRows())
      list.table.delegate = delegate
      let field = TextField()
      try #require(list.table.cellForRow(at: path(2))).addSubview(field)
      field.becomeFirstResponder()
      list.table.scrollToRow(at: path(24), at: .top)
      #expect(list.shown == Array(24..<34) && list.table.cellForRow(at: path(2)) == nil)
      #expect(field.isFirstResponder && !delegate.rows.contains(2))
      field.resignFirstResponder()
      #expect(list.table.visibleCells.count == 10 && list.table.indexPathsForVisibleRows.first == path(24))
      #expect(list.shown == Array(24..<34) && list.table.indexPathsForVisibleRows == (24..<34).map { path($0) })
      #expect(delegate.rows.contains(2))
      // One whose row is in sight stays.
      try #require(list.table.cellForRow(at: path(26))).addSubview(field)
      field.becomeFirstResponder()
      field.resignFirstResponder()
      #expect(list.shown == Array(24..<34) && list.table.cellForRow(at: path(26)) === field.superview)
    }

    // MARK: Animation

    @Test(
      "A list that is scrolled within an animation shows the rows there from the first frame on",
      arguments: [false, true])
    func scrolledInAnimation(laysOut: Bool) throws {
      let list = try ListStage(Numbers(Array(0..<1000)))
      list.numbers.titles = ["Title"]
      list.table.reloadData()
      list.stage.settle()
      View.animate(withDuration: .seconds(1)) {
        list.table.scrollToRow(at: path(320), at: .top)
        if laysOut { list.table.layoutIfNeeded() }
      }
      var frames: [[UInt32]] = []
      for _ in 0..<12 { frames.append(try list.stage.pixels(ListStage.frame)) }
      #expect(list.shown.contains(320))
      #expect(Set(frames).count == 1)
      let other = try ListStage(Numbers(Array(0..<1000)))
      other.numbers.titles = ["Title"]
      other.table.reloadData()
      other.table.scrollToRow(at: path(320), at: .top)
      #expect(try other.stage.pixels(ListStage.frame) == frames[0])
    }

    @Test("A scroll view that is no list is scrolled in time by an animation")
    func scrolledView() throws {
      let (view, mark) = (ScrollView(), View(frame: Rect(x: 0, y: 500, width: 200, height: 20)))
      mark.backgroundColor = .black
      view.addSubview(mark)
      view.contentSize = Size(width: 200, height: 2000)
      let stage = try UIStage(view, ListStage.frame)
      View.animate(withDuration: .seconds(1)) { view.contentOffset.y = 500 }
      let frames = Set(try (0..<12).map { _ in try stage.pixels(ListStage.frame) })
      #expect(frames.count > 5)
    }
  }
}
