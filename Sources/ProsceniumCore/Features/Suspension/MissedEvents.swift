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
    switch event {
    case .settings: add(.platform(event), kind: "settings X", rank: 2)
    case .windowManager: add(.platform(event), kind: "windowManager", rank: 4)
    case .screens: add(.platform(event), kind: "screens", rank: 5)
    case .screenSaver: add(.platform(event), kind: "saver X", rank: 6)
    case .scale(let id, _): add(.platform(event), kind: "scale \(id)", rank: 7)
    case .geometry(let id, _): add(.platform(event), kind: "geometry \(id)", rank: 8)
    case .levels(let id, _): add(.platform(event), kind: "levels \(id)", rank: 9)
    case .exposed(let id, let rect):
      var all = rect
      if case .platform(.exposed(_, let known))? = self.event(of: "exposed \(id)") { all = known.union(rect) }
      add(.platform(.exposed(id, all)), kind: "exposed \(id)", rank: 10)
    case .outcome(let id, _): add(.platform(event), kind: "outcome \(id.rawValue)", rank: 11)
    // Input is ignored in the background, frames are requested again, and the rest wakes the program or ends it.
    case .input, .frame, .closeRequested, .destroyed, .deadline, .signal, .sessionSave, .sessionSaveCancelled,
      .sessionEnded, .connectionLost, .error, .fault:
      break
    }
  }
}

extension MissedEvents.Event {
  /// The name of the program's callback for the event.
  var handlerName: String {
    switch self {
    case .platform(let event): event.handlerName
    case .system(.time): "applicationSignificantTimeChange(_:)"
    case .system(.memoryPressure): "applicationDidReceiveMemoryWarning(_:)"
    case .system(.concealment), .system(.silence), .system(.firstWord):
      "applicationProtectedDataWillBecomeUnavailable(_:)"
    case .system(.request): "scene(_:openURLContexts:)"
    case .system(.screenSaver): "screenSaver"
    case .system(.settings): "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)"
    case .system(.preferencesEdited): "Preferences.DidChangeMessage"
    }
  }
}

extension PlatformEvent {
  /// Whether the event is handled at once, and has no state.
  var isMessage: Bool {
    switch self {
    case .error, .fault: true
    case .levels, .geometry, .closeRequested, .destroyed, .input, .exposed, .frame, .scale, .windowManager, .screens,
      .screenSaver, .settings, .deadline, .outcome, .signal, .sessionSave, .sessionSaveCancelled, .sessionEnded,
      .connectionLost:
      false
    }
  }

  /// The name of the program's callback for the event.
  fileprivate var handlerName: String {
    switch self {
    case .levels: "visibility"
    case .geometry: "windowScene(_:didUpdateEffectiveGeometry:)"
    case .exposed: "exposed"
    case .scale: "scale"
    case .windowManager: "windowManager"
    case .screens: "Screen notifications"
    case .screenSaver: "screenSaver"
    case .settings: "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)"
    case .outcome: "completion of a window request"
    case .closeRequested, .destroyed, .input, .frame, .deadline, .signal, .sessionSave, .sessionSaveCancelled,
      .sessionEnded, .connectionLost, .error, .fault:
      "event"
    }
  }
}
