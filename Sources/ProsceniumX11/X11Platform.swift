import Glibc
package import ProsceniumLoop
package import ProsceniumPlatform
import SceneLifecycle

/// The platform on a real X server, through xcb.
///
/// The face of the target: commands go in here, and batches of events come out; all on the main thread. The work is
/// done by ``X11Components``. A turn reads events and replies (X11Platform+Events.swift), which change the models of
/// windows and of the root (``WindowTable``); at its end the levels that differ from those delivered last, and
/// the events of the ``Batch``, go out as one.
@MainActor package final class X11Platform: Platform {
  package unowned var client: (any PlatformClient)?
  let loop: EventLoop
  /// The parts, once the server is connected.
  var components: X11Components?
  private let display: String?
  /// The address of the session manager; nil where there is none.
  private let sessionManager: String?
  /// The server's connection as a source of the loop.
  var source: LoopSourceID?
  /// Whether a process of the program's own file puts screens' modes back when this one is killed: only where the
  /// program calls ``ModeKeeper/run()`` for its argument.
  package var hasModeKeeper = false

  /// Makes a platform that is not connected yet.
  /// - Parameters:
  ///   - display: The display; the one that `DISPLAY` names where nil.
  ///   - hosting: Whether the process is the program's own.
  ///   - sessionManager: The address of the session manager; the one that `SESSION_MANAGER` names where nil, and none
  ///     for a guest.
  package init(display: String? = nil, hosting: LoopHosting = .program, sessionManager: String? = nil) {
    self.display = display
    // Left in the environment: programs that are started here may use it.
    let environment = hosting == .program ? getenv("SESSION_MANAGER").map { String(cString: $0) } : nil
    self.sessionManager = sessionManager ?? environment
    loop = EventLoop(hosting: hosting)
    loop.client = self
  }

  /// The error for which the loop cannot run: the process has no descriptors left.
  package var failure: PlatformError? {
    loop.canWake ? nil : PlatformError("no file descriptors are left for the event loop.")
  }

  // MARK: Start
  // Two serial round trips, whatever the number of windows, and two more where windows are placed on the screens:
  // RandR answers no query before its version is agreed on, and the monitors' names can be queried only after their
  // atoms have arrived.

  /// How long after the start the user's settings are asked for.
  private static let settingsDelay = Duration.milliseconds(400)

  package func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription] {
    guard components == nil else { throw PlatformError("the X11 platform has been started already.") }
    if let failure { throw failure }
    BrokenPipe.tolerate()
    let server = try XServer(display: display)
    if loop.hosting == .program { loop.catchTerminationSignals(cutting: server.connection.remoteSocket) }
    let plan = sessionManager.flatMap { SessionManagerPlan($0, identity) }
    let launch = StartupNotification.removeFromEnvironment()
    let batch = Batch()
    let components = X11Components(
      X11Context(
        loop: loop, server: server, windows: WindowTable(loop, server, batch), batch: batch, identity: identity))
    components.sessionManager.plan = plan
    if hasModeKeeper { components.monitors.modes.keeper = ModeKeeper() }
    // The first window is made for the scale that they give.
    server.selectRootEvents(all: true)
    components.settings.readResources()
    let isManaged = try server.setUp(
      AtomName.atStart + (launch == nil ? [] : AtomName.forStartup) + (plan == nil ? [] : [.smClientID]))
    self.components = components
    source = loop.watch(
      LoopSource(descriptor: server.connection.fileDescriptor, interest: .readable, stage: .input) { _ in })

    components.windows.writer.createLeader()
    components.sessionManager.writePreviousID()
    // Not written onto the leader: openbox would take it from there for the first window that is mapped.
    if let launch { components.startup.begin(launch) }
    components.manager.selectEventsOfExtensions()
    components.input.pointer.devices.begin()
    components.context.windows.apply(.windowManager(present: isManaged, name: nil))
    if isManaged { components.manager.restart() } else { components.support.atoms = [] }
    components.screens.begin()
    components.monitors.refresh()
    if identity.needsScreens { components.monitors.await() }
    if loop.hosting == .program { loop.set(.settings, after: Self.settingsDelay) }
    server.connection.flush()
    // The screens of the launch do not connect: the first event about them does.
    return components.screens.current.map { screen in
      var screen = screen
      screen.isProvisional = server.extensions.has(.randr)
      return screen
    }
  }

  // MARK: Suspension
  // While the program is suspended the loop waits for the server, signals and other sources alone. Nothing of the
  // program runs, and the server is asked for no events but those that can show a window again.

  private func suspend() {
    guard !loop.isSuspended else { return }
    loop.suspend { $0.x11Purpose?.isPausedBySuspension == true }
    guard let components, !components.server.isLost else { return }
    for window in components.context.windows.all { components.input.selectPointer(for: window, isWanted: false) }
    components.manager.suspend()
  }

  private func resume() {
    guard loop.isSuspended else { return }
    loop.resume()
    guard let components, !components.server.isLost else { return }
    for window in components.context.windows.all { components.input.selectPointer(for: window, isWanted: true) }
    if components.manager.resume() { readRoot(components) }
  }

  /// Reads all that the root's properties say: their changes, and its other events, may have been missed.
  func readRoot(_ components: X11Components) {
    components.settings.readResources()
    components.input.keyboard.maps.layoutChanged()
    components.screenSaver.lockers.rootWasNotFollowed()
    components.screenSaver.lockers.readStatus()
    components.manager.restart()
  }

  /// The server answers in order, and replies are handled between the events (``Connection/nextEvent(onlyQueued:)``).
  private func pass(mark: Int) {
    guard let connected else { return }
    let keyboard = connected.input.keyboard
    connected.server.connection.whenDone { [weak keyboard] in keyboard?.pass(.mark(mark)) }
    // Now, not at the end of the turn: a key may be pressed meanwhile.
    connected.server.connection.flush()
  }

  // MARK: Commands

  package func perform(_ command: PlatformCommand) {
    loop.requestTurn()
    switch command {
    case .setDeadline(let id, let milliseconds): loop.set(.client(id), after: .milliseconds(milliseconds))
    case .cancelDeadline(let id): loop.cancel(.client(id))
    case .sessionSaved(let success): components?.sessionManager.handle(.saved(success: success))
    case .sessionInteraction(let cancels): components?.sessionManager.handle(.userAnswered(cancels: cancels))
    case .suspend: suspend()
    case .resume: resume()
    case .holdMainQueue(let isHeld): loop.holdsMainQueue = isHeld
    case .quit(let status): loop.quit(status)
    case .holdPointer(let id): withOwnWindow(id) { $0.windows.popUps.holdPointer(for: $1) }
    case .releasePointer: connected?.windows.popUps.releasePointer()
    case .releaseGrabs: connected?.server.connection.releaseGrabs()
    case .cancelDrag: connected?.dragAndDrop.source.cancel()
    case .acceptDrops(let id): withOwnWindow(id) { $0.dragAndDrop.target.accept($1) }
    case .answerDrop(let id, let operation): connected?.dragAndDrop.target.handle(.answered(id.rawValue, operation))
    case .finishDrop(let id, let operation): connected?.dragAndDrop.target.handle(.finished(id.rawValue, operation))
    case .userActed(let time): connected?.focus.advanceUserTime(to: time)
    case .suspendScreenSaver(let isOn): connected?.screenSaver.suspend(isOn)
    case .followScreens: connected?.monitors.follow()
    case .followScreenModes: connected?.monitors.followModes()
    case .setScreenMode(let mode, let screen): connected?.monitors.modes.set(mode, for: screen)
    case .mark(let number): pass(mark: number)
    case .startup(let token): connected?.startup.begin(token)
    case .startupComplete: connected?.startup.finish()
    case .create(let id, let description): connected?.windows.create(id, description)
    case .adopt(let id, let description): withWindow(id) { $0.windows.adopt($1, description) }
    case .follow(let id, let description): connected?.windows.guests.follow(id, description)
    case .show(let id, let appearance): withWindow(id) { $0.windows.mapper.show($1, appearance) }
    case .withdraw(let id): withOwnWindow(id) { $0.windows.mapper.withdraw($1) }
    case .destroy(let id):
      withWindow(id) {
        $0.screenSaver.lockers.windowRemoved($1)
        $0.windows.destroy($1)
      }
    case .bare(let id): withOwnWindow(id) { $0.windows.bare($1) }
    case .place(let id, let origin, let size): withOwnWindow(id) { $0.windows.place($1, origin, size) }
    case .setTitle(let id, let title): withOwnWindow(id) { $0.windows.writer.setTitle($1, title) }
    case .setIcon(let id, let icon): withOwnWindow(id) { $0.windows.writer.setIcon($1, icon) }
    case .setBackground(let id, let color): withOwnWindow(id) { $0.drawing.setBackground($1, color) }
    case .setSizeLimits(let id, let minimum, let maximum):
      withOwnWindow(id) { $0.windows.writer.setSizeLimits($1, minimum: minimum, maximum: maximum) }
    case .setLevel(let id, let level): withWindow(id) { $0.windows.mapper.setLevel($1, level) }
    case .setTransient(let id, let owner): withOwnWindow(id) { $0.windows.writer.setTransient($1, for: owner) }
    case .setCursor(let id, let cursor): withOwnWindow(id) { $0.input.cursors.set(cursor, for: $1.id) }
    case .requestFrame(let id): withWindow(id) { $0.drawing.frames.request($1) }
    case .purgeSurface(let id): withWindow(id) { $0.drawing.purge($1) }
    case .purgeSpareBuffers(let id): withWindow(id) { $0.drawing.surfaces.purgeSpareBuffers($1) }
    case .cover(let id, let snapshot): withOwnWindow(id) { $0.drawing.cover($1, snapshot) }
    case .showPicture(let id, let snapshot): withOwnWindow(id) { $0.drawing.showPicture($1, snapshot) }
    case .request(let request, let id, let what): connected?.windows.requests.perform(request, id, what)
    }
  }

  /// The parts while the server is there; commands after its loss are dropped.
  private var connected: X11Components? {
    guard let components, !components.server.isLost else { return nil }
    return components
  }

  /// Runs for a window that exists while the server is there; commands about any other are late, and dropped.
  @discardableResult
  private func withWindow<Result>(_ id: WindowID, _ body: (X11Components, TopLevel) -> Result) -> Result? {
    guard let connected, let window = connected.context.windows[id.rawValue] else { return nil }
    return body(connected, window)
  }

  /// Runs for a window that is not another library's.
  private func withOwnWindow(_ id: WindowID, _ body: (X11Components, TopLevel) -> Void) {
    withWindow(id) { if !$1.isGuest { body($0, $1) } }
  }

  package func makeWindowID() -> WindowID { WindowID(rawValue: components?.server.connection.makeID() ?? 0) }

  package func makeStartupToken() -> String? { components?.startup.makeToken() }

  package func flush() { connected?.server.connection.flush() }

  // MARK: Drawing

  package func draw(_ id: WindowID, damage: Damage, _ body: (inout PixelBuffer, Damage) -> Void) -> Bool {
    withWindow(id) { $0.drawing.draw($1, damage: damage, body) } ?? false
  }

  package func footprint(of id: WindowID) -> Int {
    components?.context.windows[id.rawValue].flatMap { components?.drawing.footprint(of: $0) } ?? 0
  }

  package func keepsPixels(_ id: WindowID) -> Bool {
    withWindow(id) { !$1.isBare && $1.showing.isRequested && $1.model.isViewable } ?? false
  }

  /// The objects by which a program draws into a window by its own means: the one way for pointers out of this target.
  package func handle(for id: WindowID) -> WindowHandle? { withWindow(id) { $0.drawing.handle(for: $1) } }

  // MARK: Pasteboards

  package func write(_ items: [PasteboardItem], to pasteboard: PasteboardName) {
    loop.requestTurn()
    components?.pasteboard.write(items, to: pasteboard)
  }

  package func read(
    _ types: [String], from pasteboard: PasteboardName, _ completion: @escaping @MainActor (PasteboardItem?) -> Void
  ) {
    loop.requestTurn()
    components?.pasteboard.read(types, from: pasteboard, completion)
  }

  package func readTypes(of pasteboard: PasteboardName, _ completion: @escaping @MainActor ([String]) -> Void) {
    loop.requestTurn()
    components?.pasteboard.readTypes(of: pasteboard, completion)
  }

  package func beginDrag(_ offer: DragOffer, from window: WindowID) {
    guard let connected else { return }
    loop.requestTurn()
    connected.dragAndDrop.source.begin(offer, from: window.rawValue)
  }

  // MARK: The loop

  package func run() -> Int32 {
    // The first windows are on their way, unless the launch waits for the bus.
    components?.sessionManager.open()
    let status = loop.run()
    // A guest may run again.
    if loop.hosting == .program { components?.sessionManager.close() }
    return status
  }

  package func wait(in outer: any OuterLoop) throws { try loop.wait(in: outer) }

  package func attach(drainsMainQueue: Bool) throws(Errno) -> Int32 {
    components?.sessionManager.open()
    return try loop.attach(drainsMainQueue: drainsMainQueue)
  }

  package var nextTurn: Duration? { loop.nextTurn }

  package func requestTurn() { loop.requestTurn() }

  package func runTurn() -> Int32? {
    loop.turn()
    if loop.isQuitting { components?.sessionManager.close() }
    return loop.status
  }

  package func watch(_ source: LoopSource) -> LoopSourceID { loop.watch(source) }

  package func unwatch(_ id: LoopSourceID) { loop.unwatch(id) }

  package nonisolated func wake() { loop.wake() }

  package nonisolated var now: Double { MonotonicClock.seconds }

  // MARK: State

  package var hasWindowManager: Bool { components?.context.windows.root.isManaged == true }

  package var isConnected: Bool { connected.map { Connection.isThere($0.server.connection.raw) } == true }

  /// Whether the server of a connection is still there, asked of its socket now; on any thread.
  package nonisolated static func isConnected(_ connection: OpaquePointer) -> Bool { Connection.isThere(connection) }
}
