import CXCB

/// The numbers of messages (XIM 1.0, appendix D "Common Extensions", "Major and minor opcodes").
enum XIMOpcode: UInt8 {
  case connect = 1
  case connectReply = 2
  case authRequired = 10
  case error = 20
  case open = 30
  case openReply = 31
  case registerTriggerKeys = 34
  case triggerNotify = 35
  case setEventMask = 37
  case encodingNegotiation = 38
  case encodingNegotiationReply = 39
  case getIMValues = 44
  case getIMValuesReply = 45
  case createIC = 50
  case createICReply = 51
  case setICValues = 54
  case setICValuesReply = 55
  case setICFocus = 58
  case unsetICFocus = 59
  case forwardEvent = 60
  case sync = 61
  case syncReply = 62
  case commit = 63
  case resetIC = 64
  case resetICReply = 65
  case preeditStart = 73
  case preeditStartReply = 74
  case preeditDraw = 75
  case preeditCaret = 76
  case preeditCaretReply = 77
  case preeditDone = 78
}

/// A key event within a message.
struct XIMKeyEvent: Hashable {
  var code: UInt8
  var isDown: Bool
  var time: UInt32
  var state: UInt16
}

/// A key by which the user turns an input method on or off, where it wants no other keys before.
struct XIMTriggerKey: Hashable {
  var symbol: UInt32
  var modifiers: UInt32
  /// The modifiers that are compared.
  var mask: UInt32

  func isPressed(symbol: UInt32, state: UInt16) -> Bool { self.symbol == symbol && UInt32(state) & mask == modifiers }
}

/// A change of the text that is composed, in characters of the C library: Unicode scalars.
struct XIMPreeditChange: Hashable {
  var caret: Int
  var first: Int
  var length: Int
  /// Nil where the text stays.
  var text: [UInt8]?
  /// How each character is shown; nil where that is not said.
  var feedback: [UInt32]?
}

/// A message of a server of input methods, as far as it counts here (XIM 1.0, sections 4.1 to 4.18).
enum XIMMessage: Hashable {
  case connected
  case needsAuthentication
  case opened(method: UInt16, methodAttributes: [String: UInt16], contextAttributes: [String: UInt16])
  case triggerKeys(on: [XIMTriggerKey], off: [XIMTriggerKey])
  /// The place in the list of encodings; negative where the server knows none of them.
  case encoding(Int)
  case methodValues([UInt16: [UInt8]])
  case contextMade(UInt16)
  case eventMask(forwarded: UInt32, synchronous: UInt32)
  case valuesSet
  case key(XIMKeyEvent, isSynchronous: Bool)
  case sync
  case commit(text: [UInt8]?, symbol: UInt32?, isSynchronous: Bool)
  case contextReset
  case preeditStarted
  case preeditDrawn(XIMPreeditChange)
  case preeditCaret(position: Int, direction: UInt32, isShown: Bool)
  case preeditDone
  case failed(String)

  private typealias CutOff = XIMReader.CutOff

  /// Reads a message with its header; nil for one that has no meaning here, or is cut off.
  init?(_ bytes: [UInt8]) {
    guard let (number, body) = Self.split(bytes), let opcode = XIMOpcode(rawValue: number),
      let message = try? Self.read(opcode, XIMReader(body))
    else { return nil }
    self = message
  }

  /// Whether bytes are as many as their header says.
  static func isWhole(_ bytes: [UInt8]) -> Bool { split(bytes).map { $0.body.count + 4 == bytes.count } ?? false }

  /// A header: opcode, minor opcode, length of what follows in units of four.
  private static func split(_ bytes: [UInt8]) -> (opcode: UInt8, body: [UInt8])? {
    var reader = XIMReader(bytes)
    guard let opcode = try? reader.read(UInt8.self), (try? reader.read(UInt8.self)) != nil,
      let length = try? reader.read(UInt16.self),
      let body = try? reader.bytes(4 * Int(length))
    else { return nil }
    return (opcode, body)
  }

