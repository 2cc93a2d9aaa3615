import ProsceniumLoop
package import ProsceniumPlatform

/// The user's input method by the X Input Method Protocol (XIM 1.0), for desktops that have no other.
///
/// One context serves all texts. A text that is a secret does without: the protocol has no word for such texts.
@MainActor package final class XIMEngine: WindowSystemEngine {
  private weak var host: (any SystemHost)?
  private var server: InputMethodServer?
  private var post: @MainActor (InputMethodEvent) -> Void = { _ in }
  private var transport: XIMTransport?
  private var session: XIMSession?
  private var keys = XIMKeys()
  private var text: FocusedText?
  /// What the server knows of the text; nil where it has none.
  private var told: FocusedText?
  /// How many requests to forget the text are under way.
  private var forgetting = 0
  /// Whether the server has had a key since it was to forget the text.
  ///
  /// What it says before is about what it has forgotten: some commit that.
  private var hasKeys = false

  /// Makes an engine that has no connection.
  package init() {}

  package var isThere: Bool { session?.isReady == true }
  package var isForgetting: Bool { forgetting > 0 }

  package func start(
    _ server: InputMethodServer, host: any SystemHost, _ post: @escaping @MainActor (InputMethodEvent) -> Void
  ) {
    guard transport == nil else { return }
    (self.server, self.host, self.post) = (server, host, post)
    do throws(PlatformError) {
      transport = try XIMTransport(server, host: host) { [weak self] in self?.handle($0) }
    } catch {
      host.log("Input methods of the X server are not used: \(error)")
    }
  }

  package func stop() { (transport, session, host) = (nil, nil, nil) }

  // MARK: The server

  private func handle(_ event: XIMTransport.Event) {
    switch event {
    case .connected:
      guard let transport, let server else { return }
      session = XIMSession(window: transport.window, root: transport.root, locale: server.locale)
      send([XIMRequest.connect()])
    case .message(let bytes):
      guard let message = XIMMessage(bytes), let effects = session?.receive(message) else { return }
      for effect in effects { perform(effect) }
      if session?.awaitsAnswer == false { transport?.endReminders() }
    case .disconnected: end()
    }
  }

  private func end() {
    let wasThere = isThere
    (session, told, keys, forgetting, hasKeys) = (nil, nil, XIMKeys(), 0, false)
    if wasThere { post(.engine(isThere: false)) }
  }

  private func perform(_ effect: XIMSession.Effect) {
    switch effect {
    case .send(let bytes): send([bytes])
    case .ready:
      transport?.loadMap()
      if text != nil { focusIn() }
      post(.engine(isThere: true))
    case .refused(let reason):
      host?.log("The server of input methods \"\(server?.name ?? "")\" cannot be used: \(reason)")
      end()
    case .say(let event): if !isForgetting, hasKeys { post(event) }
    case .key(let event): receive(event)
    case .handled: if let number = keys.handled() { post(.answer(number, isHandled: true)) }
    case .forgotten: forgetting = max(0, forgetting - 1)
    }
  }

  private func send(_ messages: [[UInt8]]?) {
    guard let messages, !messages.isEmpty else { return }
    transport?.send(messages)
    if session?.awaitsAnswer == true { transport?.awaitAnswer() }
  }

  // MARK: The text

  package func focus(_ text: FocusedText?) {
    self.text = text
    focusOut()
    if text != nil { focusIn() }
  }

  package func update(_ text: FocusedText) {
    guard self.text != nil else { return }
    self.text = text
    guard let told, !text.traits.isSecureTextEntry else {
      focusOut()
      return focusIn()
    }
    guard let window = text.window, let spot = text.spot, (window, spot) != (told.window, told.spot) else { return }
    self.told = text
    send(session?.move(window: window.rawValue, spot: spot))
  }

  package func reset() {
    guard told != nil else { return }
    forgetting += 1
    hasKeys = false
    send(session?.reset())
  }

  private func focusIn() {
    guard let text, let window = text.window, isThere, !text.traits.isSecureTextEntry else { return }
    told = text
    send(session?.focus(window.rawValue, spot: text.spot))
  }

  private func focusOut() {
    guard told != nil else { return }
    reset()
    told = nil
    send(session?.unfocus())
  }

  // MARK: Keys

  package func process(_ key: Key, time: UInt32, number: Int) {
    // An engine's own key has no code.
    guard let window = told?.window, key.code != 0 else {
      return post(.answer(number, isHandled: false))
    }
    let event = XIMKeyEvent(
      code: key.code, isDown: key.isDown, time: time, state: key.modifiers.rawValue | key.otherState)
    switch session?.way(of: event, symbol: key.symbol, window: window.rawValue) {
    case .forwarded(let messages):
      keys.add(key, event, number: number)
      hasKeys = true
      send(messages)
    case .taken(let messages):
      send(messages)
      post(.answer(number, isHandled: true))
    case .passesBy, nil: post(.answer(number, isHandled: false))
    }
  }

  private func receive(_ event: XIMKeyEvent) {
    switch keys.giveBack(event) {
    case .answer(let number): post(.answer(number, isHandled: false))
    case .late(let key): if !isForgetting, hasKeys { post(.key(key)) }
    case .own:
      guard !isForgetting, hasKeys, let map = transport?.map else { return }
      let input = XInput(
        window: 0, detail: event.code, time: event.time, state: event.state, location: Point(x: 0, y: 0))
      post(.key(map.key(input, isDown: event.isDown, isRepeat: false)))
    }
  }
}

extension FocusedText {
  /// The foot of the caret in its window, which windows of candidates are placed below.
  fileprivate var spot: Point? {
    caret.map { Point(x: $0.origin.x - windowOrigin.x, y: $0.origin.y + $0.size.height - windowOrigin.y) }
  }
}
