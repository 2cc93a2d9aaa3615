/// What happens while the program is suspended: of each kind the last event, so that what is told on waking is how things
/// are then.
///
/// Whether that differs from how they were is seen by whoever takes the event, as always: a change that was undone is
/// none.
struct MissedEvents: Equatable {
  /// One thing that was missed.
  enum Event: Equatable {
    case platform(PlatformEvent)
    case system(SystemEvent)
  }

  /// What one event takes another's place of, in the order in which they are told.
  private enum Kind: Hashable {
    case windowManager, screens, screenSaver, settings
    case scale(WindowID)
    case geometry(WindowID)
    case levels(WindowID)
    case exposed(WindowID)
    case outcome(RequestID)
    case time
    case absence(Absence, String)
    case sourceSaver(String)
    case sourceSettings
    case preferences

    var rank: Int {
      switch self {
      case .absence: 0
      case .time: 1
      case .settings, .sourceSettings: 2
      case .preferences: 3
      case .windowManager: 4
      case .screens: 5
      case .screenSaver, .sourceSaver: 6
      case .scale: 7
      case .geometry: 8
      case .levels: 9
      case .exposed: 10
      case .outcome: 11
      }
    }
  }

  private var latest: [Kind: (event: Event, number: Int)] = [:]
  private var count = 0

  static func == (lhs: MissedEvents, rhs: MissedEvents) -> Bool { lhs.events == rhs.events }

  var isEmpty: Bool { latest.isEmpty }

  /// What has been missed, in the order in which it is told: the machine, the desktop, then its windows, then answers.
  var events: [Event] {
    latest.sorted { ($0.key.rank, $0.value.number) < ($1.key.rank, $1.value.number) }.map(\.value.event)
  }

  /// Keeps an event, in place of an earlier one of its kind; what says nothing any more later is dropped.
  mutating func note(_ event: PlatformEvent) {
    switch event {
    case .windowManager: keep(event, .windowManager)
    case .screens: keep(event, .screens)
    case .screenSaver: keep(event, .screenSaver)
    case .settings: keep(event, .settings)
    case .scale(let id, _): keep(event, .scale(id))
    case .geometry(let id, _): keep(event, .geometry(id))
    case .levels(let id, _): keep(event, .levels(id))
    case .exposed(let id, let rect):
      guard case .platform(.exposed(_, let known))? = latest[.exposed(id)]?.event else {
        return keep(event, .exposed(id))
      }
      keep(.exposed(id, known.union(rect)), .exposed(id))
    case .outcome(let id, _): keep(event, .outcome(id))
    // Nobody is heard in the background, frames are asked for again, and the rest wakes the program or ends it.
    case .input, .frame, .closeRequested, .destroyed, .deadline, .signal, .sessionSave, .sessionSaveCancelled,
      .sessionEnded, .connectionLost, .error, .fault:
      break
    }
  }

  /// Keeps what the machine says; what has come back to where it was has not happened.
  mutating func note(_ event: SystemEvent) {
    switch event {
    case .time(let from, let to):
      var start = from
      if case .system(.time(let earlier, _))? = latest[.time]?.event { start = earlier }
      guard !to.changes(since: start).isEmpty else { return latest[.time] = nil }
      keep(.system(.time(from: start, to: to)), .time)
    case .screenSaver(_, let source): keep(.system(event), .sourceSaver(source))
    case .settings: keep(.system(event), .sourceSettings)
    case .preferencesEdited: keep(.system(event), .preferences)
    // Wakes the program, or is not told.
    case .memoryPressure, .absence, .silence, .firstWord, .request: break
    }
  }

  /// Keeps that the user has gone, where the program need not do anything about it.
  /// - Returns: Whether there is no more to do: not where the machine waits, nor where the user is back whom the program
  ///   knows to be gone.
  mutating func note(_ absence: Absence, isOn: Bool, _ source: String, _ event: SystemEvent) -> Bool {
    if absence.waitsForSaving { return false }
    if isOn {
      keep(.system(event), .absence(absence, source))
      return true
    }
    return latest.removeValue(forKey: .absence(absence, source)) != nil
  }

  private mutating func keep(_ event: PlatformEvent, _ kind: Kind) { keep(.platform(event), kind) }

  private mutating func keep(_ event: Event, _ kind: Kind) {
    count += 1
    latest[kind] = (event, count)
  }
}
