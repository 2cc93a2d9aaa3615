import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumUI

extension UISuites {
  /// Text that is dragged out of text views and fields, and dropped into them.
  @MainActor @Suite("Drag and drop of text") struct TextDragTests {
    let text: TextStage
    var stage: UIStage { text.stage }
    var view: TextView { text.view }
    var desk: HeadlessDesk { stage.program.desk }

    init() throws {
      text = try TextStage("one two three")
      stage.settle()
    }

    /// The middle of a character, in pixels of the window.
    private func place(_ character: Int) throws -> Point {
      let storage = view.editing.storage
      let rect = try #require(view.caretRect(at: storage.offset(ofCharacter: character)))
      return Point(x: rect.origin.x + 1, y: rect.origin.y + rect.size.height / 2)
    }

    private func press(_ point: Point) { stage.send(.press(point.x, point.y)) }
    private func release(_ point: Point) { stage.send(.release(point.x, point.y)) }
    private func move(_ point: Point) { stage.send(.move(point.x, point.y)) }

    private func drag(from character: Int) throws {
      let start = try place(character)
      press(start)
      move(Point(x: start.x + 10, y: start.y))
    }

    @Test("A selection is dragged as it is, and moved within its text in one step")
    func moved() async throws {
      view.selectedRange = 0..<4
      try drag(from: 2)
      #expect(desk.isDragging && text.shown == "[one ]two three")
      #expect(desk.moveDrag(over: stage.window, to: try place(2)) == .cancel)
      #expect(desk.moveDrag(over: stage.window, to: try place(8)) == .move)
      #expect(view.subviews.count == 1, "shows where")
      desk.dropDrag()
      try #require(await stage.program.waits { text.shown == "two [one ]three" })
      #expect(!desk.isDragging && view.subviews.isEmpty && text.changes == 1)
      view.undo()
      #expect(view.text == "one two three" && !view.canUndo)
      view.redo()
      #expect(view.text == "two one three")
    }

    @Test("A press on the selection without a drag moves the caret with the release; beside it, it selects")
    func pressed() throws {
      view.selectedRange = 0..<7
      let point = try place(2)
      press(point)
      #expect(text.shown == "[one two] three")
      move(Point(x: point.x + 2, y: point.y))
      release(point)
      #expect(text.shown == "on|e two three")
      try drag(from: 2)
      #expect(!desk.isDragging && !view.selectedRange.isEmpty)
      release(point)
    }

    @Test(
      "Text goes to another program by copy, and is deleted where that moves it",
      arguments: [DropOperation.copy, .move])
    func elsewhere(operation: DropOperation) async throws {
      view.selectedRange = 0..<4
      try drag(from: 2)
      desk.moveDrag(over: nil, to: Point(x: 900, y: 900))
      #expect(
        await desk.dataOfDrag(type: PasteboardItem.textType).map { String(decoding: $0, as: UTF8.self) } == "one ")
      desk.dropDrag(elsewhere: operation)
      #expect(view.text == (operation == .move ? "two three" : "one two three"))
      view.undo()
      #expect(view.text == "one two three")
    }

    @Test("Text of another program is inserted and selected; of a URL alone its address")
    func foreign() async throws {
      desk.drag([PasteboardItem(text: "new\u{7} ")])
      #expect(desk.moveDrag(over: stage.window, to: try place(4)) == .copy)
      desk.dropDrag()
      try #require(await stage.program.waits { text.shown == "one [new ]two three" })
      #expect(desk.lastDrop == .copy)
      let urls = PasteboardItem(type: DragItem.urlsType, data: .init("file:///tmp/a%20b\r\n".utf8))
      desk.drag([urls])
      desk.moveDrag(over: stage.window, to: try place(0))
      desk.dropDrag()
      try #require(await stage.program.waits { view.text == "/tmp/a bone new two three" })
      desk.drag([PasteboardItem(type: "image/png", data: .init())])
      #expect(desk.moveDrag(over: stage.window, to: try place(4)) == .forbidden)
      desk.cancelDrag()
      view.isEditable = false
      desk.drag([PasteboardItem(text: "text")])
      #expect(desk.moveDrag(over: stage.window, to: try place(4)) == .forbidden)
      desk.cancelDrag()
    }

