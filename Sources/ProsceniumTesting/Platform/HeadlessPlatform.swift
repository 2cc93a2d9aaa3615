package import ProsceniumLoop
package import ProsceniumPlatform

/// A desk in memory: a test shows, hides and focuses the windows.
///
/// There is no display, no thread and no time but the one that the test advances. Windows are shown as soon as the
/// program shows them, and those that ask for the focus get it, unless ``obeysActivation`` is false.
@MainActor package final class HeadlessPlatform {
  package weak var client: (any PlatformClient)?
  /// The owner of the process's objects, which lives at least as long as a delivery.
  weak var owner: AnyObject?
  /// The kit's time.
  package nonisolated let clock: ManualClock
  package private(set) var commands: [PlatformCommand] = []
  package private(set) var quitStatus: Int32?
  var life = Life()
  package var isConnected = true
  /// When the user did something last, in the window system's milliseconds.
  package var userTime: Int?
  /// Why the platform does not start, for tests of that.
  package var startError: PlatformError?
  /// The windows and the manners of their manager, as tests read and set them.
  package var windowManager = HeadlessWindowManager()
  var schedule = HeadlessSchedule()
  package var surfaces = HeadlessSurfaces()
  package var pasteboards = Pasteboards()
  private var watched = WatchedSources()
  /// The session manager's side of its conversation with the program.
  var session = HeadlessSession()

  /// The process as the machine knows it.
  struct Life {
    /// Whether it has been launched, and has power: else nothing happens to it.
    var isOn: @MainActor () -> Bool = { true }
    /// Called when it exits.
    var onQuit: @MainActor () -> Void = {}
  }

  /// The descriptors that the program has the loop wait for.
  private struct WatchedSources {
    var sources: [LoopSourceID: LoopSource] = [:]
    var lastNumber = 0
  }

  /// The pasteboards of the desk; answers are given by the loop.
  package struct Pasteboards {
    /// The content, copied in this program or, as a test says, in another one.
    package var items: [PasteboardName: [PasteboardItem]] = [:]
    var answers: [@MainActor () -> Void] = []
  }

  /// A desk without windows.
  /// - Parameter last: The connection of a process that has ended, to whose desk this is another one; nil for a new
  ///   desk.
  package init(after last: HeadlessPlatform? = nil) {
    clock = last?.clock ?? ManualClock()
    guard let last else { return }
    windowManager = HeadlessWindowManager(after: last.windowManager)
    surfaces.isComposing = last.surfaces.isComposing
  }

  /// The process is dead: it receives no event, and its windows and its conversations are gone.
  func disconnect() {
    client = nil
    windowManager.disconnect()
    session = HeadlessSession()
  }

  // MARK: The state of the desk, as tests read it

  package var windows: [WindowID: HeadlessWindow] { windowManager.windows }
  package var focused: WindowID? { windowManager.focused }
  /// The workspace that is seen; nil until the first one has been left.
  package var workspace: Int? { windowManager.workspace }
  package var isShowingDesktop: Bool { windowManager.isShowingDesktop }
  /// Between `suspend` and `resume`: no deadlines, no frames.
  package var isSuspended: Bool { schedule.isSuspended }
  /// The descriptors that the program has the loop wait for.
  package var sources: [LoopSourceID: LoopSource] { watched.sources }

  /// The surface of a window; nil while nothing has been drawn, or after it was purged.
  package func surface(of id: WindowID) -> HeadlessSurface? { surfaces.surfaces[id] }
  /// The picture that each window shows while nothing has been drawn into it.
  package var pictures: [WindowID: Snapshot] { surfaces.pictures }
  /// How often something was drawn.
  package var drawCount: Int { surfaces.drawCount }
}

extension HeadlessPlatform: Platform {
  package internal(set) nonisolated var now: Double {
    get { clock.seconds }
    set { clock.seconds = newValue }
  }

  package var hasWindowManager: Bool { windowManager.isRunning }

