import ProsceniumPlatform

/// IBus, as its library speaks to it (the interfaces `org.freedesktop.IBus` and `org.freedesktop.IBus.InputContext`).
struct IBusDialect: EngineDialect {
  static let name = "org.freedesktop.IBus"
  static let interface = "org.freedesktop.IBus.InputContext"
  static let maker = BusMember(path: "/org/freedesktop/IBus", interface: name, name: "CreateInputContext")
  static let hasDaemon = true

  /// `IBusCapabilite`: preedit text, focus, surrounding text.
  private static let capabilities: UInt32 = 1 << 0 | 1 << 3 | 1 << 5
  /// `IBusModifierType`: the key was released.
  private static let release: UInt32 = 1 << 30
  /// `IBUS_ATTR_TYPE_BACKGROUND`.
  private static let background = 3
  /// `IBUS_ENGINE_PREEDIT_COMMIT`.
  private static let commits = 1

  /// The composed text that was sent last, shown or not.
  private var composition: TextComposition?
  private var isShown = false
  private var wantsSurroundings = false

  func making(program: String, display: String) -> [BusValue] { [.string(program)] }

  var greeting: [EngineRequest] {
    [
      EngineRequest(interface: Self.interface, method: "SetCapabilities", values: [.uint32(Self.capabilities)]),
      // What is left of a composition is committed here, before the focus has gone.
      set("ClientCommitPreedit", .structure([.bool(true)])),
    ]
  }

  func traits(_ traits: TextInputTraits) -> EngineRequest {
    set("ContentType", .structure([.uint32(purpose(traits)), .uint32(hints(traits))]))
  }

  private func set(_ property: String, _ value: BusValue) -> EngineRequest {
    EngineRequest(
      interface: "org.freedesktop.DBus.Properties", method: "Set",
      values: [.string(Self.interface), .string(property), .variant(value)])
  }

  /// `IBusInputPurpose`.
  private func purpose(_ traits: TextInputTraits) -> UInt32 {
    if traits.isSecureTextEntry { return traits.keyboardType == .numberPad ? 9 : 8 }
    return switch traits.keyboardType {
    case .default: 0
    case .asciiCapable: 1
    case .numberPad: 2
    case .decimalPad: 3
    case .phonePad: 4
    case .url: 5
    case .emailAddress: 6
    case .namePhonePad: 7
    case .terminal: 10
    }
  }

  /// `IBusInputHints`.
  private func hints(_ traits: TextInputTraits) -> UInt32 {
    var hints: UInt32 = 0
    switch traits.spellCheckingType {
    case .automatic: break
    case .yes: hints |= 1 << 0
    case .no: hints |= 1 << 1
    }
    if traits.inlinePredictionType == .yes { hints |= 1 << 2 }
    switch traits.autocapitalizationType {
    case .automatic: break
    case .none: hints |= 1 << 3
    case .allCharacters: hints |= 1 << 4
    case .words: hints |= 1 << 5
    case .sentences: hints |= 1 << 6
    }
    if traits.isSecureTextEntry { hints |= 1 << 11 }
    return hints
  }

  func caret(_ rect: Rect) -> EngineRequest {
    let numbers = [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height]
    return EngineRequest(
      interface: Self.interface, method: "SetCursorLocation",
      values: numbers.map { .whole(Int128(Int32(clamping: $0)), code: "i") })
  }

  func surroundings(_ text: SurroundingText) -> EngineRequest? {
    guard wantsSurroundings else { return nil }
    return EngineRequest(
      interface: Self.interface, method: "SetSurroundingText",
      values: [
        .variant(Self.serialized(text.text)), .uint32(text.scalars(text.caret)), .uint32(text.scalars(text.anchor)),
      ])
  }

  /// An `IBusText` without attributes.
  static func serialized(_ text: String) -> BusValue {
    let none = BusValue.dictionary(key: "s", value: "v", [:])
    let attributes = BusValue.structure([.string("IBusAttrList"), none, .array(of: "v", [])])
    return .structure([.string("IBusText"), none, .string(text), .variant(attributes)])
  }

  func key(_ key: Key, time: UInt32) -> [BusValue] {
    // The kernel's code of the key, which is 8 below that of X.
    let code = key.code >= 8 ? UInt32(key.code) - 8 : 0
    return [.uint32(key.symbol), .uint32(code), .uint32(key.state | (key.isDown ? 0 : Self.release))]
  }

  // MARK: Signals

  mutating func event(of signal: BusSignal) -> InputMethodEvent? {
    let values = signal.values
    func number(_ place: Int) -> Int? { place < values.count ? values[place].integer : nil }
    switch signal.member.name {
    case "CommitText": return Self.text(values.first).map { .commit($0.text) }
    case "UpdatePreeditText", "UpdatePreeditTextWithMode":
      guard let (text, highlights) = Self.text(values.first), let caret = number(1), values.count > 2,
        let isShown = values[2].bool
      else { return nil }
      composition = Self.composition(text, highlights, caret: caret, commits: number(3) == Self.commits)
      self.isShown = isShown
      return shown
    case "ShowPreeditText":
      isShown = true
      return shown
    case "HidePreeditText":
      isShown = false
      return shown
    case "ForwardKeyEvent":
      guard let symbol = number(0).flatMap({ UInt32(exactly: $0) }), let code = number(1),
        let state = number(2).flatMap({ UInt32(exactly: $0) }), code <= 255 - 8
      else { return nil }
      return .key(Key(symbol: symbol, code: code + 8, state: state, isDown: state & Self.release == 0))
    case "DeleteSurroundingText":
      guard let offset = number(0), let count = number(1) else { return nil }
      return .deleteSurrounding(offset: offset, count: count)
    case "RequireSurroundingText":
      wantsSurroundings = true
      return nil
    default: return nil
    }
  }

  private var shown: InputMethodEvent { .compose(isShown ? composition : nil) }

  /// The text of an `IBusText`, and the scalars that are highlighted.
  private static func text(_ value: BusValue?) -> (text: String, highlights: [Range<Int>])? {
    guard let fields = value?.plain.fields, fields.count >= 4, fields[0].text == "IBusText", let text = fields[2].text
    else { return nil }
    guard let list = fields[3].plain.fields, list.count >= 3 else { return (text, []) }
    let highlights = (list[2].elements ?? []).prefix(100).compactMap { attribute -> Range<Int>? in
      guard let parts = attribute.plain.fields, parts.count >= 6, parts[2].integer == background,
        let start = parts[4].integer, let end = parts[5].integer, start >= 0, start < end
      else { return nil }
      return start..<end
    }
    return (text, highlights)
  }

  private static func composition(
    _ text: String, _ highlights: [Range<Int>], caret: Int, commits: Bool
  ) -> TextComposition {
    let places = EngineText(text)
    return TextComposition(
      places.text, caret: places.characters(scalars: caret),
      segments: highlights.map {
        TextComposition.Segment(
          places.characters(scalars: $0.lowerBound)..<places.characters(scalars: $0.upperBound), isHighlighted: true)
      }, remainder: commits ? places.text : "")
  }
}