  private static func read(_ opcode: XIMOpcode, _ body: XIMReader) throws(CutOff) -> XIMMessage? {
    var reader = body
    switch opcode {
    case .connectReply: return .connected
    case .authRequired: return .needsAuthentication
    case .openReply: return try opened(&reader)
    case .registerTriggerKeys:
      try reader.skip(4)
      let on = try triggerKeys(&reader)
      return .triggerKeys(on: on, off: try triggerKeys(&reader))
    case .encodingNegotiationReply:
      try reader.skip(4)
      return .encoding(Int(try reader.read(Int16.self)))
    case .getIMValuesReply:
      try reader.skip(2)
      return .methodValues(try attributes(reader.sized()))
    case .createICReply:
      try reader.skip(2)
      return .contextMade(try reader.read())
    case .setEventMask:
      try reader.skip(4)
      return .eventMask(forwarded: try reader.read(), synchronous: try reader.read())
    case .setICValuesReply: return .valuesSet
    case .forwardEvent: return try key(&reader)
    case .sync: return .sync
    case .commit: return try commit(&reader)
    case .resetICReply: return .contextReset
    case .preeditStart: return .preeditStarted
    case .preeditDraw: return .preeditDrawn(try preeditChange(&reader))
    case .preeditCaret:
      try reader.skip(4)
      let (position, direction) = (Int(try reader.read(Int32.self)), try reader.read(UInt32.self))
      return .preeditCaret(position: position, direction: direction, isShown: try reader.read(UInt32.self) != 0)
    case .preeditDone: return .preeditDone
    case .error: return .failed(try failure(&reader))
    case .connect, .open, .triggerNotify, .encodingNegotiation, .getIMValues, .createIC, .setICValues, .setICFocus,
      .unsetICFocus, .syncReply, .resetIC, .preeditStartReply, .preeditCaretReply:
      return nil
    }
  }

  /// The attributes that the server knows, by name.
  private static func opened(_ reader: inout XIMReader) throws(CutOff) -> XIMMessage {
    func names(_ list: [UInt8]) throws(CutOff) -> [String: UInt16] {
      var (reader, names) = (XIMReader(list), [String: UInt16]())
      while !reader.isAtEnd {
        let number = try reader.read(UInt16.self)
        try reader.skip(2)
        names[String(decoding: try reader.sized(), as: UTF8.self)] = number
        reader.align()
      }
      return names
    }
    let method = try reader.read(UInt16.self)
    let ofMethod = try names(reader.sized())
    reader.align()
    let size = Int(try reader.read(UInt16.self))
    try reader.skip(2)
    return .opened(
      method: method, methodAttributes: ofMethod, contextAttributes: try names(reader.bytes(size)))
  }

  private static func triggerKeys(_ reader: inout XIMReader) throws(CutOff) -> [XIMTriggerKey] {
    var list = XIMReader(try reader.bytes(Int(reader.read(UInt32.self))))
    var keys: [XIMTriggerKey] = []
    while !list.isAtEnd {
      keys.append(XIMTriggerKey(symbol: try list.read(), modifiers: try list.read(), mask: try list.read()))
    }
    return keys
  }

  private static func attributes(_ list: [UInt8]) throws(CutOff) -> [UInt16: [UInt8]] {
    var (reader, values) = (XIMReader(list), [UInt16: [UInt8]]())
    while !reader.isAtEnd {
      let number = try reader.read(UInt16.self)
      values[number] = try reader.sized()
      reader.align()
    }
    return values
  }

  /// A key event as the X protocol has it, appendix B.
  private static func key(_ reader: inout XIMReader) throws(CutOff) -> XIMMessage? {
    try reader.skip(4)
    let isSynchronous = try reader.read(UInt16.self) & XIMRequest.synchronous != 0
    try reader.skip(2)
    let (kind, code) = (try reader.read(UInt8.self) & 0x7F, try reader.read(UInt8.self))
    try reader.skip(2)
    let time = try reader.read(UInt32.self)
    try reader.skip(20)
    let state = try reader.read(UInt16.self)
    guard kind == UInt8(XCB_KEY_PRESS) || kind == UInt8(XCB_KEY_RELEASE) else { return nil }
    return .key(
      XIMKeyEvent(code: code, isDown: kind == UInt8(XCB_KEY_PRESS), time: time, state: state),
      isSynchronous: isSynchronous)
  }

  private static func commit(_ reader: inout XIMReader) throws(CutOff) -> XIMMessage {
    try reader.skip(4)
    let flags = try reader.read(UInt16.self)
    var (text, symbol): ([UInt8]?, UInt32?)
    if flags & XIMRequest.hasSymbol != 0 {
      try reader.skip(2)
      symbol = try reader.read()
    }
    if flags & XIMRequest.hasText != 0 { text = try reader.sized() }
    return .commit(text: text, symbol: symbol, isSynchronous: flags & XIMRequest.synchronous != 0)
  }

  private static func preeditChange(_ reader: inout XIMReader) throws(CutOff) -> XIMPreeditChange {
    try reader.skip(4)
    let (caret, first, length) = (try reader.read(Int32.self), try reader.read(Int32.self), try reader.read(Int32.self))
    let status = try reader.read(UInt32.self)
    let text = try reader.sized()
    reader.align()
    let size = Int(try reader.read(UInt16.self))
    try reader.skip(2)
    var list = XIMReader(try reader.bytes(size))
    var feedback: [UInt32] = []
    while !list.isAtEnd { feedback.append(try list.read()) }
    return XIMPreeditChange(
      caret: Int(caret), first: Int(first), length: Int(length), text: status & 1 == 0 ? text : nil,
      feedback: status & 2 == 0 ? feedback : nil)
  }

