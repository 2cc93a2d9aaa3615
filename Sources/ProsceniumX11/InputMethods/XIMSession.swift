import ProsceniumPlatform

/// The conversation with a server of input methods: messages in, messages and what they mean out (XIM 1.0, section 4).
///
/// The server's method is opened, and one context is made that serves all texts.
struct XIMSession {
  enum Effect: Equatable {
    case send([UInt8])
    /// Keys can be given to the server from now on.
    case ready
    /// The server cannot be used.
    case refused(String)
    case say(InputMethodEvent)
    /// A key that the server gives back, or one of its own.
    case key(XIMKeyEvent)
    /// The server has handled the oldest key of which that was not known yet.
    case handled
    /// What was being composed has been dropped.
    case forgotten
  }

  /// What becomes of a key.
  enum KeyWay: Equatable {
    /// The server is asked about it.
    case forwarded([[UInt8]])
    /// It has turned the server on or off.
    case taken([[UInt8]])
    case passesBy
  }

  /// A request whose answer is still to come.
  private enum Question { case place, key, reset }

  /// More than a user asks of a server that does not answer.
  private static let mostQuestions = 1000
  /// How the server shows what is composed (`XIMStyle`), the best first: by this program, at a place that it says, or
  /// in a window of its own; its state is shown by it, or not at all.
  private static let styles: [UInt32] = [0x402, 0x802, 0x404, 0x804, 0x408, 0x808, 0x410, 0x810]
  private static let encodings = ["UTF8_STRING", "COMPOUND_TEXT"]
  private static let masks = (press: UInt32(1 << 0), release: UInt32(1 << 1))

  private let window: UInt32
  private let root: UInt32
  private let locale: String
  private var method: UInt16 = 0
  private var context: UInt16?
  /// The server's numbers of attributes.
  private var attributes: [String: UInt16] = [:]
  private var isUTF8 = false
  private var triggers: (on: [XIMTriggerKey], off: [XIMTriggerKey]) = ([], [])
  /// The kinds of keys that the server wants; nil where it has not said so.
  ///
  /// It is asked about those that go down then, unless it has trigger keys.
  private var forwarded: UInt32?
  private var synchronous: UInt32 = 0
  /// In the order in which they are answered.
  private var questions: [Question] = []
  private var preedit = XIMPreedit()
  private(set) var isOver = false

  /// A conversation that has not begun.
  /// - Parameters:
  ///   - window: The window of the context.
  ///   - root: The root window.
  ///   - locale: The name of the user's locale.
  init(window: UInt32, root: UInt32, locale: String) { (self.window, self.root, self.locale) = (window, root, locale) }

  var isReady: Bool { context != nil && !isOver }
  /// Whether the server has still to answer something.
  var awaitsAnswer: Bool { !isOver && (context == nil || !questions.isEmpty) }

  private var id: XIMContextID? { context.map { XIMContextID(method: method, context: $0) } }

  // MARK: What the server says

  mutating func receive(_ message: XIMMessage) -> [Effect] {
    guard !isOver else { return [] }
    guard id == nil else { return hear(message) }
    switch message {
    case .connected: return [.send(XIMRequest.open(locale: locale))]
    case .opened(let method, let ofMethod, let ofContext):
      (self.method, attributes) = (method, ofContext)
      guard let style = ofMethod["queryInputStyle"] else { return refuse("it has no styles") }
      attributes["queryInputStyle"] = style
      return [.send(XIMRequest.encodings(Self.encodings, of: method))]
    case .encoding(let place):
      isUTF8 = Self.encodings.indices.contains(place) && Self.encodings[place] == "UTF8_STRING"
      guard let style = attributes["queryInputStyle"] else { return [] }
      return [.send(XIMRequest.methodValue(style, of: method))]
    case .methodValues(let values): return makeContext(styles: values.values.first ?? [])
    case .contextMade(let context):
      self.context = context
      return [.ready]
    case .triggerKeys(let on, let off): triggers = (on, off)
    case .eventMask(let forwarded, let synchronous): (self.forwarded, self.synchronous) = (forwarded, synchronous)
    case .needsAuthentication: return refuse("it asks for authentication")
    case .failed(let text): return refuse(text)
    case .valuesSet, .key, .sync, .commit, .contextReset, .preeditStarted, .preeditDrawn, .preeditCaret, .preeditDone:
      break
    }
    return []
  }

  private mutating func refuse(_ reason: String) -> [Effect] {
    isOver = true
    return [.refused(reason)]
  }

  /// `XIMStyles`: their number, and each of them.
  private mutating func makeContext(styles bytes: [UInt8]) -> [Effect] {
    var reader = XIMReader(bytes)
    var offered: Set<UInt32> = []
    if let count = try? reader.read(UInt16.self), (try? reader.skip(2)) != nil {
      for _ in 0..<count { if let style = try? reader.read(UInt32.self) { offered.insert(style) } }
    }
    guard let style = Self.styles.first(where: offered.contains), let ofStyle = attributes["inputStyle"],
      let ofWindow = attributes["clientWindow"]
    else { return refuse("it has none of the styles") }
    var list = XIMRequest.attribute(ofStyle, bytesOf(style)) + XIMRequest.attribute(ofWindow, bytesOf(window))
    list += place(window: window, spot: Point(x: 0, y: 0))
    return [.send(XIMRequest.createContext(list, of: method))]
  }

