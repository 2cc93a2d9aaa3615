import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Lengths that no view has, as programs write them for "as much as possible".
  @MainActor @Suite("Lengths beyond all views") struct LengthTests {
    nonisolated private static let lengths = [Int.max, .min, .max - 5, .min + 5, 1 << 62]
    private static let frame = Rect(x: 10, y: 10, width: 200, height: 200)

    /// A view of a program that answers the same size whatever it is asked.
    private final class Fixed: View {
      var length = 0
      convenience init(_ length: Int) {
        self.init()
        self.length = length
      }
      override func sizeThatFits(_ size: Size) -> Size { Size(width: length, height: length) }
    }

    private func square(_ length: Int) -> Size { Size(width: length, height: length) }

    @Test(
      "The first of two views that want all room of a stack gets it", arguments: [StackView.Axis.horizontal, .vertical])
    func wishes(_ axis: StackView.Axis) throws {
      let (first, second) = (View(), View())
      for view in [first, second] { view.preferredSize = square(.max) }
      let stage = try UIStage(StackView(axis, spacing: 0, [first, second]), Self.frame)
      stage.settle()
      #expect(first.frame.size == square(200))
      #expect(second.frame.size == (axis == .horizontal ? Size(width: 0, height: 200) : Size(width: 200, height: 0)))
    }

    @Test("A stack is laid out and measured with any lengths", arguments: lengths)
    func stacks(_ length: Int) throws {
      let stage = try UIStage(View(), Self.frame)
      let root = try #require(stage.window.rootView)
      func lay(_ views: [View], _ change: (StackView) -> Void) {
        let stack = StackView(.horizontal, views)
        change(stack)
        stack.frame = Self.frame
        root.addSubview(stack)
        for axis in [StackView.Axis.horizontal, .vertical] {
          stack.axis = axis
          for alignment in [StackView.Alignment.fill, .leading, .center, .trailing, .firstBaseline] {
            stack.alignment = alignment
            stack.layoutIfNeeded()
            for size in [square(length), square(100)] { _ = stack.sizeThatFits(size) }
            // What is around it adds up what it wishes for.
            let outer = StackView(.vertical, [StackView(.horizontal, [Fixed(length), TextView()]), Fixed(length)])
            outer.alignment = alignment
            _ = (outer.intrinsicContentSize, stack.intrinsicContentSize)
          }
        }
        #expect(views.allSatisfy { $0.frame == $0.frame.sensible })
        stack.removeFromSuperview()
      }
      func labels() -> [View] { ["a", "b", "c"].map { Label($0) } }
      for distribution in [StackView.Distribution.fill, .fillEqually] {
        lay(labels()) { ($0.spacing, $0.distribution) = (length, distribution) }
      }
      lay(labels()) { $0.margin = length }
      lay(labels()) { stack in
        for view in stack.subviews {
          view.stackPlacement.margins = .init(left: length, top: length, right: length, bottom: length)
          view.isStretching = true
        }
      }
      lay(labels()) { stack in for view in stack.subviews { view.stackPlacement.minimumSize = square(length) } }
      lay(labels()) { stack in for view in stack.subviews { view.preferredSize = square(length) } }
      lay([Fixed(length), Label("a"), Fixed(length)]) { _ in }
    }

    @Test("The parts of interface files are laid out and measured with any lengths", arguments: lengths)
    func interfaces(_ length: Int) throws {
      let (grid, list) = (GridView(), ListBoxView())
      for column in 0..<3 {
        let view = Fixed(length)
        view.stackPlacement.margins = .init(left: length, top: length, right: length, bottom: length)
        grid.add(view, at: GridView.Cell(column: column, columns: 3 - column), expands: (true, true))
        list.add(Fixed(length))
      }
      for view in [grid, list] {
        let stage = try UIStage(view, Self.frame)
        stage.settle()
        for size in [square(length), square(100)] { _ = view.sizeThatFits(size) }
        #expect(view.subviews.allSatisfy { $0.frame == $0.frame.sensible })
      }
    }

    @Test("What is in a window of any size is laid out", arguments: lengths)
    func windows(_ length: Int) throws {
      let view = View()
      let stage = try UIStage { $0.rootView = view }
      stage.window.minimumSize = square(length)
      stage.window.frame = Rect(x: 0, y: 0, width: 100, height: 100)
      stage.settle()
      #expect(view.frame.size == (length > 0 ? square(length).sensible : square(100)))
    }

    @Test("A view scrolls by any lines, and no further than its content", arguments: lengths)
    func lines(_ length: Int) throws {
      let view = ScrollView()
      view.contentSize = square(5000)
      view.lineHeight = length
      let stage = try UIStage(view, Self.frame)
      stage.settle()
      #expect(view.becomeFirstResponder())
      for delta in [1.0, -1, 1000, -1000] {
        view.contentOffset = Point(x: 9, y: 9)
        stage.send(.scroll(Scroll(deltaX: delta, deltaY: delta, isPrecise: false, location: Point(x: 60, y: 60))))
        #expect((0...4800).contains(view.contentOffset.x) && (0...4800).contains(view.contentOffset.y))
      }
      for key in [KeySymbol.left, KeySymbol.up, KeySymbol.right, KeySymbol.down, KeySymbol.pageUp, KeySymbol.pageDown] {
        view.contentOffset = Point(x: 9, y: 9)
        stage.send(.type(key))
        #expect((0...4800).contains(view.contentOffset.x) && (0...4800).contains(view.contentOffset.y))
      }
    }

    @Test("Content of any size is scrolled", arguments: lengths)
    func content(_ length: Int) throws {
      let view = ScrollView()
      view.contentSize = square(length)
      let stage = try UIStage(view, Self.frame)
      stage.settle()
      view.contentOffset = Point(x: 7, y: 7)
      #expect(view.contentOffset == (length > 0 ? Point(x: 7, y: 7) : .zero))
      view.contentOffset = Point(x: length, y: length)
      stage.send(.scroll(Scroll(deltaX: 1, deltaY: 1, isPrecise: false, location: Point(x: 60, y: 60))))
      stage.click(207, 100)
      stage.settle()
      #expect(view.contentOffset.y >= 0)
    }

    @Test("A text has margins of any size", arguments: lengths)
    func insets(_ length: Int) throws {
      for inset in [square(length), Size(width: length, height: 0), Size(width: 0, height: length)] {
        let view = TextView()
        view.text = "abc\ndef\n"
        view.textInset = inset
        let stage = try UIStage(view, Self.frame)
        stage.settle()
        view.becomeFirstResponder()
        view.insertText("x")
        view.scrollToCaret()
        view.scrollOffset = length
        stage.click(60, 60)
        stage.settle()
        _ = (view.sizeThatFits(square(length)), view.contextMenuPoint)
        let row = StackView(.horizontal, [view, Label("a")])
        row.alignment = .firstBaseline
        _ = row.sizeThatFits(square(200))
        #expect(view.text == "xabc\ndef\n")
      }
    }

    @Test("No row and no item is at a place beyond all of them", arguments: lengths)
    func places(_ length: Int) throws {
      final class Items: CollectionViewDataSource {
        func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int { 50 }
        func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> CollectionViewCell {
          CollectionViewCell()
        }
      }
      let list = try ListStage(Numbers(Array(0..<50)))
      let (items, collection) = (Items(), CollectionView())
      collection.dataSource = items
      let stage = try UIStage(collection, Self.frame)
      stage.settle()
      for point in [Point(x: length, y: 20), Point(x: 20, y: length), Point(x: length, y: length)] {
        #expect(list.table.indexPathForRow(at: point) == nil)
        #expect(collection.indexPathForItem(at: point) == nil)
      }
      #expect(list.table.indexPathForRow(at: Point(x: 20, y: 25)) == IndexPath(row: 1, section: 0))
      #expect(collection.indexPathForItem(at: Point(x: 20, y: 25)) == IndexPath(item: 0, section: 0))
    }
  }
}
