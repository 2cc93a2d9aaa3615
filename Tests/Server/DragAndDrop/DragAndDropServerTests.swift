import CXCB
import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumDesk
import ProsceniumTesting
import SuiteSupport
import TestSupport
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Drags to and from other clients of a real server, with a real pointer.
  @MainActor @Suite("Drag and drop on a server") struct DragAndDropServerTests {
    /// Drags what it is given when the pointer moves with the button down, and takes text.
    final class Content: Responder, WindowContent, DropReceiver {
      weak var window: Window?
      var items: [DragItem] = []
      var allowsMove = false
      var ended: [DropOperation] = []
      private var isDown = false

      var operation = DropOperation.copy
      var heard: [String] = []
      var offers: [[String]] = []
      var text: String?
      var picture: Int?
      var isOwn = false
      var reads = true
      /// Whether it waits before it reads, and what ends that.
      var waits = false
      var waiting: CheckedContinuation<Void, Never>?

      func draw(_ buffer: inout PixelBuffer, damage: [Rect]) { for rect in damage { buffer.fill(rect, with: .black) } }
      func responder(for event: Event) -> Responder? { self }
      override func handle(_ event: Event) -> Bool {
        switch event.kind {
        case .button(let button): isDown = button.isDown
        case .motion(let motion):
          guard isDown, motion.phase == .moved else { break }
          isDown = false
          window?.beginDrag(items, allowsMove: allowsMove) { [weak self] in self?.ended.append($0) }
        default: break
        }
        return true
      }

      func dropMoved(_ session: DropSession) -> DropOperation {
        heard.append("\(session.location.x),\(session.location.y)")
        offers.append(session.types)
        isOwn = session.localDragSession != nil
        return operation
      }
      func dropExited(_ session: DropSession) { heard.append("exit") }
      func performDrop(_ session: DropSession) async -> DropOperation {
        heard.append("drop")
        if waits { await withCheckedContinuation { waiting = $0 } }
        if reads {
          text = await session.text()
          picture = await session.item(ofTypes: ["image/png"])?.data.count
        }
        heard.append("read")
        return operation
      }
    }

    let desktop: PrivateDesktop
    let program: XProgram
    let content = Content()
    let window: UInt32
    var desk: Desk { desktop.desk }
    var client: XClient { desktop.desk.client }
    var source: DragSource { program.platform.parts.dragAndDrop.source }

    init() async throws {
      try Requirement.windowManager(.openbox)
      desktop = try await PrivateDesktop(.openbox)
      let content = content
      program = try XProgram(display: desktop.server.display) { window in
        window.content = content
        content.window = window
        window.setNeedsDisplay()
        window.acceptDrops()
      }
      window = try #require(program.window?.id?.rawValue)
      let (client, window) = (client, window)
      try #require(program.run { client.longs(window, "XdndAware", type: "ATOM") == [5] })
    }

    /// Presses in the window and moves to another place.
    private func drag(to x: Int, _ y: Int) async throws {
      desk.movePointer(x: 150, y: 150)
      try desk.button(isDown: true)
      program.run(milliseconds: 30)
      desk.movePointer(x: 160, y: 150)
      try #require(await program.waits { source.isDragging && !isPointerFree })
      desk.movePointer(x: x, y: y)
    }

    private var isPointerFree: Bool {
      let cookie = xcb_grab_pointer(client.connection, 0, client.root, 0, 1, 1, 0, 0, 0)
      let reply = xcb_grab_pointer_reply(client.connection, cookie, nil)
      let isGrabbed = client.read(reply) { $0.pointee.status } == 0
      if isGrabbed { xcb_ungrab_pointer(client.connection, 0) }
      client.sync()
      return isGrabbed
    }

    private func run(_ peer: XdndPeer, until condition: @escaping () -> Bool) async -> Bool {
      await program.waits {
        peer.look()
        return condition()
      }
    }

    @Test("Another program is entered, asked and dropped on, and reads what it wants, large or small")
    func out() async throws {
      let large = [UInt8](repeating: 7, count: 3_000_000)
      let item = DragItem(text: "Grüße")
      item.registerData(type: "image/png") { Data(large) }
      content.items = [item]
      content.allowsMove = true
      // The peer is this test's, and a busy machine lets it wait.
      source.timeout = .seconds(1000)
      let peer = try XdndPeer(display: desktop.server.display)
      try await drag(to: 750, 550)
      try #require(await run(peer) { !peer.names("XdndPosition").isEmpty })
      let enter = try #require(peer.names("XdndEnter").first)
      #expect(enter[1] == 5 << 24 | 1)
      let types = client.longs(enter[0], "XdndTypeList", type: "ATOM")?.map { client.name(ofAtom: $0) } ?? []
      #expect(types.contains("UTF8_STRING") && types.contains("image/png") && !types.contains("XdndDirectSave0"))
      #expect(await run(peer) { peer.names("XdndPosition").last?[2] == 750 << 16 | 550 })
      // Out and in again.
      desk.movePointer(x: 500, y: 300)
      try #require(await run(peer) { peer.names("XdndLeave").count == 1 })
      desk.movePointer(x: 751, y: 551)
      try #require(await run(peer) { peer.names("XdndEnter").count == 2 })
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended == [.copy] })
      #expect(peer.read.map { String(decoding: $0, as: UTF8.self) } == "Grüße" && isPointerFree)
      // In pieces, and moved.
      peer.wanted = "image/png"
      peer.action = "XdndActionMove"
      try await drag(to: 750, 550)
      try #require(await run(peer) { peer.names("XdndEnter").count == 3 })
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended.count == 2 })
      #expect(content.ended.last == .move && peer.read == large)
      #expect(program.platform.parts.input.pointer.presses.isEmpty)
      #expect(program.scene?.activationState == .foregroundActive)
    }

    @Test("A target that says nothing, refuses, or dies does not hold the drag or the pointer")
    func troubled() async throws {
      content.items = [DragItem(text: "text")]
      source.timeout = .milliseconds(300)
      let peer = try XdndPeer(display: desktop.server.display)
      peer.isSilent = true
      try await drag(to: 750, 550)
      try #require(await run(peer) { !peer.names("XdndPosition").isEmpty })
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended == [.cancel] })
      #expect(await run(peer) { peer.names("XdndLeave").count == 1 } && isPointerFree)
      peer.isSilent = false
      peer.action = nil
      try await drag(to: 750, 550)
      try #require(await run(peer) { peer.names("XdndPosition").count >= 2 })
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended.count == 2 })
      // It reads and says no more.
      source.timeout = .seconds(1000)
      (peer.action, peer.finishes) = ("XdndActionCopy", false)
      try await drag(to: 750, 550)
      try #require(await run(peer) { peer.names("XdndEnter").count == 3 })
      try desk.button(isDown: false)
      try #require(await run(peer) { peer.names("XdndDrop").count == 1 })
      source.timeout = .milliseconds(300)
      try #require(await run(peer) { content.ended.count == 3 })
      #expect(content.ended.allSatisfy { $0 == .cancel })
      #expect(await run(peer) { peer.read != nil })
      // It dies with the drop.
      source.timeout = .seconds(1000)
      peer.wanted = nil
      try await drag(to: 750, 550)
      try #require(await run(peer) { peer.names("XdndEnter").count == 4 })
      try desk.button(isDown: false)
      try #require(await run(peer) { peer.names("XdndDrop").count == 2 })
      peer.die(by: client)
      try #require(await program.waits { content.ended.count == 4 })
      #expect(content.ended.last == .cancel && isPointerFree && !source.isDragging)
    }

    @Test("An adopted window of another toolkit is a target, a requestor and a source like those of other programs")
    func adopted() async throws {
      content.items = [DragItem(text: "text")]
      let peer = try XdndPeer(display: desktop.server.display)
      let id = WindowID(rawValue: peer.window)
      let platform = program.platform
      platform.perform(.follow(id, WindowDescription()))
      try #require(await run(peer) { platform.parts.context.windows[peer.window]?.model.isMapped == true })
      // It reads and says no more.
      peer.finishes = false
      try await drag(to: 750, 550)
      try #require(await run(peer) { !peer.names("XdndPosition").isEmpty })
      try desk.button(isDown: false)
      try #require(await run(peer) { peer.read != nil })
      try #require(await run(peer) { content.ended == [.cancel] })
      #expect(peer.read.map { String(decoding: $0, as: UTF8.self) } == "text" && isPointerFree)
      // It pastes, in pieces, and is followed as before.
      let large = [UInt8](repeating: 7, count: 3_000_000)
      platform.write([PasteboardItem(type: "image/png", data: Data(large))], to: .general)
      try #require(await run(peer) { (platform.parts.pasteboard.owned[.general]?.time ?? 0) != 0 })
      peer.convert("image/png", of: "CLIPBOARD")
      try #require(await run(peer) { peer.read?.count == large.count || peer.readType == "refused" })
      #expect(peer.read == large && peer.readType == "image/png")
      try #require(await run(peer) { platform.parts.pasteboard.deliveries.isEmpty })
      var events: UInt32 = 0
      platform.parts.server.connection.windowAttributes(peer.window) { events = $0?.your_event_mask ?? 0 }
      program.synchronise()
      #expect(events == Input.stateEvents)
      // It drags into a window of the program, and dies.
      peer.data = ["UTF8_STRING": Array("ihr Text".utf8)]
      peer.ownSelection()
      peer.enter(window, types: ["UTF8_STRING"])
      peer.position(window, x: 130, y: 120)
      try #require(await run(peer) { peer.names("XdndStatus").count == 1 })
      peer.drop(window)
      try #require(await run(peer) { peer.names("XdndFinished").count == 1 })
      #expect(content.text == "ihr Text")
      peer.die(by: client)
      try #require(await program.waits { platform.parts.context.windows[peer.window] == nil })
    }

    @Test("A drag over a window that reads something in pieces does not stop that")
    func overReader() async throws {
      content.items = [DragItem(text: "text")]
      let peer = try XdndPeer(display: desktop.server.display)
      let pasteboard = program.platform.parts.pasteboard
      let large = [UInt8](repeating: 7, count: 3_000_000)
      program.platform.write([PasteboardItem(type: "image/png", data: Data(large))], to: .general)
      try #require(await run(peer) { (pasteboard.owned[.general]?.time ?? 0) != 0 })
      peer.convert("image/png", of: "CLIPBOARD")
      try #require(await program.waits { pasteboard.deliveries.count == 1 })
      // The pointer comes to it, and goes.
      try await drag(to: 750, 550)
      func isOver() -> Bool { if case .dragging(.some) = source.machine.phase { true } else { false } }
      try #require(await program.waits(until: isOver))
      desk.movePointer(x: 500, y: 300)
      try #require(await program.waits { !isOver() })
      try #require(await run(peer) { peer.read != nil || pasteboard.deliveries.isEmpty })
      #expect(await run(peer) { peer.read == large })
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended.count == 1 })
    }

    @Test("Escape, another window's focus and the window's end release the pointer")
    func cancelled() async throws {
      content.items = [DragItem(text: "text")]
      try await drag(to: 500, 300)
      try desk.press(.escape)
      try #require(await program.waits { content.ended == [.cancel] })
      #expect(isPointerFree && !program.calls.contains("key"))
      try desk.button(isDown: false)
      let other = client.makeWindow(x: 700, y: 500)
      desk.focus(window)
      try #require(await program.waits { program.scene?.activationState == .foregroundActive })
      try await drag(to: 500, 300)
      desk.focus(other)
      try #require(await program.waits { content.ended.count == 2 })
      #expect(isPointerFree)
      try desk.button(isDown: false)
    }

    @Test("On a slow line the drop is where the button is released, and not where the pointer has gone since")
    func slowLine() async throws {
      let proxy = try XProxy(to: desktop.server, delay: .milliseconds(100))
      let content = Content()
      content.items = [DragItem(text: "text")]
      let slow = try XProgram(display: proxy.display) { window in
        window.content = content
        content.window = window
        window.setNeedsDisplay()
      }
      let (target, other) = try (
        XdndPeer(display: desktop.server.display), XdndPeer(display: desktop.server.display, x: 400, y: 100)
      )
      let slowSource = slow.platform.parts.dragAndDrop.source
      desk.movePointer(x: 150, y: 150)
      try desk.button(isDown: true)
      try #require(await slow.waits { slow.calls.contains("down") })
      desk.movePointer(x: 160, y: 150)
      try #require(await slow.waits { slowSource.isDragging })
      desk.movePointer(x: 750, y: 550)
      try desk.button(isDown: false)
      desk.movePointer(x: 430, y: 130)
      let isOver = await slow.waits {
        target.look()
        other.look()
        return !content.ended.isEmpty
      }
      #expect(isOver && content.ended == [.copy])
      #expect(target.read.map { String(decoding: $0, as: UTF8.self) } == "text" && isPointerFree)
      #expect(other.names("XdndEnter").isEmpty)
    }

    @Test("A drag within the program is known as its own")
    func own() async throws {
      content.items = [DragItem(text: "text")]
      try await drag(to: 250, 170)
      try #require(await program.waits { content.heard.contains("150,70") })
      #expect(content.isOwn && content.offers.last?.contains(PasteboardItem.textType) == true)
      try desk.button(isDown: false)
      try #require(await program.waits { content.ended == [.copy] })
      #expect(content.text == "text" && content.heard.suffix(2) == ["drop", "read"])
    }

    @Test("A file manager has the promised file written where it wants it")
    func promised() async throws {
      let folder = try TemporaryFolder()
      let item = DragItem()
      item.promiseFile(named: "note.txt") { try Data("promised".utf8).write(to: $0) }
      content.items = [item]
      let peer = try XdndPeer(display: desktop.server.display)
      peer.wanted = nil
      peer.finishes = false
      try await drag(to: 750, 550)
      try #require(await run(peer) { !peer.names("XdndPosition").isEmpty })
      let leader = try #require(peer.names("XdndEnter").first?[0])
      #expect(client.text(leader, "XdndDirectSave0", type: "text/plain") == "note.txt")
      try desk.button(isDown: false)
      try #require(await run(peer) { !peer.names("XdndDrop").isEmpty })
      let path = folder.file("chosen.txt")
      client.setProperty(
        leader, "XdndDirectSave0", type: "text/plain", format: 8, bytes: Array("file://localhost\(path)".utf8))
      peer.finishes = true
      peer.convert("XdndDirectSave0")
      try #require(await run(peer) { content.ended == [.copy] })
      #expect(peer.read == Array("S".utf8))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "promised")
    }

    @Test("Another program's items are offered, and read when they are dropped")
    func incoming() async throws {
      let peer = try XdndPeer(display: desktop.server.display)
      peer.data = [
        "UTF8_STRING": Array("ihr Text".utf8), "image/png": [UInt8](repeating: 1, count: 200_000), "TEXT": [],
        "x/y": [],
      ]
      peer.ownSelection()
      peer.enter(window, types: ["UTF8_STRING", "image/png"])
      peer.position(window, x: 130, y: 120)
      try #require(await run(peer) { peer.names("XdndStatus").count == 1 })
      let status = try #require(peer.names("XdndStatus").last)
      #expect(status[0] == window && status[1] & 1 == 1 && status[4] == peer.atom("XdndActionCopy"))
      #expect(content.heard == ["30,20"] && !content.isOwn)
      #expect(content.offers.last == [PasteboardItem.textType, "image/png"])
      content.operation = .move
      peer.position(window, x: 131, y: 121, action: "XdndActionMove")
      try #require(await run(peer) { peer.names("XdndStatus").last?[4] == peer.atom("XdndActionMove") })
      content.operation = .copy
      peer.say("XdndLeave", to: window, [peer.window])
      try #require(await run(peer) { content.heard.last == "exit" })
      peer.enter(window, types: ["UTF8_STRING", "image/png"])
      peer.position(window, x: 131, y: 121)
      try #require(await run(peer) { content.heard.last == "31,21" })
      peer.drop(window)
      try #require(await run(peer) { peer.names("XdndFinished").count == 1 })
      #expect(content.text == "ihr Text" && content.picture == 200_000)
      let finished = try #require(peer.names("XdndFinished").last)
      #expect(finished[0] == window && finished[1] == 1 && finished[2] == peer.atom("XdndActionCopy"))
      // A source of an older version, with more types than fit into a message.
      peer.enter(window, types: ["UTF8_STRING", "image/png", "TEXT", "x/y"], version: 3)
      peer.position(window, x: 131, y: 121)
      try #require(await run(peer) { content.offers.last?.contains("x/y") == true })
      // Where it is not taken, it is finished all the same.
      content.operation = .forbidden
      peer.position(window, x: 132, y: 121)
      try #require(await run(peer) { content.heard.last == "32,21" })
      peer.drop(window)
      try #require(await run(peer) { peer.names("XdndFinished").count == 2 && content.heard.last == "exit" })
    }

    @Test(
      "The source of what is moved is asked to delete it before the drop is finished, whether it answers or refuses")
    func moved() async throws {
      let peer = try XdndPeer(display: desktop.server.display)
      content.operation = .move
      for (number, answer) in [nil, [UInt8]()].enumerated() {
        peer.data = ["UTF8_STRING": Array("ihr Text".utf8)]
        peer.data["DELETE"] = answer
        peer.ownSelection()
        peer.enter(window, types: ["UTF8_STRING"])
        peer.position(window, x: 130, y: 120, action: "XdndActionMove")
        try #require(await run(peer) { peer.names("XdndStatus").count == number + 1 })
        peer.drop(window)
        try #require(await run(peer) { peer.names("XdndFinished").count == number + 1 })
        #expect(content.text == "ihr Text" && peer.asked.suffix(2) == ["DELETE", "XdndFinished"])
        #expect(peer.names("XdndFinished").last == [window, 1, peer.atom("XdndActionMove"), 0, 0])
      }
      // What is copied stays
      content.operation = .copy
      peer.enter(window, types: ["UTF8_STRING"])
      peer.position(window, x: 130, y: 120)
      try #require(await run(peer) { peer.names("XdndStatus").count == 3 })
      peer.drop(window)
      try #require(await run(peer) { peer.names("XdndFinished").count == 3 })
      #expect(peer.asked.count { $0 == "DELETE" } == 2 && program.platform.parts.pasteboard.reads.isEmpty)
    }

    @Test("A target may ask to delete what it moves, and not what it may only copy", arguments: [true, false])
    func deletes(allowsMove: Bool) async throws {
      content.items = [DragItem(text: "text")]
      content.allowsMove = allowsMove
      let peer = try XdndPeer(display: desktop.server.display)
      (peer.wanted, peer.action) = ("DELETE", "XdndActionMove")
      try await drag(to: 750, 550)
      try #require(await run(peer) { !peer.names("XdndPosition").isEmpty })
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended == [allowsMove ? .move : .copy] })
      #expect(peer.read == [] && peer.readType == (allowsMove ? "NULL" : "refused"))
    }

    @Test("What is dropped where there is no window goes to the program that stands for the root window")
    func onRoot() async throws {
      content.items = [DragItem(text: "text")]
      let peer = try XdndPeer(display: desktop.server.display)
      peer.standForRoot()
      try await drag(to: 500, 300)
      try #require(await run(peer) { peer.names("XdndPosition").last?[2] == 500 << 16 | 300 })
      #expect(peer.target == client.root)
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended == [.copy] })
      #expect(peer.read.map { String(decoding: $0, as: UTF8.self) } == "text" && isPointerFree)
    }

    @Test("Names of types that another program makes up are not kept, and long ones are no types")
    func longNames() async throws {
      let peer = try XdndPeer(display: desktop.server.display)
      let pasteboard = program.platform.parts.pasteboard
      pasteboard.withAtoms([]) {}
      program.synchronise()
      let count = pasteboard.names.count
      // To sort the marks of a letter takes a time that grows with the square of their number
      let marks = (1...4).map { "a/\($0)" + String(repeating: "\u{323}\u{301}", count: 1000) }
      peer.setTypeList(marks + ["a/" + String(repeating: "b", count: 300), "c/d", "c/d", "c/e"])
      peer.say("XdndEnter", to: window, [peer.window, 5 << 24 | 1, 0, 0, 0])
      peer.position(window, x: 131, y: 121)
      try #require(await run(peer) { content.heard.last == "31,21" })
      #expect(content.offers.last == ["c/d", "c/e"] && pasteboard.names.count == count)
    }

    @Test("What is read of a drop after a drag of the program has begun is not that drag's")
    func lateRead() async throws {
      content.items = [DragItem(text: "of here")]
      content.waits = true
      let peer = try XdndPeer(display: desktop.server.display)
      peer.data = ["UTF8_STRING": Array("ihr Text".utf8)]
      peer.ownSelection()
      peer.enter(window, types: ["UTF8_STRING"])
      peer.position(window, x: 130, y: 120)
      try #require(await run(peer) { peer.names("XdndStatus").count == 1 })
      peer.drop(window)
      try #require(await run(peer) { content.waiting != nil })
      // The pointer is held once the selection is the program's.
      try await drag(to: 500, 300)
      content.waiting?.resume()
      try #require(await run(peer) { content.heard.contains("read") })
      #expect(content.text == nil)
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended.count == 1 })
    }

    @Test("What is over a window that the program takes away has left it")
    func windowGone() async throws {
      let other = Content()
      let panel = Window(windowScene: try #require(program.scene))
      panel.frame = Rect(x: 400, y: 100, width: 200, height: 100)
      panel.content = other
      panel.acceptDrops()
      panel.makeKeyAndVisible()
      let id = try #require(panel.id?.rawValue)
      let peer = try XdndPeer(display: desktop.server.display)
      try #require(await run(peer) { client.longs(id, "XdndAware", type: "ATOM") == [5] })
      peer.ownSelection()
      peer.enter(id, types: ["UTF8_STRING"])
      // It is shown in a moment.
      let isTaken = await run(peer) {
        peer.position(id, x: 430, y: 120)
        return peer.names("XdndStatus").last.map { $0[1] & 1 == 1 } ?? false
      }
      try #require(isTaken && other.heard.last != nil)
      panel.windowScene = nil
      #expect(await run(peer) { other.heard.last == "exit" })
      #expect(other.heard.count { $0 == "exit" } == 1)
    }

    @Test("A source that dies is forgotten, before the drop and after it")
    func deadSource() async throws {
      for dies in ["before", "after"] {
        content.heard = []
        let peer = try XdndPeer(display: desktop.server.display)
        peer.ownSelection()
        peer.enter(window, types: ["UTF8_STRING"])
        peer.position(window, x: 130, y: 120)
        try #require(await run(peer) { content.heard == ["30,20"] && !peer.names("XdndStatus").isEmpty })
        if dies == "after" {
          peer.drop(window)
          try #require(await program.waits { content.heard.contains("drop") })
        }
        peer.die(by: client)
        try #require(await program.waits { content.heard.last == (dies == "before" ? "exit" : "read") })
        #expect(content.text == nil)
      }
      let machine = program.platform.parts.dragAndDrop.target.machine
      #expect(machine.phase == .empty && machine.reading.isEmpty)
    }

    @Test("Rubbish of other programs changes nothing")
    func rubbish() async throws {
      let peer = try XdndPeer(display: desktop.server.display)
      var numbers = SeededNumbers(testSeed())
      let names = ["XdndEnter", "XdndPosition", "XdndLeave", "XdndDrop", "XdndStatus", "XdndFinished"]
      let leader = program.platform.parts.server.leader
      let sources = [peer.window, window, leader, client.root, 0, .max, 0x123_4567]
      peer.setTypeList(Array(repeating: "a/b", count: 3000))
      for round in 0..<600 {
        let source = sources[Int.random(in: 0..<sources.count, using: &numbers)]
        var words = [source] + (0..<4).map { _ in UInt32.random(in: 0 ... .max, using: &numbers) }
        if round % 3 == 0 { words[1] = UInt32.random(in: 0...7, using: &numbers) << 24 | UInt32(round & 1) }
        let target = round % 5 == 0 ? leader : window
        var event = client.clientMessage(target, type: peer.atom(names[round % names.count]), words)
        if round % 7 == 0 { event[1] = [8, 16, 0, 77][round % 4] }
        peer.send(event, to: target)
      }
      // The window of a source that has never been there.
      peer.say("XdndEnter", to: window, [0x77_7777, 5 << 24, peer.atom("UTF8_STRING"), 0, 0])
      peer.say("XdndPosition", to: window, [0x77_7777, 0, 130 << 16 | 120, 0, 0])
      let target = program.platform.parts.dragAndDrop.target
      // All that was sent before it has been handled then.
      peer.say("XdndEnter", to: window, [peer.window, 5 << 24, peer.atom("x/last"), 0, 0])
      peer.position(window, x: 131, y: 121)
      try #require(await run(peer) { content.offers.last == ["x/last"] && target.machine.reading.isEmpty })
      #expect(isPointerFree && !source.isDragging && content.ended.isEmpty)
      // All goes on as before.
      peer.data = ["UTF8_STRING": Array("text".utf8)]
      peer.ownSelection()
      content.heard = []
      peer.enter(window, types: ["UTF8_STRING"])
      peer.position(window, x: 130, y: 120)
      try #require(await run(peer) { content.heard.last == "30,20" })
      peer.drop(window)
      try #require(await run(peer) { content.text == "text" && peer.names("XdndFinished").last?[1] == 1 })
    }

    @Test("A drag in the name of the settings' manager does not end the following of the settings")
    func inTheNameOfTheManager() async throws {
      func settings(_ dpi: Int32) -> [UInt8] {
        var bytes = SettingsBytes()
        bytes.add("Xft/DPI", dpi * 1024)
        return bytes.bytes()
      }
      let manager = client.manageSettings(settings(96))
      program.platform.followSettings()
      let parts = program.platform.parts
      try #require(await program.waits { parts.settings.manager == manager && parts.screens.settingsDPI == 96 })
      let peer = try XdndPeer(display: desktop.server.display)
      peer.say("XdndEnter", to: window, [manager, 5 << 24, peer.atom("UTF8_STRING"), 0, 0])
      peer.say("XdndLeave", to: window, [manager, 0, 0, 0, 0])
      // Both have been handled then
      peer.enter(window, types: ["x/last"])
      peer.position(window, x: 131, y: 121)
      try #require(await run(peer) { content.offers.last == ["x/last"] })
      program.synchronise()
      client.changeSettings(manager, settings(192))
      #expect(await program.waits { parts.screens.settingsDPI == 192 })
    }

    @Test("A button that is up before the drag has begun drops it all the same")
    func quick() async throws {
      content.items = [DragItem(text: "text")]
      let peer = try XdndPeer(display: desktop.server.display)
      desk.movePointer(x: 150, y: 150)
      try desk.button(isDown: true)
      for (x, y) in [(160, 150), (750, 550)] { desk.movePointer(x: x, y: y) }
      try desk.button(isDown: false)
      try #require(await run(peer) { content.ended == [.copy] })
      #expect(peer.read.map { String(decoding: $0, as: UTF8.self) } == "text" && isPointerFree)
    }

    @Test("A program without drags and drops asks the server for nothing of them")
    func unused() throws {
      let plain = try XProgram(display: desktop.server.display)
      let plainWindow = try #require(plain.window?.id?.rawValue)
      let server = plain.platform.parts.server
      try #require(plain.run { plain.scene?.activationState == .foregroundActive })
      desk.movePointer(x: 150, y: 150)
      plain.run(milliseconds: 50)
      #expect(
        !AtomName.forDrags.contains(where: server.hasAsked)
          && client.longs(plainWindow, "XdndAware", type: "ATOM") == nil)
      // A window that takes drops asks for what these need alone.
      #expect(!program.platform.parts.server.hasAsked(for: .xdndProxy))
    }

    // MARK: Real programs

    /// Starts another program in a home of its own.
    private func start(_ arguments: [String], _ folder: TemporaryFolder) throws -> QuietProcess {
      let environment = [
        "DISPLAY": desktop.server.display, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "NO_AT_BRIDGE": "1",
        "GTK_A11Y": "none", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "LC_ALL": "C.UTF-8",
      ]
      return try #require(QuietProcess(arguments, environment: environment))
    }

    @Test("Other toolkits take what is dragged here, and what they drag is taken", arguments: Toolkit.allCases)
    func toolkit(_ toolkit: Toolkit) async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("received")
      source.timeout = .seconds(1000)
      let child = try start(["/usr/bin/python3", "-c", toolkit.script, path], folder)
      defer { child.end(SIGKILL) }
      try #require(await program.waits { access(path + ".ready", F_OK) == 0 })
      content.items = [DragItem(text: "from here, Grüße")]
      try await drag(to: 820, 600)
      desk.movePointer(x: 822, y: 602)
      // The target says whether it takes it.
      try #require(await program.waits { isTaken })
      try desk.button(isDown: false)
      try #require(await program.waits { content.ended == [.copy] })
      try #require(await program.waits { access(path, F_OK) == 0 })
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "from here, Grüße")
      // The other way: a toolkit begins a drag after some points, and hears of nothing that the pointer did before.
      desk.movePointer(x: 660, y: 600)
      try desk.button(isDown: true)
      for step in 1...10 { desk.movePointer(x: 660 - step * 6, y: 600 - step * 4) }
      var step = 0
      let isOver = await program.waits {
        step += 1
        desk.movePointer(x: 180 + step % 2, y: 150)
        return content.heard.last?.hasPrefix("8") == true
      }
      try #require(isOver)
      try desk.button(isDown: false)
      try #require(await program.waits { content.text == toolkit.text })
    }

    /// Whether the window below the pointer would take what is dragged.
    private var isTaken: Bool {
      if case .dragging(let visit?) = source.machine.phase { visit.operation == .copy } else { false }
    }

    @Test("PCManFM has a promised file written into the folder that it shows")
    func fileManager() async throws {
      let (home, shown) = (try TemporaryFolder(), try TemporaryFolder())
      let item = DragItem()
      item.promiseFile(named: "note.txt") { try Data("promised".utf8).write(to: $0) }
      content.items = [item]
      source.timeout = .seconds(1000)
      let child = try start(["/usr/bin/pcmanfm", shown.path], home)
      defer { child.end(SIGKILL) }
      func manager() -> UInt32? {
        client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW")?
          .first { $0 != window && client.longs($0, "XdndAware", type: "ATOM") != nil }
      }
      try #require(await program.waits { manager() != nil })
      let other = try #require(manager())
      client.move(other, to: Place(400, 300, 640, 480))
      try #require(await program.waits { client.place(of: other).map { $0.x >= 400 && $0.width == 640 } == true })
      let place = try #require(client.place(of: other))
      try await drag(to: place.x + 500, place.y + 300)
      // The folder is shown once it has been read: until then nothing is taken.
      var step = 0
      let isOver = await program.waits {
        step += 1
        desk.movePointer(x: place.x + 500 + step % 2, y: place.y + 300)
        return isTaken
      }
      try #require(isOver)
      try desk.button(isDown: false)
      try #require(await program.waits { !content.ended.isEmpty })
      #expect(content.ended == [.copy])
      #expect(try String(contentsOfFile: shown.file("note.txt"), encoding: .utf8) == "promised")
    }
  }
}