  private mutating func hear(_ message: XIMMessage) -> [Effect] {
    switch message {
    case .triggerKeys(let on, let off): triggers = (on, off)
    case .eventMask(let forwarded, let synchronous): (self.forwarded, self.synchronous) = (forwarded, synchronous)
    case .key(let event, let isSynchronous): return synchronized(isSynchronous) + [.key(event)]
    case .sync: return synchronized(true)
    case .valuesSet: return answered(questions.firstIndex { $0 != .reset })
    case .commit(let text, let symbol, let isSynchronous):
      return synchronized(isSynchronous) + committed(text, symbol)
    case .contextReset:
      preedit = XIMPreedit()
      return answered(questions.firstIndex(of: .reset))
    case .preeditStarted:
      preedit = XIMPreedit()
      // As long as it likes.
      return reply(.preeditStartReply) { $0.add(Int32(-1)) }
    case .preeditDrawn(let change):
      preedit.apply(change, text: change.text.map(decode))
      return [.say(.compose(preedit.composition))]
    case .preeditCaret(let position, let direction, let isShown):
      let place = preedit.moveCaret(to: position, direction: direction, isShown: isShown)
      return reply(.preeditCaretReply) { $0.add(UInt32(clamping: place)) } + [.say(.compose(preedit.composition))]
    case .preeditDone:
      preedit = XIMPreedit()
      return [.say(.compose(nil))]
    // In place of the answer.
    case .failed: return answered(questions.indices.first)
    case .connected, .needsAuthentication, .opened, .encoding, .methodValues, .contextMade: break
    }
    return []
  }

  private mutating func answered(_ place: Int?) -> [Effect] {
    guard let place else { return [] }
    switch questions.remove(at: place) {
    case .place: return []
    case .key: return [.handled]
    case .reset: return [.forgotten]
    }
  }

  private func committed(_ text: [UInt8]?, _ symbol: UInt32?) -> [Effect] {
    if let text { return [.say(.commit(decode(text)))] }
    guard let symbol else { return [] }
    let characters = KeySymbols.text(symbol, control: false)
    return [true, false].map {
      .say(.key(Key(code: 0, symbol: symbol, characters: $0 ? characters : "", isDown: $0)))
    }
  }

  private func decode(_ bytes: [UInt8]) -> String {
    isUTF8 ? String(decoding: bytes, as: UTF8.self) : CompoundText.decode(bytes)
  }

  private func synchronized(_ isWanted: Bool) -> [Effect] {
    isWanted ? reply(.syncReply) { _ in } : []
  }

  private func reply(_ opcode: XIMOpcode, _ add: (inout XIMWriter) -> Void) -> [Effect] {
    id.map { [.send(XIMRequest.about($0, opcode, add))] } ?? []
  }

  // MARK: What the server is told

  /// A text has the focus; its window and place are told first.
  mutating func focus(_ window: UInt32, spot: Point?) -> [[UInt8]] {
    guard let id else { return [] }
    return ask(.place, XIMRequest.setValues(place(window: window, spot: spot), of: id))
      + [XIMRequest.about(id, .setICFocus)]
  }

  func unfocus() -> [[UInt8]] { id.map { [XIMRequest.about($0, .unsetICFocus)] } ?? [] }

  mutating func move(window: UInt32, spot: Point) -> [[UInt8]] {
    id.map { ask(.place, XIMRequest.setValues(place(window: window, spot: spot), of: $0)) } ?? []
  }

  mutating func reset() -> [[UInt8]] { id.map { ask(.reset, XIMRequest.about($0, .resetIC)) } ?? [] }

  private mutating func ask(_ question: Question, _ message: [UInt8]) -> [[UInt8]] {
    questions.append(question)
    if questions.count > Self.mostQuestions { questions.removeFirst() }
    return [message]
  }

  /// The attributes for the window that has the text, and the foot of the caret in it.
  private func place(window: UInt32, spot: Point?) -> [UInt8] {
    var list: [UInt8] = []
    if let number = attributes["focusWindow"] { list += XIMRequest.attribute(number, bytesOf(window)) }
    if let spot, let nested = attributes["preeditAttributes"], let number = attributes["spotLocation"] {
      let point = bytesOf(Int16(clamping: spot.x)) + bytesOf(Int16(clamping: spot.y))
      list += XIMRequest.attribute(nested, XIMRequest.attribute(number, point))
    }
    return list
  }

  // MARK: Keys

  /// Answers what becomes of a key.
  ///
  /// Servers say nothing of a key that they take, and give back the others. So each key is followed by a request that
  /// changes nothing: when its answer comes, a key that has not come back has been taken.
  /// - Parameters:
  ///   - key: The key.
  ///   - symbol: Its keysym.
  ///   - window: The window that has the text.
  /// - Returns: The way of the key, with what the server is sent.
  mutating func way(of key: XIMKeyEvent, symbol: UInt32, window: UInt32) -> KeyWay {
    guard let id else { return .passesBy }
    let isOn = (forwarded ?? (triggers.on.isEmpty ? Self.masks.press : 0)) & Self.masks.press != 0
    let trigger = (isOn ? triggers.off : triggers.on).firstIndex { $0.isPressed(symbol: symbol, state: key.state) }
    if key.isDown, let trigger {
      return .taken([XIMRequest.trigger(trigger, isOn: !isOn, mask: Self.masks.press | Self.masks.release, to: id)])
    }
    let mask = forwarded ?? (isOn ? Self.masks.press : 0)
    let kind = key.isDown ? Self.masks.press : Self.masks.release
    guard mask & kind != 0 else { return .passesBy }
    let message = XIMRequest.forward(
      key, isSynchronous: synchronous & kind != 0, root: root, window: window, to: id)
    return .forwarded(
      [message] + ask(.key, XIMRequest.setValues(place(window: window, spot: nil), of: id)))
  }

  private func bytesOf(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
}