  package func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription] {
    if let startError { throw startError }
    return windowManager.reported
  }

  package func makeStartupToken() -> String? { userTime.map { "headless_TIME\($0)" } }

  package func makeWindowID() -> WindowID { windowManager.makeWindowID() }

  package func flush() {}

  package nonisolated func wake() {}

  /// Returns at once: a test delivers batches by itself, with ``deliver()`` and ``advance(by:)``.
  package func run() -> Int32 { quitStatus ?? 0 }

  package func watch(_ source: LoopSource) -> LoopSourceID {
    watched.lastNumber += 1
    let id = LoopSourceID(rawValue: watched.lastNumber)
    watched.sources[id] = source
    return id
  }

  package func unwatch(_ id: LoopSourceID) { watched.sources[id] = nil }

  package func perform(_ command: PlatformCommand) {
    commands.append(command)
    switch command {
    case .create(let id, let description): windowManager.create(id, description)
    case .adopt(let id, let description): windowManager.adopt(id, description)
    // Its owner shows it at once.
    case .follow(let id, let description):
      windowManager.create(id, description)
      windowManager.show(id, .quiet)
    case .show(let id, let appearance): windowManager.show(id, appearance)
    case .withdraw(let id):
      schedule.cancelFrame(id)
      windowManager.withdraw(id)
    case .destroy(let id): remove(id)
    case .bare(let id): windowManager.update(id) { $0.isBare = true }
    case .place(let id, let origin, let size): place(id, origin, size)
    case .setTitle(let id, let title): windowManager.update(id) { $0.description.title = title }
    case .setTransient(let id, let owner): windowManager.update(id) { $0.description.transientFor = owner }
    case .setBackground(let id, let color): windowManager.update(id) { $0.description.background = color }
    case .setSizeLimits(let id, let minimum, let maximum):
      windowManager.update(id) { $0.sizeLimits = (minimum, maximum) }
    case .setIcon, .setLevel, .setCursor, .purgeSpareBuffers: break
    case .holdPointer(let id): windowManager.holdPointer(id)
    case .releasePointer: windowManager.pointer.holder = nil
    case .acceptDrops(let id): drags.accepting.insert(id)
    case .cancelDrag: cancelOwnDrag()
    case .answerDrop(let id, let operation): if drags.over?.id == id { drags.answer = operation }
    case .finishDrop(let id, let operation): finishDrop(id, operation)
    case .userActed, .releaseGrabs, .suspendScreenSaver, .followScreens, .startup, .startupComplete, .holdMainQueue:
      break
    case .mark(let number): windowManager.events.append(.mark(number))
    case .followScreenModes: windowManager.followModes()
    case .setScreenMode(let mode, let screen): windowManager.set(mode, for: screen)
    case .requestFrame(let id): if isShown(id) { schedule.requestFrame(id, now: now) }
    case .purgeSurface(let id):
      surfaces.purge(id)
      schedule.cancelFrame(id)
    case .cover(let id, let snapshot): surfaces.cover(id, with: snapshot)
    case .showPicture(let id, let snapshot): surfaces.show(snapshot, in: id)
    case .request(let request, let id, let change): windowManager.perform(request, id, change, now: now)
    case .setDeadline(let id, let milliseconds): schedule.deadlines[id] = now + Double(milliseconds) / 1000
    case .cancelDeadline(let id): schedule.deadlines[id] = nil
    case .sessionInteraction(let cancels): session.isCancelled = cancels
    case .sessionSaved: if let event = session.end() { windowManager.events.append(event) }
    case .suspend: schedule.isSuspended = true
    case .resume: schedule.isSuspended = false
    case .quit(let status):
      guard quitStatus == nil else { return }
      quitStatus = status
      life.onQuit()
    }
  }

  /// Whether a window can be drawn into.
  private func isShown(_ id: WindowID) -> Bool { windows[id].map { $0.isMapped && !$0.isBare } ?? false }

  private func place(_ id: WindowID, _ origin: Point?, _ size: Size) {
    guard let window = windows[id], !window.isMapped else { return }
    let corner = origin ?? window.frame.origin
    let frame = Rect(x: corner.x, y: corner.y, width: size.width, height: size.height)
    windowManager.update(id) { $0.description.placement?.frame = frame }
    windowManager.place(id) { $0.normalFrame = frame }
  }

  func remove(_ id: WindowID) {
    schedule.cancelFrame(id)
    surfaces.cover(id, with: nil)
    windowManager.remove(id)
  }

  // MARK: Drawing

  package func keepsPixels(_ id: WindowID) -> Bool { surfaces.isComposing && windows[id]?.isMapped == true }

  package func draw(_ id: WindowID, damage: Damage, _ body: (inout PixelBuffer, Damage) -> Void) -> Bool {
    guard isShown(id), let size = windows[id]?.frame.size, let (surface, isNew) = surfaces.begin(id, size: size) else {
      return false
    }
    var buffer = surface.buffer
    body(&buffer, isNew ? Damage([Rect(x: 0, y: 0, width: size.width, height: size.height)]) : damage)
    return true
  }

  package func footprint(of id: WindowID) -> Int {
    surfaces.surfaces[id].map { $0.size.width * $0.size.height * 4 } ?? 0
  }

  // MARK: Pasteboards

  package func write(_ items: [PasteboardItem], to pasteboard: PasteboardName) { pasteboards.items[pasteboard] = items }

  package func read(
    _ types: [String], from pasteboard: PasteboardName, _ completion: @escaping @MainActor (PasteboardItem?) -> Void
  ) {
    if pasteboard == .drag { return readDrag(types, completion) }
    let items = pasteboards.items[pasteboard] ?? []
    let item = types.lazy.compactMap { type in items.first { $0.type == type } }.first
    answerLater { completion(item) }
  }

  package func readTypes(of pasteboard: PasteboardName, _ completion: @escaping @MainActor ([String]) -> Void) {
    let types = (pasteboards.items[pasteboard] ?? []).map(\.type)
    answerLater { completion(types) }
  }

  /// Gives an answer with the next batch; while the test waits for it nobody else delivers one.
  func answerLater(_ answer: @escaping @MainActor () -> Void) {
    pasteboards.answers.append(answer)
    Task { [weak self] in if self?.pasteboards.answers.isEmpty == false { self?.deliver() } }
  }
}
