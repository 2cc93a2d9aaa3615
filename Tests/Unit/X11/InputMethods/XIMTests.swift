import TestSupport
import Testing

@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// The conversation with a server of input methods, as values.
@Suite("XIM") struct XIMTests {
  private typealias Attributes = [String: UInt16]

  private let ofContext: Attributes = [
    "inputStyle": 1, "clientWindow": 2, "focusWindow": 3, "preeditAttributes": 4, "spotLocation": 5,
  ]

  private func styles(_ all: UInt32...) -> [UInt8] {
    var writer = XIMWriter()
    writer.add(UInt16(all.count))
    writer.add(UInt16(0))
    for style in all { writer.add(style) }
    return writer.bytes
  }

  private func session(encoding: Int = 0) -> XIMSession {
    var session = XIMSession(window: 0x20, root: 0x10, locale: "zh_CN.UTF-8")
    _ = session.receive(.connected)
    _ = session.receive(.opened(method: 9, methodAttributes: ["queryInputStyle": 6], contextAttributes: ofContext))
    _ = session.receive(.encoding(encoding))
    _ = session.receive(.methodValues([6: styles(0x402)]))
    let effects = session.receive(.contextMade(4))
    #expect(effects == [.ready] && session.isReady)
    return session
  }

  private func change(
    _ text: [UInt8]?, at first: Int = 0, _ length: Int = 0, caret: Int = 0, feedback: [UInt32]? = nil
  ) -> XIMMessage {
    .preeditDrawn(XIMPreeditChange(caret: caret, first: first, length: length, text: text, feedback: feedback))
  }

  private func composition(_ effects: [XIMSession.Effect]) -> TextComposition? {
    for case .say(.compose(let composition)) in effects { return composition }
    return nil
  }

  // MARK: Opening

  @Test("The method is opened, and a context made in the best style")
  func opening() {
    var session = XIMSession(window: 0x20, root: 0x10, locale: "de_DE.UTF-8")
    #expect(session.receive(.connected) == [.send(XIMRequest.open(locale: "de_DE.UTF-8"))])
    let opened = XIMMessage.opened(method: 9, methodAttributes: ["queryInputStyle": 6], contextAttributes: ofContext)
    #expect(session.receive(opened) == [.send(XIMRequest.encodings(["UTF8_STRING", "COMPOUND_TEXT"], of: 9))])
    #expect(session.receive(.encoding(1)) == [.send(XIMRequest.methodValue(6, of: 9))])
    guard case .send(let request)? = session.receive(.methodValues([6: styles(0x408, 0x404, 0x402)])).first else {
      Issue.record("no context is made")
      return
    }
    #expect(request.first == XIMOpcode.createIC.rawValue && request[8...].starts(with: [1, 0, 4, 0, 2, 4, 0, 0]))
    #expect(session.receive(.contextMade(4)) == [.ready])
  }

  @Test("A server that cannot be used is refused")
  func refused() {
    for message in [.needsAuthentication, .failed("error 1")] as [XIMMessage] {
      var session = XIMSession(window: 0x20, root: 0x10, locale: "C")
      guard case .refused? = session.receive(message).first else {
        Issue.record("\(message)")
        continue
      }
      #expect(session.receive(.connected).isEmpty)
    }
    var session = XIMSession(window: 0x20, root: 0x10, locale: "C")
    _ = session.receive(.opened(method: 9, methodAttributes: ["queryInputStyle": 6], contextAttributes: ofContext))
    _ = session.receive(.encoding(0))
    guard case .refused? = session.receive(.methodValues([6: styles(0x101)])).first else {
      Issue.record("there is no style")
      return
    }
  }

  // MARK: Texts

