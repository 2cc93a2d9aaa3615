import ProsceniumLoop
import ProsceniumPlatform

/// This program's input context of a framework on a bus, which comes and goes with the framework.
///
/// One context serves all texts: it is told when another one has the focus.
@MainActor final class EngineContext: InputEngine {
  /// From then on a framework's daemon may answer in place of an engine that does not.
  private static let ownAnswer = Duration.seconds(10)

  private let bus: Bus
  private weak var host: (any SystemHost)?
  private var dialect: any EngineDialect
  private let name: String
  private let interface: String
  private let display: String
  private let post: @MainActor (InputMethodEvent) -> Void
  private var owner: String?
  private var path: String?
  /// Whether the bus has said who has the framework's name.
  private var isKnown = false
  private var isMaking = false
  private var text: FocusedText?
  /// What the engine knows of the text.
  private var told = FocusedText()
  /// How many requests to forget the text are under way: what the engine says until then is about that text.
  private var forgetting = 0

  var isForgetting: Bool { forgetting > 0 }

  /// Begins to follow the framework.
  /// - Parameters:
  ///   - dialect: The framework.
  ///   - bus: The bus that it is on.
  ///   - display: The name of the display.
  ///   - host: The loop.
  ///   - post: Called with what the engine says.
  init(
    _ dialect: some EngineDialect, on bus: Bus, display: String, host: any SystemHost,
    _ post: @escaping @MainActor (InputMethodEvent) -> Void
  ) {
    self.bus = bus
    self.host = host
    self.dialect = dialect
    self.display = display
    self.post = post
    name = type(of: dialect).name
    interface = type(of: dialect).interface
    // Before the signals: the owner of a name that is followed already is reported at once, as none.
    bus.onOwner(of: name) { [weak self] in self?.ownerChanged($0) }
    bus.subscribe(BusRule(sender: name, interface: interface)) { [weak self] in self?.receive($0) }
  }

  var isThere: Bool { path != nil }
  /// Whether it is not known yet if the framework is there; once it is, that is posted.
  var isAwaited: Bool { bus.isConnected && (!isKnown || isMaking) }

  // MARK: The framework

  private func ownerChanged(_ new: String?) {
    let wasKnown = exchange(&isKnown, with: true)
    guard new != owner || !wasKnown else { return }
    (owner, forgetting, isMaking) = (new, 0, new != nil)
    if path.take() != nil || new == nil { post(.engine(isThere: false)) }
    guard let new else { return }
    let arguments = dialect.making(program: host?.applicationIdentifier ?? "", display: display)
    bus.call(new, type(of: dialect).maker, arguments) { [weak self] in self?.made($0, by: new) }
  }

  private func made(_ result: Result<[BusValue], BusFailure>, by maker: String) {
    guard maker == owner else { return }
    isMaking = false
    guard case .success(let values) = result, case .objectPath(let path)? = values.first else {
      host?.log("\(name) gives no input context: \(result)")
      return post(.engine(isThere: false))
    }
    self.path = path
    for request in dialect.greeting { tell(request) }
    if text != nil { focusIn() }
    post(.engine(isThere: true))
  }

  // MARK: The text

  func focus(_ text: FocusedText?) {
    let hadText = self.text != nil
    self.text = text
    if hadText {
      forget("Reset")
      forget("FocusOut")
    }
    if text != nil { focusIn() }
  }

  func update(_ text: FocusedText) {
    guard self.text != nil else { return }
    self.text = text
    tellText()
  }

  func reset() { if text != nil { forget("Reset") } }

  private func focusIn() {
    guard let text, path != nil else { return }
    // The traits first: engines look at them when the focus comes.
    tell(dialect.traits(text.traits))
    told = FocusedText()
    told.traits = text.traits
    tell(EngineRequest(interface: interface, method: "FocusIn"))
    tellText()
  }

  /// Tells what has changed.
  private func tellText() {
    guard let text, path != nil else { return }
    if text.traits != told.traits { tell(dialect.traits(text.traits)) }
    if let caret = text.caret, caret != told.caret { tell(dialect.caret(caret)) }
    if let surroundings = text.surroundings, surroundings != told.surroundings {
      // One that was not wanted is sent when it is.
      guard let request = dialect.surroundings(surroundings) else {
        return (told.traits, told.caret) = (text.traits, text.caret)
      }
      tell(request)
    }
    told = text
  }

  private func forget(_ method: String) {
    guard let owner, path != nil else { return }
    forgetting += 1
    bus.call(owner, member(method)) { [weak self] _ in
      if let self, self.owner == owner, forgetting > 0 { forgetting -= 1 }
    }
  }

  // MARK: Keys

  func process(_ key: Key, time: UInt32, number: Int) {
    guard let owner, let host, path != nil else { return post(.answer(number, isHandled: false)) }
    let asked = host.now
    bus.call(owner, member("ProcessKeyEvent"), dialect.key(key, time: time), timeout: Bus.longestAnswer) {
      [weak self, weak host] result in
      guard let self, let host, self.owner == owner else { return }
      let isHandled = (try? result.get())?.first?.bool == true
      let isLate = type(of: dialect).hasDaemon && host.now - asked > Self.ownAnswer.seconds
      if isHandled || !isLate { post(.answer(number, isHandled: isHandled)) }
    }
  }

  // MARK: Messages

  private func member(_ method: String, _ interface: String? = nil) -> BusMember {
    BusMember(path: path ?? "/", interface: interface ?? self.interface, name: method)
  }

  private func tell(_ request: EngineRequest) {
    guard let owner, path != nil else { return }
    bus.tell(owner, member(request.method, request.interface), request.values)
  }

  private func receive(_ signal: BusSignal) {
    guard signal.member.path == path, let event = dialect.event(of: signal) else {
      // The engine may want the text now.
      return tellText()
    }
    if !isForgetting { post(event) }
  }
}
