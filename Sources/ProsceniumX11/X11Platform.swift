import CXCB
import Glibc
package import ProsceniumLoop
package import ProsceniumPlatform
import SceneLifecycle

/// The platform on a real X server, through xcb.
///
/// Everything happens on the main thread. Events are decoded into signals for the window and desktop models, the
/// models' levels are compared with what was handed out last, and the differences are handed out, a batch at a time.
@MainActor package final class X11Platform: Platform {
  /// Deadlines of the platform and of its client, in one list.
  package enum Timer: Hashable {
    case client(DeadlineID)
    case outcome(RequestID)
    case recheckManager
    /// The launch is over: see ``X11Platform/askForDesktopChoices()``.
    case desktopChoices
    case managerSettled
    case desktopRule
    /// A mapped window got no sign of a window manager.
    case managerProbe(UInt32)
    /// The window manager does not let go of a withdrawn window.
    case leaving(UInt32)
    case sessionSilence
    /// Windows on no monitor, which the window manager may bring back.
    case strays
    /// A window's place may be the user's.
    case rest(UInt32)
    /// The window manager does not make a window iconic that is to come back so.
    case iconic(UInt32)
    /// A window's next frame, where the server does not tell its moment.
    case frame(UInt32)
    /// A window shows a picture, and nothing is drawn into it.
    case picture(UInt32)
    /// A window that does not draw the size that the window manager waits for.
    case sync(UInt32)
    /// The owner of a selection does not answer the question of this window.
    case pasting(UInt32)
    /// A requestor does not take what it asked for.
    case delivery(PasteboardState.Place)
  }

  package weak var client: (any PlatformClient)?

  let loop: EventLoop<Timer>
  let display: String?
  /// Where the session manager is; who is a guest has none but this one.
  let sessionManager: String?
  var connection: Connection?
  var atoms = Atoms()
  var extensions: Extensions?
  var properties: PropertyReader?
  var decoder = EventDecoder()
  var identity = ApplicationIdentity(id: "", instance: "")
  var startup: StartupNotification?
  /// How many ids of such have been made here.
  var startupCount = 0
  var leader: UInt32 = 0

  var windows: [UInt32: TopLevel] = [:]
  /// Which of our windows lie in a frame.
  var owners: [UInt32: Set<UInt32>] = [:]
  var desktop = DesktopModel()
  var manager = ManagerKnowledge()
  var screens = ScreenKnowledge()
  var choices = DesktopChoices()
  var keyboard = KeyboardState()
  var surfaces = SurfaceState()
  var pointer = PointerState()
  var cursors = CursorState()
  var clipboard = PasteboardState()
  var requests: [RequestID: PendingRequest] = [:]
  /// Our windows in the order in which they had the focus last, the latest at the end.
  var focusOrder: [UInt32] = []
  /// The server's time of the last key or button press; 0 while there was none.
  var userTime: UInt32 = 0
  /// The latest time of the server that we know of; 0 while we know none.
  var serverTime: UInt32 = 0
  var timeWaiters: [@MainActor (UInt32) -> Void] = []

  /// Events for the next batch, in the order in which they came, and windows whose levels may have changed.
  var batch: [PlatformEvent] = []
  var changed: Set<UInt32> = []
  var changedOrder: [UInt32] = []
  /// Some window may owe the window manager a word about a resize: see ``answerSyncs()``.
  var hasSyncsDue = false

  var session = SessionState()
  private(set) lazy var sessionMailbox = loop.makeMailbox { [weak self] in self?.takeSession($0) }
  private(set) lazy var keymapMailbox = loop.makeMailbox { [weak self] in self?.takeCompiledKeymap($0) }
  private(set) lazy var cursorMailbox = loop.makeMailbox { [weak self] (cursor: Cursor, id: UInt32) in
    self?.found(cursor, id)
  }
  /// The connection, as a source of the loop.
  var source: LoopSourceID?
  var isLost = false
  var suspension = SuspensionState()

  /// A platform for a display and a session manager; for those that `DISPLAY` and, in a program, `SESSION_MANAGER` name
  /// where they are nil.
  package init(display: String? = nil, hosting: LoopHosting = .program, sessionManager: String? = nil) {
    self.display = display
    // Left in the environment: programs that we start may want to know it.
    let environment = hosting == .program ? getenv("SESSION_MANAGER").map { String(cString: $0) } : nil
    self.sessionManager = sessionManager ?? environment
    loop = EventLoop(hosting: hosting)
    loop.client = self
  }

  package func makeWindowID() -> WindowID { WindowID(rawValue: connection?.makeID() ?? 0) }

  package func watch(_ source: LoopSource) -> LoopSourceID { loop.watch(source) }

  package func unwatch(_ id: LoopSourceID) { loop.unwatch(id) }

  package nonisolated func wake() { loop.wake() }

  package func flush() {
    guard !isLost else { return }
    connection?.flush()
  }

  package nonisolated var now: Double { MonotonicClock.now / .seconds(1) }

  package var hasWindowManager: Bool { desktop.isManaged }

  package var isConnected: Bool { !isLost && connection.map { Connection.isThere($0.raw) } == true }

  /// Whether a connection's server is still there, asked of the socket at this moment; on any thread.
  package nonisolated static func isConnected(_ connection: OpaquePointer) -> Bool { Connection.isThere(connection) }

  package func perform(_ command: PlatformCommand) {
    switch command {
    case .setDeadline(let id, let milliseconds): setTimer(.client(id), milliseconds)
    case .cancelDeadline(let id): loop.cancel(.client(id))
    case .sessionSaved(let success): tellSession(.saved(success: success))
    case .sessionInteraction(let cancels): tellSession(.userAnswered(cancels: cancels))
    case .suspend: suspend()
    case .resume: resume()
    case .quit(let status): loop.quit(status)
    case .releaseGrabs: if !isLost { connection?.releaseGrabs() }
    case .suspendScreenSaver(let isOn): suspendScreenSaver(isOn)
    case .followScreens: followScreens()
    case .startup(let token): if !isLost { beginStartup(token) }
    case .startupComplete: if !isLost { finishStartup() }
    case .create(let id, let description): create(id, description)
    case .adopt(let id, let description): withWindow(id) { adopt($0, description) }
    case .show(let id, let appearance): withWindow(id) { show($0, appearance) }
    case .withdraw(let id): withWindow(id) { withdraw($0) }
    case .destroy(let id): withWindow(id) { destroy($0) }
    case .bare(let id): withWindow(id) { bare($0) }
    case .place(let id, let frame): withWindow(id) { place($0, frame) }
    case .setTitle(let id, let title): withWindow(id) { setTitle($0, title) }
    case .setIcon(let id, let icon): withWindow(id) { setIcon($0, icon) }
    case .setBackground(let id, let color): withWindow(id) { setBackground($0, color) }
    case .setSizeLimits(let id, let minimum, let maximum):
      withWindow(id) { setSizeLimits($0, minimum: minimum, maximum: maximum) }
    case .setLevel(let id, let level): withWindow(id) { setLevel($0, level) }
    case .setCursor(let id, let cursor): withWindow(id) { setCursor($0, cursor) }
    case .requestFrame(let id): withWindow(id) { requestFrame($0) }
    case .purgeSurface(let id): withWindow(id) { purgeSurface($0) }
    case .purgeSpareBuffers(let id): withWindow(id) { purgeSpareBuffers($0) }
    case .cover(let id, let snapshot): withWindow(id) { cover($0, snapshot) }
    case .showPicture(let id, let snapshot): withWindow(id) { showPicture($0, snapshot) }
    case .request(let request, let id, let what): ask(request, id, what)
    }
  }

  /// What a program that draws by itself needs to know of a window: the one way for pointers out of this target.
  package func handle(
    for id: WindowID
  ) -> (connection: OpaquePointer, window: UInt32, visual: UInt32, screen: Int, depth: UInt8)? {
    guard !isLost, let connection, let window = windows[id.rawValue] else { return nil }
    return (connection.raw, id.rawValue, window.visual.id, connection.screen.number, window.visual.depth)
  }

  /// Whether the server of a connection is still there, asked of its socket now; from any thread.
  package nonisolated static func isServerThere(_ connection: OpaquePointer) -> Bool { Connection.isThere(connection) }

  // MARK: What all parts use

  /// Runs for a window that exists while the connection does; commands about anything else are late, and dropped.
  func withWindow(_ id: WindowID, _ body: (TopLevel) -> Void) {
    guard !isLost, let window = windows[id.rawValue] else { return }
    body(window)
  }

  func setTimer(_ timer: Timer, _ milliseconds: Int) {
    loop.set(timer, after: .milliseconds(milliseconds))
  }

  /// Its levels are looked at when the batch ends.
  func markChanged(_ window: UInt32) {
    if changed.insert(window).inserted { changedOrder.append(window) }
  }

  func markAllChanged() { windows.keys.sorted().forEach(markChanged) }

  /// One signal into a window's model; what the model asks for is asked of the server.
  func signal(_ window: TopLevel, _ signal: WindowSignal) {
    if let sign = window.model.windowManagerSign(in: signal, desktop: desktop) { self.signal(sign) }
    let hadKeys = window.model.acceptsKeys
    let effects = window.model.apply(signal, desktop: desktop)
    markChanged(window.id)
    if !hadKeys, window.model.acceptsKeys { takeFocusFromOthers(window) }
    for effect in effects {
      switch effect {
      case .queryAncestors: findAncestors(of: window)
      case .translateCoordinates: findOrigin(of: window)
      case .startResting: setTimer(.rest(window.id), NormalFrameTracker.rest)
      }
    }
  }

  /// Keys go to one window: where the server has not said that another one lost them, that got lost.
  private func takeFocusFromOthers(_ window: TopLevel) {
    for id in windows.keys.sorted() {
      guard let other = windows[id], other !== window, other.model.acceptsKeys else { continue }
      signal(other, .focusOut(.normal, .nonlinear))
      if other.model.acceptsKeys { signal(other, .leave(.normal, .nonlinear, focus: false)) }
    }
  }

  /// One signal into the desktop's model.
  func signal(_ signal: DesktopSignal) {
    let before = desktop.windowManager
    let effects = desktop.apply(signal, windows: windows.values.map { $0.model })
    if desktop.windowManager != before {
      batch.append(.windowManager(desktop.windowManager, cause: signal.cause(desktop)))
    }
    markAllChanged()
    for effect in effects {
      switch effect {
      case .recheckWindowManager: setTimer(.recheckManager, 500)
      case .startSettling: setTimer(.managerSettled, HoldTimes().windowManagerChange.milliseconds)
      case .startDesktopRuleTimer: setTimer(.desktopRule, 300)
      case .forgetManagerProperties: windows.values.forEach { self.signal($0, .windowManagerLost) }
      }
    }
    rootKnowledgeChanged()
  }
}

extension DesktopSignal {
  /// Why the window manager's state is another one after this signal.
  fileprivate func cause(_ desktop: DesktopModel) -> String {
    switch self {
    case .windowManager(let present, let name): present ? "present: \(name ?? "unnamed")" : "absent"
    case .windowManagerChanged(let cause): cause
    case .windowManagerSettled: "settled"
    case .supportsActiveWindow, .currentDesktop, .showingDesktop, .monitors, .desktopRuleDue: "desktop"
    }
  }
}
