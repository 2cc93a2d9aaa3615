import FoundationEssentials
import Glibc
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Selections between the platform, xclip, and a second platform.
  @MainActor @Suite("Pasteboard", .enabled(if: TestServer.exists("xclip"))) struct PasteboardTests {
    let server: TestServer
    let stage: Recording
    let folder: String

    init() throws {
      server = try #require(TestServer())
      stage = try Recording(server)
      var template = Array("/tmp/pasteboard-XXXXXX".utf8CString)
      folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    /// What the platform pastes; the outer nil where no answer has come at all.
    private func paste(
      _ types: [String] = [PasteboardItem.textType], from name: PasteboardName = .general
    ) -> PasteboardItem?? {
      var answer: PasteboardItem??
      stage.platform.read(types, from: name) { answer = .some($0) }
      return stage.run { answer != nil } ? answer : nil
    }

    private func pasteText(from name: PasteboardName = .general) -> String? {
      paste(from: name).flatMap { $0 }.map { String(decoding: $0.data, as: UTF8.self) }
    }

    /// What xclip pastes, while the platform serves.
    private func xclipPaste(_ options: String = "") -> [UInt8]? {
      let path = folder + "/out"
      unlink(path)
      guard let child = server.launch("sh", "-c", "xclip -o \(options) > \(path).part && mv \(path).part \(path)")
      else {
        return nil
      }
      defer { child.end(SIGKILL) }
      waitForFile(path)
      return contents(path)
    }

    /// Nothing tells the loop of a file: it looks again and again.
    private func waitForFile(_ path: String) {
      let tick = DeadlineID(rawValue: 77)
      _ = stage.run {
        stage.perform(.setDeadline(tick, milliseconds: 5))
        return access(path, R_OK) == 0
      }
      stage.perform(.cancelDeadline(tick))
    }

    private func contents(_ path: String) -> [UInt8]? {
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
      return Array(data)
    }

    /// xclip goes into the background as the owner.
    private func xclipCopy(_ bytes: [UInt8], _ options: String) throws {
      let path = folder + "/in"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(server.run("sh", "-c", "xclip -i \(options) \(path)") == 0)
    }

    private func copy(_ items: PasteboardItem..., to name: PasteboardName = .general) {
      stage.platform.write(items, to: name)
      #expect(stage.run { (stage.platform.parts.pasteboard.owned[name]?.time ?? 0) != 0 })
    }

    private static func pattern(_ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    @Test("text goes both ways, on both selections, whatever its alphabet")
    func text() throws {
      let text = "Grüße, Welt 👋 שלום"
      copy(PasteboardItem(text: text))
      #expect(xclipPaste("-selection clipboard -target UTF8_STRING") == Array(text.utf8))
      copy(PasteboardItem(text: "primary"), to: .primary)
      #expect(xclipPaste("-selection primary") == Array("primary".utf8))
      #expect(pasteText() == text)
      // When another program copies, we are the owner no more
      try xclipCopy(Array("theirs, ß".utf8), "-selection clipboard")
      #expect(stage.run { stage.platform.parts.pasteboard.owned[.general] == nil })
      #expect(pasteText() == "theirs, ß")
      #expect(pasteText(from: .primary) == "primary")
      #expect(stage.errors == [])
      #expect(stage.platform.parts.pasteboard.reads.isEmpty && stage.platform.parts.pasteboard.deliveries.isEmpty)
    }

    @Test("Latin-1 is offered where the text has it, and read as what it is")
    func latin1() throws {
      copy(PasteboardItem(text: "Grüße"))
      #expect(xclipPaste("-selection clipboard -target STRING") == [0x47, 0x72, 0xFC, 0xDF, 0x65])
      try xclipCopy([0x47, 0x72, 0xFC, 0xDF, 0x65], "-selection clipboard -target STRING")
      #expect(pasteText() == "Grüße")
    }

    @Test("a picture has its type, and all that is there is named")
    func pictures() throws {
      let picture = Self.pattern(5000)
      copy(PasteboardItem(type: "image/png", data: Data(picture)), PasteboardItem(text: "a picture"))
      #expect(xclipPaste("-selection clipboard -target image/png") == picture)
      let targets = xclipPaste("-selection clipboard -target TARGETS").map { String(decoding: $0, as: UTF8.self) } ?? ""
      for name in ["TARGETS", "MULTIPLE", "TIMESTAMP", "image/png", "UTF8_STRING", "STRING", "TEXT", "text/plain"] {
        #expect(targets.split(separator: "\n").contains { $0 == name }, "\(name)")
      }
      try xclipCopy(picture, "-selection clipboard -target image/jpeg")
      #expect(stage.run { stage.platform.parts.pasteboard.owned[.general] == nil })
      let types = ["image/png", "image/jpeg", PasteboardItem.textType]
      #expect(paste(types) == PasteboardItem(type: "image/jpeg", data: Data(picture)))
      var named: [String]?
      stage.platform.readTypes(of: .general) { named = $0 }
      #expect(stage.run { named != nil })
      #expect(named == ["image/jpeg"])
      #expect(paste(["image/png"]) == .some(nil))
    }

    @Test("fifty megabytes go both ways")
    func large() throws {
      let bytes = Self.pattern(50 << 20)
      copy(PasteboardItem(type: "application/octet-stream", data: Data(bytes)))
      #expect(xclipPaste("-selection clipboard -target application/octet-stream") == bytes)
      #expect(stage.run { stage.platform.parts.pasteboard.deliveries.isEmpty })
      try xclipCopy(bytes, "-selection clipboard -target application/octet-stream")
      #expect(stage.run { stage.platform.parts.pasteboard.owned[.general] == nil })
      #expect(paste(["application/octet-stream"]).flatMap { $0 }?.data == Data(bytes))
      #expect(stage.errors == [])
    }

    @Test("a requestor that takes no piece is given up")
    func slowRequestor() throws {
      copy(PasteboardItem(type: "a/b", data: Data(Self.pattern(1 << 20))))
      let other = try Recording(server)
      let window = other.makeWindow()
      other.platform.flush()
      let place = TransferPlace(requestor: window.rawValue, property: PredefinedAtom.wmName)
      stage.platform.parts.pasteboard.answer(
        SelectionRequest(
          time: 0, owner: stage.platform.parts.server.leader, requestor: window.rawValue,
          selection: stage.platform.parts.pasteboard.selection(.general),
          target: stage.platform.parts.pasteboard.atoms["a/b"] ?? 0,
          property: place.property))
      #expect(stage.platform.parts.pasteboard.deliveries[place] != nil)
      #expect(stage.run { stage.platform.parts.pasteboard.deliveries.isEmpty })
      #expect(stage.errors == [])
    }

    @Test("two programs paste a large text at once, and one that dies in the middle does not harm the other")
    func severalRequestors() throws {
      let bytes = Self.pattern(4 << 20)
      copy(PasteboardItem(type: "a/b", data: Data(bytes)))
      // Given one that never takes a piece
      let other = try Recording(server)
      let window = other.makeWindow()
      other.platform.parts.server.intern(AtomName.forSelections)
      other.platform.parts.pasteboard.withAtoms(["a/b"]) {}
      #expect(other.run { (other.platform.parts.pasteboard.atoms["a/b"] ?? 0) != 0 })
      let target = try #require(other.platform.parts.pasteboard.atoms["a/b"])
      let selection = other.platform.parts.pasteboard.selection(.general)
      let property = other.platform.parts.server.atoms[.transfer]
      other.platform.parts.server.connection.convertSelection(selection, to: target, property, of: window.rawValue)
      other.platform.flush()
      #expect(stage.run { stage.platform.parts.pasteboard.deliveries.count == 1 })
      // When two others paste at once
      let (one, two, end) = (folder + "/one", folder + "/two", folder + "/end")
      let paste = "xclip -o -selection clipboard -target a/b"
      let child = server.launch("sh", "-c", "\(paste) > \(one) & \(paste) > \(two); wait; touch \(end)")
      waitForFile(end)
      child?.end(SIGKILL)
      #expect(contents(one) == bytes && contents(two) == bytes)
      // And the first dies
      other.perform(.destroy(window))
      other.platform.flush()
      #expect(
        stage.run { stage.platform.parts.pasteboard.deliveries.keys.allSatisfy { $0.requestor != window.rawValue } })
      #expect(stage.errors == [])
    }

    @Test("several targets are answered at once, and those that fail are struck out")
    func multiple() throws {
      copy(PasteboardItem(text: "words"))
      // Given a requestor with a list of pairs on its window: text, an unknown target, and the time
      let other = try Recording(server)
      var isKnown = false
      other.platform.parts.pasteboard.withAtoms(["no/such"]) { isKnown = true }
      #expect(other.run { isKnown })
      let connection = other.platform.parts.server.connection
      let (atoms, names) = (other.platform.parts.server.atoms, other.platform.parts.pasteboard.atoms)
      let text = try #require(names["UTF8_STRING"])
      let nothing = try #require(names["no/such"])
      let places = [try #require(names["STRING"]), try #require(names["TEXT"]), try #require(names["text/plain"])]
      let window = other.makeWindow().rawValue
      connection.changeProperty(
        window, atoms[.transfer], type: atoms[.atomPair],
        [text, places[0], nothing, places[1], atoms[.timestamp], places[2]])
      connection.convertSelection(
        other.platform.parts.pasteboard.selection(.general), to: atoms[.multiple], atoms[.transfer], of: window)
      other.platform.flush()
      // When it is answered, then each pair is what the ICCCM says
      var pairs: [UInt32] = []
      var words: [UInt8] = []
      let tick = DeadlineID(rawValue: 78)
      #expect(
        stage.run {
          stage.perform(.setDeadline(tick, milliseconds: 5))
          connection.property(window, atoms[.transfer], limit: 25) { pairs = $0?.words ?? [] }
          connection.property(window, places[0], limit: 25) { words = $0?.bytes ?? [] }
          connection.awaitAll()
          return pairs.contains(0)
        })
      stage.perform(.cancelDeadline(tick))
      #expect(pairs == [text, places[0], 0, places[1], atoms[.timestamp], places[2]])
      #expect(words == Array("words".utf8))
    }

    @Test("an owner that never answers is given up, and what is there is nothing")
    func silence() throws {
      // Given no owner
      #expect(paste() == .some(nil))
      // Given another program of ours that has copied and does not run its loop
      let other = try Recording(server)
      other.platform.write([PasteboardItem(text: "silent")], to: .general)
      #expect(other.run { (other.platform.parts.pasteboard.owned[.general]?.time ?? 0) != 0 })
      other.platform.flush()
      // When we paste, then there is an answer: none
      #expect(paste() == .some(nil))
      #expect(stage.platform.parts.pasteboard.reads.isEmpty)
    }

    @Test("what was copied first and what was copied last is answered at once, without the server")
    func local() {
      stage.platform.write([PasteboardItem(text: "first")], to: .general)
      stage.platform.write([PasteboardItem(text: "second")], to: .general)
      #expect(pasteText() == "second")
      stage.platform.write([], to: .general)
      #expect(paste() == .some(nil))
    }

    @Test("requests in the name of windows that we listen to are refused, and leave our events alone")
    func dishonestRequestors() throws {
      copy(PasteboardItem(type: "a/b", data: Data(Self.pattern(1 << 20))))
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isFocused(window) })
      let target = try #require(stage.platform.parts.pasteboard.atoms["a/b"])
      for requestor in [
        window.rawValue, stage.platform.parts.server.leader, stage.platform.parts.server.connection.screen.root,
      ] {
        stage.platform.parts.pasteboard.answer(
          SelectionRequest(
            time: 0, owner: stage.platform.parts.server.leader, requestor: requestor,
            selection: stage.platform.parts.pasteboard.selection(.general), target: target, property: target))
      }
      #expect(stage.platform.parts.pasteboard.deliveries.isEmpty)
    }

    @Test("In another library's loop a turn is due for what is copied and pasted outside of one")
    func attached() throws {
      let descriptor = try stage.platform.attach(drainsMainQueue: false)
      func isDue(within milliseconds: Int32) -> Bool {
        var due = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&due, 1, milliseconds) > 0
      }
      let uses: [@MainActor () -> Void] = [
        { stage.platform.write([PasteboardItem(text: "copied")], to: .general) },
        { stage.platform.read([PasteboardItem.textType], from: .general) { _ in } },
        { stage.platform.readTypes(of: .primary) { _ in } },
      ]
      for use in uses {
        while isDue(within: 200) { _ = stage.platform.runTurn() }
        use()
        #expect(isDue(within: 0))
      }
    }
  }
}
