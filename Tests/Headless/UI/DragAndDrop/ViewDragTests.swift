import FoundationEssentials
import ProsceniumTesting
import ProsceniumTrace
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumUI

extension UISuites {
  /// Drags that begin in views and end in views, in other scenes and elsewhere, without a display.
  @MainActor @Suite("Drag and drop of views") struct ViewDragTests {
    /// Drags what it is told to.
    final class Source: DragInteractionDelegate {
      var items: [DragItem] = [DragItem(text: "dragged")]
      var allowsMove = false
      var points: [Point] = []
      var ended: [DropOperation] = []
      var begun: [DragSession] = []
      func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt point: Point) -> [DragItem] {
        points.append(point)
        return items
      }
      func dragInteraction(_ interaction: DragInteraction, allowsMoveOf items: [DragItem]) -> Bool { allowsMove }
      func dragInteraction(_ interaction: DragInteraction, sessionDidBegin session: DragSession) {
        begun.append(session)
      }
      func dragInteraction(_ interaction: DragInteraction, didEndWith operation: DropOperation, items: [DragItem]) {
        ended.append(operation)
      }
    }

    /// Takes text, and writes down what comes.
    final class Target: DropInteractionDelegate {
      var operation = DropOperation.copy
      var accepts = true
      var heard: [String] = []
      var places: [Point] = []
      var text: String?
      var urls: [URL] = []
      var local: [Any?] = []
      var succeeds = true
      func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool { accepts }
      func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
        heard.append("enter")
      }
      func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
        if let view = interaction.view { places.append(session.location(in: view)) }
        return DropProposal(operation: operation)
      }
      func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { heard.append("exit") }
      func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) async -> Bool {
        local = session.localDragSession?.items.map(\.localObject) ?? []
        text = await session.text()
        urls = await session.urls()
        heard.append("drop")
        return succeeds
      }
    }

    let source = Source()
    let target = Target()
    let left = View()
    let right = View()
    let stage: UIStage
    var desk: HeadlessDesk { stage.program.desk }

    init() throws {
      let (left, right) = (left, right)
      stage = try UIStage { window in
        let root = View()
        window.rootView = root
        left.frame = Rect(x: 0, y: 0, width: 100, height: 240)
        right.frame = Rect(x: 200, y: 0, width: 120, height: 240)
        for view in [left, right] { root.addSubview(view) }
      }
      left.addInteraction(DragInteraction(delegate: source))
      right.addInteraction(DropInteraction(delegate: target))
    }

    /// Presses in the left view and moves far enough.
    private func begin(scale: Int = 1) {
      stage.send(.press(50 * scale, 60 * scale), .move(53 * scale, 60 * scale), .move(56 * scale, 60 * scale))
    }

    @Test("A view's items go to another view, with the object behind them")
    func between() async throws {
      let object = NSObjectStandIn()
      source.items[0].localObject = object
      begin()
      #expect(desk.isDragging && source.points == [Point(x: 50, y: 60)])
      let icon = stage.program.application.conductor?.feature(PopUps.self)?.presented.first
      #expect(icon?.kind == .drag && icon?.frame.origin == Point(x: 100 + 56 + 8, y: 100 + 60 + 8))
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 150, y: 10)) == .forbidden)
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20)) == .copy)
      #expect(target.heard == ["enter"] && target.places == [Point(x: 10, y: 20)])
      desk.dropDrag()
      #expect(icon?.isPresented == false)
      try #require(await stage.program.waits { source.ended == [.copy] })
      #expect(target.heard == ["enter", "drop"] && target.text == "dragged")
      #expect(target.local.first as? NSObjectStandIn === object)
      #expect(!desk.isDragging && source.begun.count == 1)
      #expect(stage.program.entries.contains { $0.text("name") == "drag" && $0.text("outcome") == "copy" })
    }
    final class NSObjectStandIn {}

    @Test("The name of a window's file is dragged as its URL; without a file there is nothing to drag")
    func proxy() async throws {
      let proxy = DocumentProxyView()
      proxy.frame = left.bounds
      left.addSubview(proxy)
      source.items = []
      begin()
      #expect(!desk.isDragging && proxy.contextMenu(at: .zero) == nil && !proxy.canBecomeFirstResponder)
      #expect(!proxy.isAccessibilityElement)
      stage.send(.release(56, 60))
      let url = URL(filePath: "/there/in it/a.txt")
      proxy.url = url
      #expect(proxy.toolTip == "/there/in it/a.txt" && proxy.accessibilityProperties.label == "a.txt")
      #expect(proxy.isAccessibilityElement)
      begin()
      desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20))
      desk.dropDrag()
      try #require(await stage.program.waits { target.heard == ["enter", "drop"] })
      #expect(target.urls == [url])
      // What the program has said stays with another file.
      proxy.isAccessibilityElement = false
      proxy.url = URL(filePath: "/there/b.txt")
      #expect(!proxy.isAccessibilityElement)
    }

    @Test("The menu of a window's file has its folders, which are opened")
    func folders() throws {
      let proxy = DocumentProxyView()
      left.addSubview(proxy)
      proxy.url = URL(filePath: "/there/in it/a.txt")
      let items = try #require(proxy.contextMenu(at: .zero)?.children as? [MenuItem])
      #expect(items.map(\.title) == ["in it", "there", "/"])
      #if !WITHOUT_OpenRequests
        let desktop = OpeningDesktop()
        stage.program.application.desktop = desktop
        #expect(proxy.becomeFirstResponder())
        for index in items.indices {
          stage.send(.type(KeySymbol.menu))
          for _ in 0..<index { stage.send(.type(KeySymbol.down)) }
          stage.send(.type(KeySymbol.return))
        }
        #expect(desktop.opened.map { $0.path(percentEncoded: false) } == ["/there/in it/", "/there/", "/"])
      #endif
      // Without the steps of a path that is not the shortest
      for path in ["/there/./in it/a.txt", "/there/none/../in it/a.txt"] {
        proxy.url = URL(filePath: path)
        let items = try #require(proxy.contextMenu(at: .zero)?.children as? [MenuItem])
        #expect(items.map(\.title) == ["in it", "there", "/"])
      }
      proxy.url = URL(string: "https://example.org/a.txt")
      #expect(proxy.contextMenu(at: .zero) == nil)
    }

    @Test("A drag that moves, is refused, leaves, or whose drop comes to nothing ends as such")
    func ends() async throws {
      source.allowsMove = true
      target.operation = .move
      begin()
      desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20))
      desk.dropDrag()
      try #require(await stage.program.waits { source.ended == [.move] })
      // The target has no use for it after all.
      target.succeeds = false
      begin()
      desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20))
      desk.dropDrag()
      try #require(await stage.program.waits { source.ended == [.move, .cancel] })
      target.accepts = false
      begin()
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20)) == .forbidden)
      desk.dropDrag()
      #expect(source.ended == [.move, .cancel, .forbidden])
      target.accepts = true
      target.heard = []
      begin()
      desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20))
      desk.moveDrag(over: nil, to: Point(x: 900, y: 900))
      #expect(target.heard == ["enter", "exit"])
      desk.dropDrag(elsewhere: .copy)
      #expect(source.ended.last == .copy && source.ended.count == 4)
    }

    @Test("What rests over a window that takes no drops any more has left it", arguments: [true, false])
    func noLongerTaken(isDropped: Bool) async throws {
      desk.drag([PasteboardItem(text: "text")])
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20)) == .copy)
      let alert = AlertController(title: "Sure?")
      alert.addAction(AlertAction("Yes"))
      alert.present(above: stage.window)
      stage.settle()
      if isDropped {
        desk.dropDrag()
        #expect(desk.lastDrop == .cancel)
      } else {
        #expect(desk.moveDrag(over: stage.window, to: Point(x: 211, y: 20)) == .forbidden)
      }
      #expect(target.heard == ["enter", "exit"])
      alert.dismiss()
      stage.settle()
      if isDropped { desk.drag([PasteboardItem(text: "text")]) }
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 212, y: 20)) == .copy)
      desk.cancelDrag()
      #expect(target.heard == ["enter", "exit", "enter", "exit"])
    }

    @Test("A drag whose view goes meanwhile ends for the delegate all the same")
    func sourceGone() async throws {
      source.allowsMove = true
      target.operation = .move
      left.removeInteraction(left.interactions[0])
      weak var gone: View?
      do {
        let view = View()
        view.frame = left.bounds
        view.addInteraction(DragInteraction(delegate: source))
        left.addSubview(view)
        gone = view
      }
      begin()
      desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20))
      gone?.removeFromSuperview()
      #expect(desk.isDragging && gone == nil)
      desk.dropDrag()
      try #require(await stage.program.waits { desk.lastDrop == .move })
      stage.settle()
      #expect(source.ended == [.move])
    }

    enum Ending: CaseIterable { case escape, resignation, background }

    @Test("Escape ends a drag, and so does its scene's resignation", arguments: Ending.allCases)
    func cancelled(ending: Ending) {
      begin()
      desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20))
      #expect(desk.isDragging)
      switch ending {
      case .escape: stage.press([Symbol.escape])
      case .resignation:
        desk.focus(nil)
        stage.settle()
      case .background:
        desk.minimize(stage.window)
        stage.program.advance(by: .seconds(2))
      }
      #expect(!desk.isDragging && source.ended == [.cancel])
      #expect(target.heard == ["enter", "exit"])
      #expect(stage.scene?.heard == [], "the key is the drag's")
    }

    @Test("Less than a few points are no drag, and nothing to drag leaves the press to the view")
    func threshold() {
      stage.send(.press(50, 60), .move(54, 64), .release(54, 64))
      #expect(!desk.isDragging && source.points.isEmpty)
      source.items = []
      begin()
      #expect(!desk.isDragging && source.points.count == 1)
      stage.send(.move(80, 60), .release(80, 60))
      #expect(source.points.count == 1)
    }

    @Test("Items of another program are read when they are dropped, and not before")
    func foreign() async throws {
      let list = "# files\r\nfile:///tmp/a%20b\r\nhttps://example.org/x\r\nfile://elsewhere/c\r\nrubbish\r\n"
      desk.drag([PasteboardItem(type: DragItem.urlsType, data: Data(list.utf8)), PasteboardItem(text: "text")])
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20)) == .copy)
      #expect(target.text == nil)
      desk.dropDrag()
      try #require(await stage.program.waits { desk.lastDrop == .copy })
      #expect(target.text == "text")
      #expect(
        target.urls.map(\.absoluteString) == ["file:///tmp/a%20b", "https://example.org/x", "file://elsewhere/c"])
      // A source that dies.
      desk.drag([PasteboardItem(text: "text")])
      desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20))
      desk.cancelDrag()
      #expect(target.heard == ["enter", "drop", "enter", "exit"])
    }

    @Test("Where nothing takes an item with an activity, a scene opens for it at the pointer")
    func scene() throws {
      let activity = UserActivity(activityType: "org.example.picture")
      source.items[0].userActivity = activity
      UIStage.MainScene.setUp = nil
      begin()
      desk.moveDrag(over: nil, to: Point(x: 900, y: 500))
      desk.dropDrag()
      stage.settle()
      #expect(stage.program.scenes.count == 2 && source.ended == [.cancel])
      let window = try #require(stage.program.windows.last)
      #expect(window !== stage.window)
      let description = stage.program.platform.commands.compactMap { command in
        if case .create(window.id, let description) = command { description } else { nil }
      }
      let place = try #require(description.first)
      #expect(place.position == Point(x: 900 - place.size.width / 2, y: 500))
      // To another scene.
      let other = View()
      other.addInteraction(DropInteraction(delegate: target))
      window.rootView = other
      stage.settle()
      desk.focus(stage.window)
      stage.settle()
      begin()
      #expect(desk.moveDrag(over: window, to: Point(x: 20, y: 30)) == .copy)
      desk.cancelDrag()
      #expect(target.places.last == Point(x: 20, y: 30))
    }

    @Test("At two pixels a point, places are points of the views")
    func scale() throws {
      var screen = HeadlessScreen("fine", frame: Rect(x: 0, y: 0, width: 3840, height: 2160), isPrimary: true)
      screen.scale = 2
      desk.screens = [screen]
      stage.settle()
      try #require(stage.window.scale == 2)
      begin(scale: 2)
      #expect(desk.isDragging && source.points == [Point(x: 50, y: 60)])
      let platform = stage.program.platform
      #expect(platform.drags.offer?.hotSpot == Point(x: -16, y: -16))
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 420, y: 40)) == .copy)
      #expect(target.places == [Point(x: 10, y: 20)])
      desk.cancelDrag()
    }

    @Test("While something is dragged near its edge, a view scrolls, and answers for what has come below the pointer")
    func autoscroll() throws {
      let scroll = ScrollView()
      scroll.frame = Rect(x: 200, y: 0, width: 120, height: 240)
      let low = View()
      low.frame = Rect(x: 0, y: 400, width: 120, height: 600)
      left.superview?.addSubview(scroll)
      scroll.addSubview(low)
      scroll.contentSize = Size(width: 120, height: 1000)
      low.addInteraction(DropInteraction(delegate: target))
      stage.settle()
      desk.drag([PasteboardItem(text: "text")])
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 250, y: 120)) == .forbidden)
      stage.program.advance(by: 500)
      #expect(scroll.contentOffset.y == 0)
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 250, y: 235)) == .forbidden)
      stage.program.advance(by: 2000)
      #expect(scroll.contentOffset.y > 200)
      #expect(stage.program.platform.drags.answer == .copy && target.heard == ["enter"])
      desk.moveDrag(over: stage.window, to: Point(x: 250, y: 120))
      let offset = scroll.contentOffset.y
      stage.program.advance(by: 500)
      #expect(scroll.contentOffset.y == offset)
      desk.moveDrag(over: stage.window, to: Point(x: 250, y: 1))
      stage.program.advance(by: 5000)
      #expect(scroll.contentOffset.y == 0)
      desk.cancelDrag()
      #expect(target.heard.last == "exit")
    }

    @Test("The scroll bar of a view with a drag scrolls, and drags nothing")
    func scrollBar() throws {
      let scroll = ScrollView()
      scroll.frame = left.bounds
      scroll.contentSize = Size(width: 100, height: 1000)
      left.addSubview(scroll)
      stage.settle()
      stage.send(.press(96, 20), .move(96, 40), .move(96, 60))
      #expect(!desk.isDragging && source.points == [] && scroll.contentOffset.y > 100)
      stage.send(.release(96, 60))
    }

    @Test("A drop that the program never ends is given up")
    func endless() async throws {
      let endless = Endless()
      right.removeInteraction(right.interactions[0])
      right.addInteraction(DropInteraction(delegate: endless))
      desk.drag([PasteboardItem(text: "text")])
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20)) == .copy)
      desk.dropDrag()
      stage.program.advance(by: .seconds(59))
      #expect(desk.lastDrop == nil)
      stage.program.advance(by: .seconds(2))
      #expect(desk.lastDrop == .cancel)
      endless.continuation?.resume()
    }

    final class Endless: DropInteractionDelegate {
      var continuation: CheckedContinuation<Void, Never>?
      func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) async -> Bool {
        await withCheckedContinuation { continuation = $0 }
        return true
      }
    }

    @Test("Reading what the program itself drags ends with the drop, also where the source never has the data")
    func endlessSource() async throws {
      let slow = Slow()
      let item = DragItem()
      item.registerData(type: PasteboardItem.textType) { await slow.load() }
      source.items = [item]
      begin()
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 210, y: 20)) == .copy)
      desk.dropDrag()
      try #require(await stage.program.waits { slow.continuation != nil })
      stage.program.advance(by: .seconds(61))
      #expect(desk.lastDrop == .cancel)
      #expect(await stage.program.waits { target.heard == ["enter", "drop"] })
      #expect(target.text == nil)
      slow.continuation?.resume()
    }

    @MainActor final class Slow {
      var continuation: CheckedContinuation<Void, Never>?
      func load() async -> Data? {
        await withCheckedContinuation { continuation = $0 }
        return nil
      }
    }

    @Test("A file that is promised is written where a file manager wants it, and nowhere else")
    func promised() async throws {
      let folder = try #require(FileManager.default.temporaryFolder)
      defer { try? FileManager.default.removeItem(at: folder) }
      source.items[0].promiseFile(named: "pic/ture.png") { try Data("png".utf8).write(to: $0) }
      begin()
      desk.moveDrag(over: nil, to: Point(x: 900, y: 900))
      #expect(desk.promisedFileName == "pic-ture.png")
      #expect(await desk.dataOfDrag(type: PasteboardItem.textType) == Data("dragged".utf8))
      #expect(await desk.dataOfDrag(type: "image/jpeg") == nil)
      let file = folder.appending(path: "chosen.png")
      #expect(await desk.savePromisedFile(to: file))
      #expect(try Data(contentsOf: file) == Data("png".utf8))
      #expect(await !desk.savePromisedFile(to: folder.appending(path: "no/such/folder.png")))
      let web = try #require(URL(string: "https://example.org/x"))
      #expect(await !desk.savePromisedFile(to: web))
      let other = try #require(URL(string: "file://elsewhere/tmp/x"))
      #expect(await !desk.savePromisedFile(to: other))
      desk.dropDrag(elsewhere: .copy)
      #expect(source.ended == [.copy])
    }
  }
}

extension FileManager {
  /// A folder of the test's own.
  fileprivate var temporaryFolder: URL? {
    let folder = temporaryDirectory.appending(path: "proscenium-drag-\(UInt64.random(in: 0 ... .max))")
    try? createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