  @Test("What is composed changes part by part")
  func preedit() {
    var session = session()
    #expect(
      session.receive(.preeditStarted)
        == [
          .send(XIMRequest.about(XIMContextID(method: 9, context: 4), .preeditStartReply) { $0.add(Int32(-1)) })
        ])
    #expect(composition(session.receive(change(Array("nihao".utf8), caret: 5)))?.text == "nihao")
    let next = composition(session.receive(change(Array("你".utf8), at: 0, 2, caret: 1, feedback: [1])))
    #expect(next?.text == "你hao" && next?.caret == 1)
    #expect(next?.segments == [TextComposition.Segment(0..<1, isHighlighted: true)])
    // Other feedback for the same text.
    let other = composition(session.receive(change(nil, at: 0, 4, caret: 4, feedback: [0, 4, 4, 2])))
    #expect(other?.text == "你hao" && other?.segments == [TextComposition.Segment(1..<3, isHighlighted: true)])
    #expect(composition(session.receive(.preeditCaret(position: 2, direction: 10, isShown: true)))?.caret == 2)
    #expect(composition(session.receive(.preeditCaret(position: 0, direction: 1, isShown: true)))?.caret == 1)
    let hidden = composition(session.receive(.preeditCaret(position: 0, direction: 9, isShown: false)))
    #expect(hidden?.text == "你hao" && hidden?.caret == nil)
    // No text, and nothing about feedback.
    #expect(composition(session.receive(change(nil, at: 1, 3, caret: 1)))?.text == "你")
    #expect(session.receive(.preeditDone) == [.say(.compose(nil))])
  }

  @Test("Changes outside the text are limited to it, and the text is")
  func limits() {
    var session = session()
    #expect(composition(session.receive(change(Array("ab".utf8), at: 100, -5, caret: -7)))?.caret == 0)
    #expect(composition(session.receive(change(Array("c".utf8), at: -4, .max, caret: .max)))?.text == "c")
    for _ in 0..<4 { _ = session.receive(change(Array(repeating: 0x61, count: 3000), at: 0, 0, feedback: [1])) }
    let long = composition(session.receive(change([], at: 0, 0, feedback: Array(repeating: 1, count: 9000))))
    #expect(long?.text.count == EngineText.most)
  }

  @Test("Text is UTF-8 or compound text, as agreed; a symbol alone is a key")
  func commit() {
    var (utf8, compound) = (session(), session(encoding: 1))
    #expect(
      utf8.receive(.commit(text: Array("你".utf8), symbol: nil, isSynchronous: false)) == [.say(.commit("你"))])
    #expect(
      compound.receive(.commit(text: [0x1B, 0x24, 0x28, 0x41, 0x44, 0x63], symbol: 0x61, isSynchronous: false))
        == [.say(.commit("你"))])
    let effects = utf8.receive(.commit(text: nil, symbol: 0x61, isSynchronous: true))
    #expect(effects.first == .send(XIMRequest.about(XIMContextID(method: 9, context: 4), .syncReply)))
    #expect(
      effects.dropFirst().map { if case .say(.key(let key)) = $0 { "\(key.symbol) \(key.isDown)" } else { "" } }
        == ["97 true", "97 false"])
  }

  // MARK: Keys

  private func event(_ code: UInt8, _ isDown: Bool = true, time: UInt32 = 5, state: UInt16 = 0) -> XIMKeyEvent {
    XIMKeyEvent(code: code, isDown: isDown, time: time, state: state)
  }

  @Test("A key is asked about with a request whose answer says that it is handled; requests are answered in order")
  func order() {
    var session = session()
    guard case .forwarded(let messages) = session.way(of: event(38), symbol: 0x61, window: 3) else {
      Issue.record("the key is not the server's")
      return
    }
    #expect(messages.map(\.first) == [XIMOpcode.forwardEvent.rawValue, XIMOpcode.setICValues.rawValue])
    #expect(
      XIMMessage(messages.first ?? [])
        == .key(XIMKeyEvent(code: 38, isDown: true, time: 5, state: 0), isSynchronous: false))
    // Without a word about releases these pass by.
    #expect(session.way(of: event(38, false), symbol: 0x61, window: 3) == .passesBy)
    _ = session.reset()
    _ = session.move(window: 3, spot: Point(x: 1, y: 2))
    _ = session.way(of: event(39), symbol: 0x62, window: 3)
    #expect(session.receive(.valuesSet) == [.handled])
    #expect(session.receive(.failed("about the reset")) == [.forgotten])
    #expect(session.receive(.valuesSet) == [])
    #expect(session.receive(.valuesSet) == [.handled])
    #expect(session.receive(.valuesSet) == [] && session.receive(.contextReset) == [])
  }

  @Test("A server with trigger keys gets keys when one of them has turned it on")
  func triggers() {
    var session = session()
    let space = XIMTriggerKey(symbol: 0x20, modifiers: 4, mask: 5)
    _ = session.receive(.triggerKeys(on: [space], off: [space]))
    #expect(session.way(of: event(38), symbol: 0x61, window: 3) == .passesBy)
    #expect(session.way(of: event(65, state: 5), symbol: 0x20, window: 3) == .passesBy)
    let id = XIMContextID(method: 9, context: 4)
    #expect(
      session.way(of: event(65, state: 4), symbol: 0x20, window: 3)
        == .taken([XIMRequest.trigger(0, isOn: true, mask: 3, to: id)]))
    _ = session.receive(.eventMask(forwarded: 1, synchronous: 0))
    guard case .forwarded = session.way(of: event(38), symbol: 0x61, window: 3) else {
      Issue.record("it is on")
      return
    }
    #expect(
      session.way(of: event(65, state: 4), symbol: 0x20, window: 3)
        == .taken([XIMRequest.trigger(0, isOn: false, mask: 3, to: id)]))
  }

  @Test("A key is answered once: given back, taken, or given back after it has been taken for handled")
  func keys() {
    var keys = XIMKeys()
    let key = Key(code: 38, symbol: 0x61, characters: "a", isDown: true)
    for number in 1...3 { keys.add(key, event(38, time: UInt32(number)), number: number) }
    #expect(keys.giveBack(event(38, time: 1)) == .answer(1))
    #expect(keys.handled() == nil)
    #expect(keys.handled() == 2)
    #expect(keys.giveBack(event(38, time: 2)) == .late(key))
    #expect(keys.giveBack(event(38, time: 2)) == .own)
    #expect(keys.giveBack(event(38, time: 3)) == .answer(3))
    #expect(keys.handled() == nil && keys.handled() == nil)
    for number in 4...500 { keys.add(key, event(38, time: UInt32(number)), number: number) }
    #expect(keys.giveBack(event(38, time: 4)) == .own)
  }

  // MARK: Messages

  @Test("A message that is cut off has no meaning, wherever that is; any bytes are read")
  func cutOff() {
    let id = XIMContextID(method: 9, context: 4)
    let whole = [
      XIMRequest.forward(event(38), isSynchronous: true, root: 1, window: 2, to: id),
      XIMRequest.about(id, .commit) { writer in
        writer.add(XIMRequest.hasText | XIMRequest.hasSymbol)
        for value: UInt16 in [0, 0x61, 0, 2, 0x6161] { writer.add(value) }
      },
      XIMRequest.about(id, .preeditDraw) { writer in
        for value: UInt32 in [0, 0, 0, 0] { writer.add(value) }
        for value: UInt16 in [4, 0x6161, 0x6161, 0, 8, 0, 0, 0, 0, 0] { writer.add(value) }
      },
    ]
    for message in whole {
      #expect(XIMMessage(message) != nil)
      for count in message.indices {
        #expect(XIMMessage(Array(message.prefix(count))) == nil)
        // The header says what there is.
        var short = Array(message.prefix(count & ~3))
        if short.count >= 4 { short[2] = UInt8(short.count / 4 - 1) }
        _ = XIMMessage(short)
      }
    }
    var random = SeededNumbers(1)
    var session = session()
    for _ in 0..<20_000 {
      var bytes = (0..<4 * Int.random(in: 1..<12, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
      }
      bytes[0] = UInt8.random(in: 0...90, using: &random)
      (bytes[2], bytes[3]) = (UInt8(bytes.count / 4 - 1), 0)
      if let message = XIMMessage(bytes) { _ = session.receive(message) }
      if session.isOver { session = self.session() }
    }
  }
}
