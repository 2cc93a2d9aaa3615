import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The moments at which windows are drawn.
@MainActor final class FrameScheduler: X11Component {
  let context: X11Context
  /// The server's support for surfaces.
  var support = SurfaceSupport()
  private var isAsked = false

  init(_ context: X11Context) { self.context = context }

  /// The clock of frames, in seconds.
  var now: Double { MonotonicClock.now / .seconds(1) }

  /// The program asks for a frame.
  func request(_ window: TopLevel) {
    guard !window.isBare, window.showing.isRequested else { return }
    window.drawing.clock.request()
    begin()
    advance(window)
  }

  /// Asks what the server can do for surfaces, when the first frame is asked for: many programs draw by their own
  /// means.
  ///
  /// The frames that wait for the answer come with it.
  func begin() {
    guard !isAsked else { return }
    isAsked = true
    server.loadSurfaceExtensions { [weak self] in self?.askForVersions() }
  }

  private func askForVersions() {
    let extensions = server.extensions
    let canShare = extensions.has(.shm) && connection.passesDescriptors
    let canPresent = extensions.has(.present) && extensions.has(.fixes)
    guard canShare || canPresent else { return finishAsking() }
    if canShare {
      connection.whenReplied(extensions.send(.shmQueryVersion)) { [weak self] reply in
        if let version = reply?.read(shm_version_reply.self) { self?.support.set(sharing: version) }
      }
    }
    if canPresent {
      connection.whenReplied(extensions.send(.presentQueryVersion(major: 1, minor: 0))) { [weak self] reply in
        self?.support.presents = reply != nil
      }
    }
    connection.whenDone { [weak self] in self?.finishAsking() }
  }

  private func finishAsking() {
    support.isKnown = true
    for window in windows.all { advance(window) }
  }

  /// Delivers the frame that was requested, or requests its moment from the server.
  func advance(_ window: TopLevel) {
    guard support.isKnown, !server.isLost, window.drawing.clock.isRequested else { return }
    var canDraw = true
    if let surface = window.drawing.surface { canDraw = surface.size != drawnSize(of: window) || surface.canDraw }
    switch window.drawing.clock.next(now: now, canDraw: canDraw, hasPresent: support.presents) {
    case .wait: break
    case .frame(let timing): batch.append(.frame(window.windowID, timing))
    case .at(let due): loop.set(.frame(window.id), at: .seconds(due))
    case .ask(let serial):
      selectPresentEvents(of: window)
      server.extensions.send(.presentNotifyMSC(window: window.id, serial: serial), onError: .surface)
    }
  }

  /// Ends frames until they are asked for again.
  func stop(_ window: TopLevel) {
    window.drawing.clock.reset()
    loop.cancel(.frame(window.id))
    batch.removeFrames(of: window.windowID)
  }

  /// The size that the window's client knows of.
  func drawnSize(of window: TopLevel) -> Size { (window.lastGeometry ?? window.geometry(root)).frame.size }

  // MARK: Present's events

  func selectPresentEvents(of window: TopLevel) {
    guard !window.drawing.arePresentEventsSelected else { return }
    window.drawing.arePresentEventsSelected = true
    if window.drawing.presentEvents == 0 { window.drawing.presentEvents = connection.makeID() }
    server.extensions.send(
      .presentSelectInput(
        window.drawing.presentEvents, window: window.id, PRESENT_COMPLETE_NOTIFY, PRESENT_IDLE_NOTIFY),
      onError: .surface)
  }

  /// Selects no events, which frees their memory on the server.
  func ignorePresentEvents(of window: TopLevel) {
    guard window.drawing.arePresentEventsSelected else { return }
    window.drawing.arePresentEventsSelected = false
    server.extensions.send(.presentSelectInput(window.drawing.presentEvents, window: window.id), onError: .surface)
  }

  /// CompleteNotify.
  func completed(_ completion: PresentCompletion) {
    guard let window = windows[completion.window] else { return }
    window.drawing.clock.complete(completion, now: now)
    advance(window)
  }

  /// IdleNotify.
  func idle(_ id: UInt32, pixmap: UInt32) {
    guard let window = windows[id], let buffer = window.drawing.surface?.buffer(pixmap: pixmap) else { return }
    buffer.uses = max(0, buffer.uses - 1)
    advance(window)
  }

  /// ShmCompletion.
  func copied(_ id: UInt32, segment: UInt32) {
    guard let window = windows[id], let buffer = window.drawing.surface?.buffer(segment: segment) else { return }
    buffer.uses = max(0, buffer.uses - 1)
    guard buffer.uses == 0 else { return }
    if let serial = window.drawing.clock.awaited { window.drawing.clock.accepted(serial) }
    advance(window)
  }
}
