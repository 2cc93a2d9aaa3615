import ProsceniumCore
import ProsceniumLoop
import SceneLifecycle

/// A client that writes down what it hears, and what the core would stumble over.
@MainActor final class Listener: PlatformClient {
  private(set) var events: [PlatformEvent] = []
  private(set) var levels: [WindowID: WindowLevels] = [:]
  private(set) var geometry: [WindowID: WindowGeometry] = [:]
  private(set) var outcomes: [RequestID: RequestOutcome] = [:]
  private(set) var windowManager = WindowManagerState.settled
  private(set) var screens: [ScreenDescription] = []
  /// What must never be heard, whatever happens.
  private(set) var violations: [String] = []
  private var gone: Set<WindowID> = []
  private var isNested = false
  private var requests = 0

  /// Called before each sleep of the loop.
  var onTurn: () -> Void = {}
  /// Called for each event, in the middle of its batch.
  var onEvent: (PlatformEvent) -> Void = { _ in }
  /// What is to be done once when there is nothing else to do.
  var idleWork: (() -> Void)?

  func makeRequestID() -> RequestID {
    requests += 1
    return RequestID(rawValue: requests)
  }

  func handle(_ batch: [PlatformEvent]) {
    if isNested { violations.append("a batch in the middle of another") }
    if batch.isEmpty { violations.append("a batch of nothing") }
    isNested = true
    defer { isNested = false }
    for event in batch {
      events.append(event)
      note(event)
      onEvent(event)
    }
    if windowsInFocus.count > 1 { violations.append("two windows with the focus: \(windowsInFocus)") }
  }

  func turn() {
    if isNested { violations.append("a turn in the middle of a batch") }
    onTurn()
  }

  var hasIdleWork: Bool { idleWork != nil }

  func performIdleWork() {
    let work = idleWork
    idleWork = nil
    work?()
  }

  /// A window that we destroyed ourselves: nothing is heard of it any more.
  func forget(_ window: WindowID) { gone.insert(window) }

  private func note(_ event: PlatformEvent) {
    if let window = event.window, gone.contains(window) { violations.append("of a window that is gone: \(event)") }
    switch event {
    case .levels(let id, let new): levels[id] = new
    case .geometry(let id, let new): geometry[id] = new
    case .destroyed(let id): gone.insert(id)
    case .outcome(let id, let outcome):
      if outcomes[id] != nil { violations.append("a second outcome of \(id)") }
      outcomes[id] = outcome
    case .windowManager(let state, cause: _): windowManager = state
    case .screens(let new): screens = new
    case .error(let text), .fault(let text): violations.append(text)
    case .input, .pointerLost, .drag, .drop, .closeRequested, .exposed, .frame, .scale, .screenMode, .screenSaver,
      .locker, .settings,
      .deadline,
      .signal,
      .sessionSave, .sessionSaveCancelled, .sessionEnded, .connectionLost, .mark:
      break
    }
  }

  private var windowsInFocus: [WindowID] {
    levels.filter { $0.value.focused && !gone.contains($0.key) }.map(\.key)
  }

  func isVisible(_ id: WindowID) -> Bool { levels[id]?.visible == true }
  var hasFocus: Bool { !windowsInFocus.isEmpty }
  func isActive(_ id: WindowID) -> Bool { isVisible(id) && levels[id]?.focused == true }
  func count(_ event: PlatformEvent) -> Int { events.count { $0 == event } }

  /// How many changes of levels have come.
  var countOfLevels: Int { events.count { if case .levels = $0 { true } else { false } } }

  /// The deadlines that have come, in order.
  var deadlines: [Int] {
    events.compactMap { if case .deadline(let id) = $0 { id.rawValue } else { nil } }
  }

  /// The frames that a window has got.
  func frames(of window: WindowID) -> [FrameTiming] {
    events.compactMap { if case .frame(window, let timing) = $0 { timing } else { nil } }
  }
}

extension PlatformEvent {
  /// The window that it is about.
  fileprivate var window: WindowID? {
    switch self {
    case .levels(let id, _), .geometry(let id, _), .closeRequested(let id), .destroyed(let id), .input(let id, _),
      .exposed(let id, _), .frame(let id, _), .scale(let id, _, _), .drop(let id, _):
      id
    case .pointerLost, .drag, .windowManager, .screens, .screenMode, .screenSaver, .locker, .settings, .deadline,
      .outcome,
      .signal,
      .sessionSave,
      .sessionSaveCancelled, .sessionEnded, .connectionLost, .mark, .error, .fault:
      nil
    }
  }
}
