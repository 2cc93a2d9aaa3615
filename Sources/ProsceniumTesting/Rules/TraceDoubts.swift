/// Contradictions that may exist for a moment, and must not last.
struct TraceDoubts: Sendable {
  enum Subject: Hashable {
    /// The application's state is not that of its most active scene.
    case aggregate
    /// A scene in the foreground has no visible window.
    case visible(String)
    /// An active scene does not have the focus.
    case focused(String)
    /// A scene is in the foreground although the user is away.
    case concealed
    /// A scene is active although a screen saver is on.
    case interrupted
  }

  private struct Doubt {
    var since: Double
    /// When it was first seen to have lasted; another line has to follow, or a process that was stopped would look
    /// guilty.
    var seen: Double?
  }

  /// Longer than every hold, in seconds.
  private static let delay = 5.0
  private var doubts: [Subject: Doubt] = [:]

  /// Begins or ends a doubt.
  mutating func raise(_ subject: Subject, _ isDoubtful: Bool, at time: Double) {
    if !isDoubtful { doubts[subject] = nil } else if doubts[subject] == nil { doubts[subject] = Doubt(since: time) }
  }

  /// A scene has taken a step: they walk one after the other, and each callback may take long.
  mutating func walkGoesOn() { (doubts[.concealed], doubts[.interrupted]) = (nil, nil) }

  /// The doubts that have lasted too long, each once.
  mutating func certainties(at time: Double) -> [(subject: Subject, since: Double)] {
    var certainties: [(subject: Subject, since: Double)] = []
    for (subject, doubt) in doubts where time >= doubt.since + Self.delay {
      let seen = doubt.seen ?? time
      doubts[subject]?.seen = seen
      guard time >= seen + 1 else { continue }
      doubts[subject] = Doubt(since: .infinity)
      certainties.append((subject, doubt.since))
    }
    return certainties
  }
}
