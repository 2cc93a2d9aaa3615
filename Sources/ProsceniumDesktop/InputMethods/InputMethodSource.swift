import ProsceniumLoop
package import ProsceniumPlatform

/// The user's input method: IBus or Fcitx 5, whichever is chosen and runs, else the window system's.
///
/// Nothing is looked for, connected to or watched before the first text has the focus.
@MainActor package final class InputMethodSource: InputMethodService {
  /// The variables of the environment that it reads.
  package static let variables =
    InputMethodFramework.variables + IBusAddressFile.variables + InputMethodServer.variables
  /// How long a bus may take to come until the window system's engine is looked for: that costs a connection, and who
  /// has both is to have the framework's.
  private static let patience = Duration.milliseconds(300)

  private lazy var environment = readEnvironment()
  private let readEnvironment: @MainActor () -> [String: String]
  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var isBegun = false
  private var text: FocusedText?
  private(set) var ibus: (bus: Bus, context: EngineContext)?
  /// The pauses before a daemon is looked for again that has closed the connection.
  private var losses = LossPauses()
  private var fcitx: EngineContext?
  /// The engine of the window system; nil where it has none.
  package var windowSystem: (any WindowSystemEngine)?
  /// Whether that has been looked for.
  private(set) var followsWindowSystem = false
  private var watch: FolderWatch?
  /// The one that has the text.
  private weak var current: (any InputEngine)?

  /// Whether there is an engine.
  var hasEngine: Bool { current?.isThere == true }

  private lazy var addressFile = IBusAddressFile(environment)
  private lazy var candidates = InputMethodFramework.candidates(environment)

  /// Makes a source that is not started.
  /// - Parameter environment: Reads the program's environment, when it is needed.
  init(environment: @escaping @MainActor () -> [String: String]) { readEnvironment = environment }

  func start(_ host: any SystemHost) {
    self.host = host
    if text != nil { beginLater() }
  }

  /// Sets the session bus, which is where Fcitx is.
  func use(_ bus: Bus) {
    self.bus = bus
    if isBegun { followFcitx() }
  }

  func stop() {
    watch?.stop()
    ibus?.bus.disconnect()
    windowSystem?.stop()
    (watch, ibus, fcitx, windowSystem) = (nil, nil, nil, nil)
    host = nil
  }

  // MARK: The service

  package func focus(_ text: FocusedText?) {
    self.text = text
    current?.focus(text)
    if text != nil { beginLater() }
  }

  package func update(_ text: FocusedText) {
    self.text = text
    current?.update(text)
  }

  package var isForgetting: Bool { current?.isForgetting == true }

  package func reset() { current?.reset() }

  package func process(_ key: Key, time: UInt32, number: Int) {
    if let current { return current.process(key, time: time, number: number) }
    host?.post(.inputMethod(.answer(number, isHandled: false)))
  }

  // MARK: The frameworks

  /// After the present callback, which at a launch requests the first windows.
  private func beginLater() {
    guard !isBegun, let host else { return }
    isBegun = true
    host.after(milliseconds: 0) { [weak self] in
      self?.followIBus()
      self?.followFcitx()
      self?.lookForOther()
    }
  }

  private func followFcitx() {
    guard fcitx == nil, candidates.contains(.fcitx), let host, let bus else { return }
    fcitx = context(FcitxDialect(), on: bus, host)
  }

  private func followIBus() {
    guard candidates.contains(.ibus), let host else { return }
    if let (folder, name) = addressFile.place {
      watch = FolderWatch(folder, host: host) { [weak self] in
        if $0?.contains(name) != false { self?.findIBus() }
      }
    }
    findIBus()
  }

  /// Connects to the bus of the daemon that runs now.
  private func findIBus() {
    guard ibus == nil, let host, let address = addressFile.read() else { return }
    let bus = Bus(privateAt: address, host: host)
    let context = context(IBusDialect(), on: bus, host)
    bus.connect()
    // The next daemon has another address.
    guard bus.isConnected else { return bus.disconnect() }
    ibus = (bus, context)
    let start = host.now
    bus.onConnection { [weak self, weak bus] isConnected in
      if !isConnected, let bus { self?.lostIBus(bus, since: start) }
    }
  }

  /// A daemon that accepts each connection and closes it is asked less and less.
  private func lostIBus(_ bus: Bus, since start: Double) {
    guard let host, ibus?.bus === bus else { return }
    ibus = nil
    bus.disconnect()
    let (pause, _) = losses.next(after: .seconds(host.now - start))
    host.after(milliseconds: pause.milliseconds) { [weak self] in self?.findIBus() }
  }

  private func context(_ dialect: some EngineDialect, on bus: Bus, _ host: any SystemHost) -> EngineContext {
    let identity = ContextIdentity()
    let context = EngineContext(dialect, on: bus, display: environment["DISPLAY"] ?? "", host: host) {
      [weak self] event in
      self?.hear(event, from: identity)
    }
    identity.context = context
    return context
  }

  /// Looks for the engine of the window system, unless one on a bus is there by then.
  private func lookForOther() {
    guard !followsWindowSystem, windowSystem != nil, let server = InputMethodServer(environment) else { return }
    host?.after(milliseconds: Self.patience.milliseconds) { [weak self] in
      guard let self, let host, let windowSystem, !followsWindowSystem, current == nil,
        ibus?.context.isAwaited != true, fcitx?.isAwaited != true
      else { return }
      followsWindowSystem = true
      let identity = ContextIdentity()
      identity.context = windowSystem
      windowSystem.start(server, host: host) { [weak self] in self?.hear($0, from: identity) }
    }
  }

  private func hear(_ event: InputMethodEvent, from identity: ContextIdentity) {
    guard let host else { return }
    guard case .engine = event else {
      if identity.context === current, current != nil { host.post(.inputMethod(event)) }
      return
    }
    let all: [(any InputEngine)?] = [ibus?.context, fcitx, windowSystem]
    let next = all.first { $0?.isThere == true } ?? nil
    if next == nil { lookForOther() }
    guard next !== current || identity.context === current else { return }
    if next !== current {
      current?.focus(nil)
      current = next
      next?.focus(text)
    }
    host.post(.inputMethod(.engine(isThere: next != nil)))
  }
}

/// Names a context that is being made.
@MainActor private final class ContextIdentity { weak var context: (any InputEngine)? }
