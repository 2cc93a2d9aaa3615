import ProsceniumJSON

/// Which scenes in the background are disconnected so that their memory comes back (``Application/reclaimPolicy``).
///
/// A scene that is disconnected this way is told so with ``DisconnectionReason/reclaimed``, after its state was saved; its
/// session stays, and shown again it gets a new scene and a new delegate. Those that take the most bytes go first (surfaces,
/// cached drawing and every ``PurgeableCache`` of the scene), of equals the one that was active longest ago. Never
/// disconnected are scenes of the app-based model, scenes without a window, which could not come back, and a scene that is
/// being shown and only waits for the window manager, restores its state, or asks whether it may close. While a background task
/// is open only critical pressure disconnects a scene; what else is over by then goes when the last task has ended.
public struct ReclaimPolicy: Hashable, Sendable {
  /// Whether scenes are disconnected when memory is short; true by default, as in UIKit.
  ///
  /// Half of those in the background, and all of them where the kernel is about to end processes.
  public var disconnectsUnderPressure = true

  /// How many scenes in the background stay connected; any number where nil, the default.
  public var maximumBackgroundScenes: Int?

  /// How long a scene in the background stays connected; for ever where nil, the default.
  ///
  /// Nobody looks at the time while the program is suspended: what is over by then is disconnected when it runs again.
  public var maximumBackgroundTime: Duration?

  /// Whether the program ends where the kernel is about to end processes, while all its scenes are in the background.
  ///
  /// False by default. A suspended program ends in silence, one that still runs code as by
  /// ``Application/terminate(status:)`` with ``TerminationCause/memoryPressure``, which cannot be refused. Its sessions come back
  /// at the next launch.
  public var endsUnderCriticalPressure = false

  /// The default policy.
  public init() {}
}

extension ReclaimPolicy {
  /// A connected scene in the background, as far as the choice goes.
  struct Candidate: Hashable, Sendable {
    /// The law's name for the scene.
    var scene: Int
    /// What its disconnection gives back, in bytes.
    var footprint = 0
    /// When it was last active: larger is later.
    var lastActive = 0
    /// When it entered the background, in seconds.
    var since = 0.0
    /// Never chosen; counts all the same.
    var isExempt = false
  }

  /// What is to be done now, and when to choose again at the latest.
  struct Choice: Hashable, Sendable {
    /// The scenes to disconnect, in this order.
    var scenes: [Int] = []
    /// Nil where nothing but an event can change the choice.
    var next: Double?
  }

  /// The choice.
  /// - Parameters:
  ///   - candidates: All connected scenes in the background.
  ///   - pressure: How short memory is; nil where it is not.
  ///   - now: In seconds, on the clock of ``Candidate/since``.
  ///   - isHeld: Whether a background task is open.
  /// - Returns: What is to be done.
  func choose(
    _ candidates: [Candidate], pressure: MemoryPressure?, now: Double, isHeld: Bool
  ) -> Choice {
    let choice = rule(candidates, pressure, now)
    // Somebody may be at work for one of them. Asked again when the last task has ended, and not before.
    guard isHeld, pressure != .critical, !choice.scenes.isEmpty else { return choice }
    return Choice()
  }

  private func rule(_ candidates: [Candidate], _ pressure: MemoryPressure?, _ now: Double) -> Choice {
    let ordered = candidates.filter { !$0.isExempt }.sorted {
      ($1.footprint, $0.lastActive, $0.scene) < ($0.footprint, $1.lastActive, $1.scene)
    }
    var count = 0
    switch disconnectsUnderPressure ? pressure : nil {
    case .critical: count = ordered.count
    case .warning: count = (ordered.count + 1) / 2
    case nil: break
    }
    if let most = maximumBackgroundScenes { count = max(count, min(ordered.count, candidates.count - max(0, most))) }
    var choice = Choice()
    guard let limit = maximumBackgroundTime?.seconds else {
      choice.scenes = ordered.prefix(count).map(\.scene)
      return choice
    }
    for (index, candidate) in ordered.enumerated() {
      // A little early is on time: clocks and deadlines are not told to the same digit.
      let due = candidate.since + max(0, limit)
      if index < count || due <= now + 0.002 {
        choice.scenes.append(candidate.scene)
      } else {
        choice.next = min(choice.next ?? due, due)
      }
    }
    return choice
  }
}

extension Duration {
  fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension ReclaimPolicy {
  /// The properties by name, times in seconds, as a manifest's file has them.
  static var properties: [String: (JSONValue, inout ReclaimPolicy) -> Bool] {
    [
      "disconnectsUnderPressure": { value, policy in value.flag.map { policy.disconnectsUnderPressure = $0 } != nil },
      "maximumBackgroundScenes": { value, policy in value.count.map { policy.maximumBackgroundScenes = $0 } != nil },
      "maximumBackgroundTime": { value, policy in value.duration.map { policy.maximumBackgroundTime = $0 } != nil },
      "endsUnderCriticalPressure": { value, policy in value.flag.map { policy.endsUnderCriticalPressure = $0 } != nil },
    ]
  }
}
