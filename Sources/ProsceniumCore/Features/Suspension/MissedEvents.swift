import ProsceniumPlatform
import SceneLifecycle

/// What happens while the program is suspended: of each kind one event, so that what is told afterwards is how things are
/// then.
///
/// Whether that differs from how they were is seen by the feature that handles the event, as always: a change that was
/// undone is none.
struct MissedEvents: Equatable {
  /// One thing that was missed.
  enum Event: Equatable {
    case platform(PlatformEvent)
    case system(SystemEvent)
  }

  private struct Entry: Equatable {
    var kind: String
    /// The place of the kind among the others: the machine, the desktop environment, then windows, then answers.
    var rank: Int
    var event: Event
  }

  /// In the order in which they came last.
  private var entries: [Entry] = []

  /// What has been missed, in the order in which it is told.
  var events: [Event] {
    entries.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element.event)
  }

  static func == (left: MissedEvents, right: MissedEvents) -> Bool { left.events == right.events }

  /// The event of a kind that has been missed.
  func event(of kind: String) -> Event? { entries.first { $0.kind == kind }?.event }

  /// Keeps an event, in place of an earlier one of its kind.
  mutating func keep(_ event: Event, kind: String, rank: Int) {
    entries.removeAll { $0.kind == kind }
    entries.append(Entry(kind: kind, rank: rank, event: event))
  }

  /// Forgets the event of a kind; whether there was one.
  mutating func forget(_ kind: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.kind == kind }
    return entries.count < count
  }

  /// Keeps an event of the window system; what says nothing any more later is dropped.
  mutating func keep(_ event: PlatformEvent) {
    switch event {
    case .settings: keep(.platform(event), kind: "settings X", rank: 2)
    case .windowManager: keep(.platform(event), kind: "windowManager", rank: 4)
    case .screens: keep(.platform(event), kind: "screens", rank: 5)
    case .screenSaver: keep(.platform(event), kind: "saver X", rank: 6)
    case .scale(let id, _): keep(.platform(event), kind: "scale \(id)", rank: 7)
    case .geometry(let id, _): keep(.platform(event), kind: "geometry \(id)", rank: 8)
    case .levels(let id, _): keep(.platform(event), kind: "levels \(id)", rank: 9)
    case .exposed(let id, let rect):
      var all = rect
      if case .platform(.exposed(_, let known))? = self.event(of: "exposed \(id)") { all = known.union(rect) }
      keep(.platform(.exposed(id, all)), kind: "exposed \(id)", rank: 10)
    case .outcome(let id, _): keep(.platform(event), kind: "outcome \(id.rawValue)", rank: 11)
    // No input is heard in the background, frames are asked for again, and the rest wakes the program or ends it.
    case .input, .frame, .closeRequested, .destroyed, .deadline, .signal, .sessionSave, .sessionSaveCancelled,
      .sessionEnded, .connectionLost, .error, .fault:
      break
    }
  }
}

extension MissedEvents.Event {
  /// What a program does about the event, by the name that it knows.
  var handlerName: String {
    switch self {
    case .platform(let event): event.handlerName
    case .system(.time): "applicationSignificantTimeChange(_:)"
    case .system(.memoryPressure): "applicationDidReceiveMemoryWarning(_:)"
    case .system(.absence), .system(.silence), .system(.firstWord): "applicationProtectedDataWillBecomeUnavailable(_:)"
    case .system(.request): "scene(_:openURLContexts:)"
    case .system(.screenSaver): "screenSaver"
    case .system(.settings): "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)"
    case .system(.preferencesEdited): "Preferences.DidChangeMessage"
    }
  }
}

extension PlatformEvent {
  /// Whether the event is said at once, and is all that there is to it.
  var isMessage: Bool {
    switch self {
    case .error, .fault: true
    case .levels, .geometry, .closeRequested, .destroyed, .input, .exposed, .frame, .scale, .windowManager, .screens,
      .screenSaver, .settings, .deadline, .outcome, .signal, .sessionSave, .sessionSaveCancelled, .sessionEnded,
      .connectionLost:
      false
    }
  }

  /// What a program does about the event, by the name that it knows.
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
