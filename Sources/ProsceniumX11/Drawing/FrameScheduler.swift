import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The moments at which windows are drawn.
@MainActor final class FrameScheduler: X11Component {
  /// The server's support for surfaces.
  var support = SurfaceSupport()
  private var isAsked = false

  /// The clock of frames, in seconds.
  var now: Double { MonotonicClock.seconds }

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
        guard let self, let version = reply?.read(shm_version_reply.self) else { return }
        support.sharesMemory = (version.major, version.minor) >= (1, 2)
        support.sharesPixmaps = version.shares_pixmaps != 0
      }
    }
    if canPresent {
      connection.whenReplied(extensions.send(.presentQueryVersion)) { [weak self] reply in
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
  func drawnSize(of window: TopLevel) -> Size { (window.delivered.geometry ?? window.geometry(root)).frame.size }

  // MARK: Present's events

  func selectPresentEvents(of window: TopLevel) {
    guard window.drawing.presentEvents == 0 else { return }
    window.drawing.presentEvents = connection.makeID()
    server.extensions.send(
      .presentSelectInput(
        window.drawing.presentEvents, window: window.id, PRESENT_COMPLETE_NOTIFY, PRESENT_IDLE_NOTIFY),
      onError: .surface)
  }

  /// Selects no events, which frees their memory on the server.
  func ignorePresentEvents(of window: TopLevel) {
    let selection = exchange(&window.drawing.presentEvents, with: 0)
    guard selection != 0 else { return }
    server.extensions.send(.presentSelectInput(selection, window: window.id), onError: .surface)
  }

  /// CompleteNotify.
  func completed(_ completion: PresentCompletion) {
    guard let window = windows[completion.window] else { return }
    // A driver goes on to show frames: nobody is woken by them who hears of none.
    if window.drawing.surface == nil, window.drawing.clock.isResting(now: now) {
      return ignorePresentEvents(of: window)
    }
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

/// The moments at which a window is drawn: a function of what was asked for, what is on its way, and the server's
/// answers.
///
/// All times are seconds on the monotonic clock.
struct FrameClock: Sendable {
  enum Step: Hashable {
    /// Nothing is to be done, or something is on its way whose end decides.
    case wait
    case frame(FrameTiming)
    /// The server reports the moment of the screen's next frame (PresentNotifyMSC).
    case ask(serial: UInt32)
    /// A deadline decides, in seconds.
    case at(Double)
  }

  static let usualInterval = 1.0 / 60

  private(set) var isRequested = false
  private(set) var interval = usualInterval
  /// The serial number of the newest frame that was shown or asked for, and is not complete yet.
  private(set) var awaited: UInt32?
  /// Drivers number theirs in the same window from 1, and the server tells of all of them.
  private var serial: UInt32 = 1 << 31
  /// Whether it was shown; else its moment was asked for.
  private var isShown = false
  private var isImmediate = false
  /// Whether the screen has shown the last frame: the next one follows it.
  private var isPaced = false
  private var lastFrame = -Double.infinity
  private var lastCompletion = -Double.infinity
  private var lastTimestamp = -Double.infinity
  private var moment: Double?
  private var shown: (ust: UInt64, msc: UInt64)?

  /// Whether nobody has asked for a frame for a second.
  func isResting(now: Double) -> Bool { !isRequested && awaited == nil && now - lastFrame > 1 }

  /// Frames that are asked for more than once are one.
  mutating func request() { isRequested = true }

  /// No frame is asked for any more, and nothing on its way matters.
  mutating func reset() {
    isRequested = false
    awaited = nil
    isPaced = false
    shown = nil
  }

  /// The awaited event is not going to arrive; the frame is still requested.
  mutating func abandon() { awaited = nil }

  /// A frame is being shown.
  ///
  /// After a rest it does not wait for the screen: it is there at once.
  /// - Returns: Its serial number, and whether it should not wait for the screen.
  mutating func present(now: Double, isUrgent: Bool) -> (serial: UInt32, isImmediate: Bool) {
    serial &+= 1
    // A frame that waits for the screen would come after one that does not.
    isImmediate = isUrgent || (awaited == nil && now - lastCompletion > interval)
    awaited = serial
    isShown = true
    return (serial, isImmediate)
  }

  /// The server has accepted a frame, and has no clock for it.
  mutating func accepted(_ serial: UInt32) { if serial == awaited { awaited = nil } }

  /// CompleteNotify.
  mutating func complete(_ completion: PresentCompletion, now: Double) {
    guard completion.serial == awaited, completion.isFrame == isShown else { return }
    awaited = nil
    isPaced = true
    lastCompletion = now
    // A frame that did not wait for the screen does not show the screen's rate.
    if isImmediate { shown = nil }
    if let shown, completion.msc > shown.msc, completion.ust > shown.ust, completion.msc - shown.msc < 1000 {
      let measured = Double(completion.ust - shown.ust) / 1e6 / Double(completion.msc - shown.msc)
      if (1.0 / 1000...0.1).contains(measured) { interval = measured }
    }
    if !isImmediate { shown = (completion.ust, completion.msc) }
    // A server on another machine has another clock.
    let reported = Double(completion.ust) / 1e6
    moment = isImmediate || abs(reported - now) > 1 ? now : min(reported, now)
  }

  /// The step that is to be done now.
  mutating func next(now: Double, canDraw: Bool, hasPresent: Bool) -> Step {
    guard isRequested, awaited == nil, canDraw else { return .wait }
    if isPaced { return begin(moment ?? now, now: now, due: now) }
    let due = lastFrame + interval
    guard now + 0.0005 < due else { return begin(now, now: now, due: now - due < interval ? due : now) }
    guard hasPresent else { return .at(due) }
    serial &+= 1
    awaited = serial
    isShown = false
    isImmediate = false
    return .ask(serial: serial)
  }

  private mutating func begin(_ timestamp: Double, now: Double, due: Double) -> Step {
    isRequested = false
    isPaced = false
    moment = nil
    lastFrame = due
    lastTimestamp = max(timestamp, lastTimestamp)
    let missed = max(0, ((now - lastTimestamp) / interval).rounded(.down))
    let target = lastTimestamp + (missed + 1) * interval
    return .frame(FrameTiming(timestamp: .seconds(lastTimestamp), targetTimestamp: .seconds(target)))
  }
}
