/// The events that arrive while the program is suspended: one of each kind, so that the program receives the final
/// state.
///
/// The feature that handles the event compares it with the earlier state, as always: a change that was
/// undone is none.
struct MissedEvents: Equatable {
  /// A missed event.
  enum Event: Equatable {
    case platform(PlatformEvent)
    case system(SystemEvent)
  }

  private struct Entry: Equatable {
    var kind: String
    /// The rank of the kind: the machine first, then the desktop environment, windows, and answers.
    var rank: Int
    var event: Event
  }

  /// In the order in which they arrived last.
  private var entries: [Entry] = []

  /// The missed events, in the order in which they are handled.
  var events: [Event] {
    entries.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element.event)
  }

  static func == (left: MissedEvents, right: MissedEvents) -> Bool { left.events == right.events }

  /// The event of a kind that has been missed.
  func event(of kind: String) -> Event? { entries.first { $0.kind == kind }?.event }

  /// Adds an event, in place of an earlier one of its kind.
  mutating func add(_ event: Event, kind: String, rank: Int) {
    entries.removeAll { $0.kind == kind }
    entries.append(Entry(kind: kind, rank: rank, event: event))
  }

  /// Removes the event of a kind; whether there was one.
  mutating func remove(_ kind: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.kind == kind }
    return entries.count < count
  }

  /// Adds an event of the window system; events that mean nothing later are dropped.
  mutating func add(_ event: PlatformEvent) {
    guard let (kind, rank, _) = event.whenMissed else { return }
    var event = event
    if case .exposed(let id, let rect) = event, case .platform(.exposed(_, let known))? = self.event(of: kind) {
      event = .exposed(id, known.union(rect))
    }
    add(.platform(event), kind: kind, rank: rank)
  }
}

extension MissedEvents.Event {
  /// The name of the program's callback for the event.
  var handlerName: String {
    switch self {
    case .platform(let event): event.whenMissed?.handlerName ?? "event"
    case .system(.time): "applicationSignificantTimeChange(_:)"
    case .system(.memoryPressure): "applicationDidReceiveMemoryWarning(_:)"
    case .system(.concealment), .system(.silence), .system(.firstWord):
      "applicationProtectedDataWillBecomeUnavailable(_:)"
    case .system(.request), .system(.firstRequest): "scene(_:openURLContexts:)"
    case .system(.screenSaver): "screenSaver"
    case .system(.settings): "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)"
    case .system(.power): "Device notifications"
    case .system(.scheduledWork): "the handler of a task"
    case .system(.noticesDue): "notices"
    case .system(.accessories): "AccessoryManager notifications"
    case .system(.location): "locationManager(_:didUpdateLocation:)"
    case .system(.sensors): "Device notifications"
    case .system(.shake): "motionBegan(_:with:)"
    case .system(.accounts): "AccountStore.IdentityDidChangeMessage"
    case .system(.machineLocale): "Application.LocaleDidChangeMessage"
    case .system(.remoteControl): "remoteControlReceived(with:)"
    case .system(.accessibility): "accessibilityPerform(_:)"
    case .system(.panelMenu): "panelMenuPerform(_:)"
    case .system(.inputMethod): "commitText(_:)"
    case .system(.handoff): "userActivityWasContinued(_:)"
    case .system(.preferencesEdited): "Preferences.DidChangeMessage"
    }
  }
}

extension PlatformEvent {
  /// The kind and the rank under which the event is kept, and the name of the program's callback for it; nil where it
  /// means nothing later.
  fileprivate var whenMissed: (kind: String, rank: Int, handlerName: String)? {
    switch self {
    case .settings: ("settings X", 2, "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)")
    case .windowManager: ("windowManager", 4, "windowManager")
    case .screens: ("screens", 5, "Screen notifications")
    case .screenMode(_, let screen): ("screenMode \(screen)", 11, "completion of a screen's mode")
    case .screenSaver: ("saver X", 6, "screenSaver")
    case .locker: ("locker", 0, "applicationProtectedDataWillBecomeUnavailable(_:)")
    // In the order of a batch: a window gets the pixels of another scale where it is, not where it was.
    case .geometry(let id, _): ("geometry \(id)", 7, "windowScene(_:didUpdateEffectiveGeometry:)")
    case .scale(let id, _, _): ("scale \(id)", 8, "scale")
    case .levels(let id, _): ("levels \(id)", 9, "visibility")
    case .exposed(let id, _): ("exposed \(id)", 10, "exposed")
    case .outcome(let id, _): ("outcome \(id.rawValue)", 11, "completion of a window request")
    case .mark: ("mark", 11, "remoteControlReceived(with:)")
    // Input is ignored in the background, frames are requested again, and the rest wakes the program or ends it.
    case .input, .pointerLost, .drag, .drop, .frame, .closeRequested, .destroyed, .deadline, .signal, .sessionSave,
      .sessionSaveCancelled,
      .sessionEnded, .connectionLost, .error, .fault:
      nil
    }
  }
}
