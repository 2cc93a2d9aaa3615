/// What happens while the program is suspended: of each kind the last event, so that what is told on waking is how things
/// are then.
///
/// Whether that differs from how they were is seen by whoever takes the event, as always: a change that was undone is
/// none.
struct MissedEvents: Equatable {
  /// What one event takes another's place of, in the order in which they are told.
  private enum Kind: Hashable {
    case windowManager, screens, screenSaver
    case scale(WindowID)
    case geometry(WindowID)
    case levels(WindowID)
    case exposed(WindowID)
    case outcome(RequestID)

    var rank: Int {
      switch self {
      case .windowManager: 0
      case .screens: 1
      case .screenSaver: 2
      case .scale: 3
      case .geometry: 4
      case .levels: 5
      case .exposed: 6
      case .outcome: 7
      }
    }
  }

  private var latest: [Kind: (event: PlatformEvent, number: Int)] = [:]
  private var count = 0

  static func == (lhs: MissedEvents, rhs: MissedEvents) -> Bool { lhs.events == rhs.events }

  var isEmpty: Bool { latest.isEmpty }

  /// What has been missed, in the order in which it is told: the desktop, then its windows, then answers.
  var events: [PlatformEvent] {
    latest.sorted { ($0.key.rank, $0.value.number) < ($1.key.rank, $1.value.number) }.map(\.value.event)
  }

  /// Keeps an event, in place of an earlier one of its kind; what says nothing any more later is dropped.
  mutating func note(_ event: PlatformEvent) {
    switch event {
    case .windowManager: keep(event, .windowManager)
    case .screens: keep(event, .screens)
    case .screenSaver: keep(event, .screenSaver)
    case .scale(let id, _): keep(event, .scale(id))
    case .geometry(let id, _): keep(event, .geometry(id))
    case .levels(let id, _): keep(event, .levels(id))
    case .exposed(let id, let rect):
      guard case .exposed(_, let known)? = latest[.exposed(id)]?.event else { return keep(event, .exposed(id)) }
      keep(.exposed(id, known.union(rect)), .exposed(id))
    case .outcome(let id, _): keep(event, .outcome(id))
    // Nobody is heard in the background, frames are asked for again, and the rest wakes the program or ends it.
    case .input, .frame, .closeRequested, .destroyed, .deadline, .signal, .sessionSave, .sessionSaveCancelled,
      .sessionEnded, .connectionLost, .error, .fault:
      break
    }
  }

  private mutating func keep(_ event: PlatformEvent, _ kind: Kind) {
    count += 1
    latest[kind] = (event, count)
  }
}