/// Programs of other toolkits, with a source of text at (660, 600) and a target at (820, 600).
///
/// What is dropped is written to the file of the first argument; beside it is another file once the window is there.
enum Toolkit: CaseIterable {
  case gtk, qt

  var text: String { self == .gtk ? "from GTK" : "from Qt" }

  private static let write = """
    import os, sys
    def write(text, end=''):
        with open(sys.argv[1] + '.part', 'w') as f: f.write(text)
        os.rename(sys.argv[1] + '.part', sys.argv[1] + end)
    """

  var script: String {
    Self.write + "\n" + (self == .gtk ? Self.gtkScript : Self.qtScript)
  }

  private static let gtkScript = """
    import gi
    gi.require_version('Gtk', '3.0')
    from gi.repository import Gtk, Gdk, GLib
    w = Gtk.Window(type=Gtk.WindowType.POPUP)
    box = Gtk.Box(homogeneous=True)
    source, target = Gtk.Button(label='source'), Gtk.Label(label='target')
    box.add(source); box.add(target); w.add(box)
    w.set_default_size(300, 200); w.move(600, 500)
    source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
    source.drag_source_add_text_targets()
    source.connect('drag-data-get', lambda s, c, d, i, t: d.set_text('from GTK', -1))
    target.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
    target.drag_dest_add_text_targets()
    target.connect('drag-data-received', lambda s, c, x, y, data, i, t: write(data.get_text() or ''))
    w.show_all()
    GLib.timeout_add(300, lambda: write('', '.ready'))
    Gtk.main()
    """

  private static let qtScript = """
    from PyQt5 import QtCore, QtGui, QtWidgets
    class Source(QtWidgets.QLabel):
        def mousePressEvent(self, event): self.is_down = True
        def mouseMoveEvent(self, event):
            if not self.is_down: return
            self.is_down = False
            drag, data = QtGui.QDrag(self), QtCore.QMimeData()
            data.setText('from Qt')
            drag.setMimeData(data)
            drag.exec_(QtCore.Qt.CopyAction)
    class Target(QtWidgets.QLabel):
        def dragEnterEvent(self, event): event.acceptProposedAction()
        def dropEvent(self, event):
            write(event.mimeData().text())
            event.acceptProposedAction()
    app = QtWidgets.QApplication(sys.argv)
    w = QtWidgets.QWidget(flags=QtCore.Qt.X11BypassWindowManagerHint)
    layout = QtWidgets.QHBoxLayout(w)
    source, target = Source('source'), Target('target')
    target.setAcceptDrops(True)
    layout.addWidget(source, 1); layout.addWidget(target, 1)
    w.setGeometry(600, 500, 300, 200)
    w.show()
    QtCore.QTimer.singleShot(300, lambda: write('', '.ready'))
    app.exec_()
    """
}