    @Test("Text is dropped where the text is without what is being composed")
    func composing() async throws {
      let inputMethod = stage.program.machine.inputMethod
      inputMethod.start { _ in .passes }
      stage.settle()
      let target = try place(4)
      // Letters of two bytes: what is before the place has another length than without them.
      inputMethod.compose(TextComposition("\u{E9}\u{E9}", caret: 2))
      #expect(view.input.marked != nil)
      desk.drag([PasteboardItem(text: "new ")])
      desk.moveDrag(over: stage.window, to: target)
      desk.dropDrag()
      try #require(await stage.program.waits { desk.lastDrop == .copy })
      #expect(text.shown == "one [new ]two three")
    }

    @Test("A field takes one line, as much as it has room for, and gives nothing of a secure text")
    func field() async throws {
      let root = View()
      let field = TextField("abc")
      field.maximumLength = 6
      field.frame = Rect(x: 0, y: 200, width: 200, height: 30)
      view.frame = Rect(x: 0, y: 0, width: 320, height: 200)
      stage.window.rootView = root
      root.addSubview(view)
      root.addSubview(field)
      stage.settle()
      view.selectedRange = 0..<7
      try drag(from: 2)
      let point = Point(x: 9, y: 215)
      #expect(desk.moveDrag(over: stage.window, to: point) == .move)
      desk.dropDrag()
      try #require(await stage.program.waits { field.text == "oneabc" })
      #expect(field.selectedRange == 0..<3 && field.isEditing)
      try #require(await stage.program.waits { !desk.isDragging })
      #expect(view.text == "one two three", "what has no room in the field would be lost")
      // With room for all of it, line ending or not.
      field.text = "abc"
      field.maximumLength = 20
      view.text = "one\ntwo three"
      view.selectedRange = 0..<7
      // Elsewhere, or it would be a double click.
      try drag(from: 5)
      #expect(desk.isDragging && desk.moveDrag(over: stage.window, to: point) == .move)
      desk.dropDrag()
      try #require(await stage.program.waits { view.text == " three" })
      #expect(field.text == "one twoabc" && field.selectedRange == 0..<7)
      field.selectedRange = 0..<3
      // The selection of the field.
      stage.send(.press(14, 215), .move(30, 215))
      #expect(desk.isDragging)
      desk.cancelDrag()
      #expect(field.selectedRange == 0..<3)
      field.isSecureTextEntry = true
      stage.send(.release(30, 215), .press(14, 215), .move(30, 215))
      #expect(!desk.isDragging)
    }

    /// Drags a text that may be moved; the view it is dropped on goes when the text is read.
    private final class Leaving: DragInteractionDelegate {
      var target: TextField?
      var ended: [DropOperation] = []

      private func read() -> Data? {
        target?.removeFromSuperview()
        target = nil
        return Data("new".utf8)
      }
      func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt point: Point) -> [DragItem] {
        let item = DragItem()
        item.registerData(type: PasteboardItem.textType) { await self.read() }
        return [item]
      }
      func dragInteraction(_ interaction: DragInteraction, allowsMoveOf items: [DragItem]) -> Bool { true }
      func dragInteraction(_ interaction: DragInteraction, didEndWith operation: DropOperation, items: [DragItem]) {
        ended.append(operation)
      }
    }

    @Test("Nothing takes a text whose view goes before the text has been read", arguments: [true, false])
    func targetGone(isFreed: Bool) async throws {
      let (root, handle, source) = (View(), View(), Leaving())
      handle.frame = Rect(x: 0, y: 0, width: 100, height: 100)
      handle.addInteraction(DragInteraction(delegate: source))
      stage.window.rootView = root
      root.addSubview(handle)
      weak var gone: TextField?
      var kept: TextField?
      do {
        let field = TextField("abc")
        field.frame = Rect(x: 0, y: 200, width: 200, height: 30)
        root.addSubview(field)
        (source.target, gone) = (field, field)
        if !isFreed { kept = field }
      }
      stage.settle()
      stage.send(.press(50, 50), .move(60, 50))
      #expect(desk.isDragging && desk.moveDrag(over: stage.window, to: Point(x: 9, y: 215)) == .move)
      desk.dropDrag()
      try #require(await stage.program.waits { !source.ended.isEmpty })
      #expect(source.ended == [.cancel] && (gone == nil) == isFreed)
      #expect(kept?.text == (isFreed ? nil : "abc"))
    }
  }
}
