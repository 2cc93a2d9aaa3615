import FoundationEssentials

/// Gives keys of the text that has the focus to the user's input method, and the text what that makes of them.
final class InputMethods: FeatureBase, Feature, KeyFilter {
  enum Message: Equatable {
    /// The engine should have answered.
    case expired(Int)
    /// The engine is told of the caret and the text around it.
    case refresh
  }

  /// How long a key waits for the engine; tests of an engine on a busy machine wait longer.
  static var patience = Duration.milliseconds(500)

  /// The text that has the focus.
  private(set) weak var active: TextInputContext?
  var passage = KeyPassage<Event>()
  private var willRefresh = false

  private var service: (any InputMethodService)? { application.host.services.inputMethod }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, by: self)
    lists.observe(moments: .geometryChanged, by: self)
    lists.interceptors.append(self)
  }

  // MARK: The text that has the focus

  func activate(_ context: TextInputContext) {
    active?.deactivate()
    // What that has made the program do is later than this.
    guard active == nil else { return }
    active = context
    service?.focus(context.focusedText)
  }

  func deactivate() {
    active = nil
    service?.focus(nil)
  }

  func reset() { service?.reset() }

  func refreshLater() {
    guard passage.engine == .ready, !willRefresh else { return }
    willRefresh = true
    conductor.post(InputMethods.self, .refresh)
  }

  /// The caret moves with its window.
  override func moment(_ moment: Moment) -> [FeatureAction] {
    if case .geometryChanged = moment, active != nil { refreshLater() }
    return []
  }

  // MARK: Keys

  /// Keys of a sequence of dead keys or of compose are not the engine's.
  func isForEngine(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind, let active, event.window === active.window else { return false }
    return !key.isComposed && event.window?.popUps?.hasMenu != true
  }

  func ask(_ key: Key, time: UInt32, number: Int) { service?.process(key, time: time, number: number) }

  var deadline: Deadline { .engine }
  func expiry(_ number: Int) -> FeatureAction {
    .set(.engine, after: Self.patience, AnyMessage(InputMethods.self, .expired(number)))
  }

  // MARK: The engine

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    if case .inputMethod(let event) = event { return [.callAfterSettling(EngineCall(event: event))] }
    return []
  }

  /// Nothing has the focus in the background: what an engine says of a text is without use by then, and whether there
  /// is one counts for the next text.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    switch event {
    case .inputMethod(.engine): .kept(kind: "input method", rank: 3)
    case .inputMethod: .dropped
    default: nil
    }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .expired(let number): return [.callAfterSettling(ExpiryCall(filter: self, number: number))]
    case .refresh:
      willRefresh = false
      if passage.engine == .ready, let active { service?.update(active.focusedText) }
      return []
    }
  }

  fileprivate func hear(_ event: InputMethodEvent) {
    switch event {
    case .engine(let isThere):
      active?.compose(nil)
      act(on: .engine(isThere: isThere))
      refreshLater()
    case .answer(let number, let isHandled): answer(number, isHandled: isHandled)
    // What it says now is about another text, or about what has been taken away.
    case .commit, .compose, .key, .deleteSurrounding: if service?.isForgetting != true { write(event) }
    }
  }

  private func write(_ event: InputMethodEvent) {
    if passage.engine == .silent {
      // It is about keys that the text has had. A daemon may say by itself that nothing is composed.
      return event == .compose(nil) ? () : act(on: .signOfLife)
    }
    guard let active else { return }
    switch event {
    case .commit(let text): active.commit(text)
    case .compose(let composition): active.compose(composition)
    case .deleteSurrounding(let offset, let count): active.deleteSurrounding(offset: offset, count: count)
    case .key(let key): deliver(Event(.key(key), window: active.window))
    case .engine, .answer: break
    }
  }
}

/// The time in which the engine has to answer.
extension Deadline { fileprivate static let engine = Deadline("input method") }

/// What the engine says.
private struct EngineCall: Notice {
  var event: InputMethodEvent
  var call: CallDescription { CallDescription("TextInputClient", phase: .event) }

  func send(to application: Application) { application.conductor?.feature(InputMethods.self)?.hear(event) }
}

extension Window {
  var inputMethods: InputMethods? { record?.conductor?.feature(InputMethods.self) }
}

extension Key {
  /// Whether the key belongs to a sequence of dead keys or of compose: it is a dead key, has taken one back, or types
  /// another text than its symbol stands for.
  var isComposed: Bool {
    if (0xFE50...0xFE93).contains(symbol) || symbol == 0xFF20 || symbol == Key.voidSymbol { return true }
    guard isDown, modifiers.isDisjoint(with: [.control, .command]) else { return false }
    switch symbol {
    case 0x20...0x7E, 0xA0...0xFF: return !characters.unicodeScalars.elementsEqual([Unicode.Scalar(UInt8(symbol))])
    default: return false
    }
  }
}
