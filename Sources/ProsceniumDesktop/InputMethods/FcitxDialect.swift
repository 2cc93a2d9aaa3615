import ProsceniumPlatform

/// Fcitx 5, as its modules for GTK and Qt speak to it (the interfaces `org.fcitx.Fcitx.InputMethod1` and
/// `org.fcitx.Fcitx.InputContext1`).
struct FcitxDialect: EngineDialect {
  static let name = "org.fcitx.Fcitx5"
  static let interface = "org.fcitx.Fcitx.InputContext1"
  static let maker = BusMember(
    path: "/org/freedesktop/portal/inputmethod", interface: "org.fcitx.Fcitx.InputMethod1", name: "CreateInputContext")
  static let hasDaemon = false

  // `CapabilityFlag`: what is shown here, and what stays of it when the focus goes.
  private static let always: UInt64 = 1 << 1 | 1 << 4 | 1 << 5
  // `TextFormatFlag`.
  private static let highlight = 1 << 4
  private static let isNotCommitted = 1 << 5
  private static let mostParts = 100

  func making(program: String, display: String) -> [BusValue] {
    [
      .array(
        of: "(ss)",
        [
          .structure([.string("program"), .string(program)]),
          .structure([.string("display"), .string("x11:" + display)]),
        ])
    ]
  }

  var greeting: [EngineRequest] { [] }

  func traits(_ traits: TextInputTraits) -> EngineRequest {
    EngineRequest(
      interface: Self.interface, method: "SetCapability", values: [.whole(Int128(capabilities(traits)), code: "t")])
  }

  /// `CapabilityFlag`.
  private func capabilities(_ traits: TextInputTraits) -> UInt64 {
    var flags = Self.always
    flags |= traits.isSecureTextEntry ? 1 << 3 | 1 << 36 : 1 << 6
    switch traits.keyboardType {
    case .default: break
    case .asciiCapable: flags |= 1 << 21
    case .url: flags |= 1 << 12
    case .emailAddress: flags |= 1 << 7
    case .numberPad: flags |= 1 << 8
    case .decimalPad: flags |= 1 << 14
    case .phonePad: flags |= 1 << 13
    case .namePhonePad: flags |= 1 << 22
    case .terminal: flags |= 1 << 32
    }
    switch traits.autocapitalizationType {
    case .automatic: break
    case .none: flags |= 1 << 11
    case .words: flags |= 1 << 19
    case .sentences: flags |= 1 << 20
    case .allCharacters: flags |= 1 << 9
    }
    switch traits.spellCheckingType {
    case .automatic: break
    case .yes: flags |= 1 << 16
    case .no: flags |= 1 << 17
    }
    if traits.inlinePredictionType == .yes { flags |= 1 << 18 }
    if traits.isMultiline { flags |= 1 << 35 }
    return flags
  }

  func caret(_ rect: Rect) -> EngineRequest {
    let numbers = [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height]
    return EngineRequest(
      interface: Self.interface, method: "SetCursorRect",
      values: numbers.map { .whole(Int128(Int32(clamping: $0)), code: "i") })
  }

  func surroundings(_ text: SurroundingText) -> EngineRequest? {
    EngineRequest(
      interface: Self.interface, method: "SetSurroundingText",
      values: [.string(text.text), .uint32(text.scalars(text.caret)), .uint32(text.scalars(text.anchor))])
  }

  func key(_ key: Key, time: UInt32) -> [BusValue] {
    [.uint32(key.symbol), .uint32(UInt32(key.code)), .uint32(key.state), .bool(!key.isDown), .uint32(time)]
  }

  // MARK: Signals

  mutating func event(of signal: BusSignal) -> InputMethodEvent? {
    let values = signal.values
    func number(_ place: Int) -> Int? { place < values.count ? values[place].integer : nil }
    switch signal.member.name {
    case "CommitString": return values.first?.text.map { .commit($0) }
    case "UpdateFormattedPreedit":
      guard let parts = values.first?.elements, let caret = number(1) else { return nil }
      return .compose(Self.composition(parts.prefix(Self.mostParts), caret: caret))
    case "ForwardKey":
      guard let symbol = number(0).flatMap({ UInt32(exactly: $0) }),
        let state = number(1).flatMap({ UInt32(exactly: $0) }), values.count > 2, let isRelease = values[2].bool
      else { return nil }
      return .key(Key(symbol: symbol, code: 0, state: state, isDown: !isRelease))
    case "DeleteSurroundingText":
      guard let offset = number(0), let count = number(1) else { return nil }
      return .deleteSurrounding(offset: offset, count: count)
    default: return nil
    }
  }

  private static func composition(_ parts: some Sequence<BusValue>, caret: Int) -> TextComposition? {
    var (text, remainder) = ("", "")
    var highlights: [Range<Int>] = []
    for part in parts {
      guard let fields = part.fields, fields.count >= 2, let piece = fields[0].text, let format = fields[1].integer
      else {
        continue
      }
      let start = text.utf8.count
      text += piece
      if format & highlight != 0, !piece.isEmpty { highlights.append(start..<text.utf8.count) }
      if format & isNotCommitted == 0 { remainder += piece }
    }
    guard !text.isEmpty else { return nil }
    let places = EngineText(text)
    return TextComposition(
      places.text, caret: caret < 0 ? nil : places.characters(bytes: caret),
      segments: highlights.map {
        TextComposition.Segment(
          places.characters(bytes: $0.lowerBound)..<places.characters(bytes: $0.upperBound), isHighlighted: true)
      }, remainder: remainder)
  }
}