  private static func failure(_ reader: inout XIMReader) throws(CutOff) -> String {
    try reader.skip(6)
    let (code, size) = (try reader.read(UInt16.self), Int(try reader.read(UInt16.self)))
    try reader.skip(2)
    let text = String(decoding: (try? reader.bytes(min(size, 200))) ?? [], as: UTF8.self)
    return text.isEmpty ? "error \(code)" : "error \(code), \(text)"
  }
}

/// The messages to a server, with their headers (XIM 1.0, sections 4.1 to 4.18).
enum XIMRequest {
  /// Flags of XIM_FORWARD_EVENT and XIM_COMMIT.
  static let synchronous: UInt16 = 1
  static let hasText: UInt16 = 2
  static let hasSymbol: UInt16 = 4

  /// Byte order, version 1.0, no authentication.
  static func connect() -> [UInt8] {
    message(.connect) { writer in
      writer.add(UInt8(ascii: 1.littleEndian == 1 ? "l" : "B"))
      writer.add(UInt8(0))
      for number: UInt16 in [1, 0, 0] { writer.add(number) }
    }
  }

  static func open(locale: String) -> [UInt8] {
    message(.open) { $0.add(string(locale)) }
  }

  static func encodings(_ names: [String], of method: UInt16) -> [UInt8] {
    message(.encodingNegotiation) { writer in
      writer.add(method)
      writer.addSized(names.flatMap(string))
      writer.pad()
      writer.add(UInt32(0))
    }
  }

  static func methodValue(_ attribute: UInt16, of method: UInt16) -> [UInt8] {
    message(.getIMValues) { writer in
      writer.add(method)
      writer.add(UInt16(2))
      writer.add(attribute)
    }
  }

  /// Attributes in the form in which requests have them.
  static func attribute(_ number: UInt16, _ value: [UInt8]) -> [UInt8] {
    var writer = XIMWriter()
    writer.add(number)
    writer.addSized(value)
    writer.pad()
    return writer.bytes
  }

  static func createContext(_ attributes: [UInt8], of method: UInt16) -> [UInt8] {
    message(.createIC) { writer in
      writer.add(method)
      writer.addSized(attributes)
    }
  }

  /// A message about a context.
  static func about(
    _ context: XIMContextID, _ opcode: XIMOpcode, _ add: (inout XIMWriter) -> Void = { _ in }
  ) -> [UInt8] {
    message(opcode) { writer in
      writer.add(context.method)
      writer.add(context.context)
      add(&writer)
    }
  }

  static func setValues(_ attributes: [UInt8], of context: XIMContextID) -> [UInt8] {
    about(context, .setICValues) { writer in
      writer.add(UInt16(clamping: attributes.count))
      writer.add(UInt16(0))
      writer.add(attributes)
    }
  }

  static func forward(
    _ key: XIMKeyEvent, isSynchronous: Bool, root: UInt32, window: UInt32, to context: XIMContextID
  ) -> [UInt8] {
    about(context, .forwardEvent) { writer in
      writer.add(isSynchronous ? synchronous : 0)
      writer.add(UInt16(0))
      // X protocol, appendix B, KeyPress: the place of the pointer is of no interest.
      writer.add(UInt8(key.isDown ? XCB_KEY_PRESS : XCB_KEY_RELEASE))
      writer.add(key.code)
      writer.add(UInt16(0))
      writer.add(key.time)
      for number: UInt32 in [root, window, 0, 0, 0] { writer.add(number) }
      writer.add(key.state)
      writer.add(UInt8(1))
      writer.add(UInt8(0))
    }
  }

  /// The user has pressed a trigger key: its place in its list.
  static func trigger(_ index: Int, isOn: Bool, mask: UInt32, to context: XIMContextID) -> [UInt8] {
    about(context, .triggerNotify) { writer in
      for number in [isOn ? 0 : 1, UInt32(clamping: index), mask] { writer.add(number) }
    }
  }

  private static func string(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(255))
    return [UInt8(bytes.count)] + bytes
  }

  /// A message of any kind: its header (XIM 1.0, section 4.1), and its body.
  static func message(_ opcode: XIMOpcode, _ add: (inout XIMWriter) -> Void) -> [UInt8] {
    var body = XIMWriter()
    add(&body)
    body.pad()
    var writer = XIMWriter()
    writer.add(opcode.rawValue)
    writer.add(UInt8(0))
    writer.add(UInt16(clamping: body.bytes.count / 4))
    writer.add(body.bytes)
    return writer.bytes
  }
}

/// A server's numbers of an input method and of a context of it.
struct XIMContextID: Hashable {
  var method: UInt16
  var context: UInt16
}
