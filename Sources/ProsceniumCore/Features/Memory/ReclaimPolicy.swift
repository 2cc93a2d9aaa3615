import ProsceniumJSON
import ProsceniumLoop

/// The choice of scenes in the background that are disconnected to free their memory (``Application/reclaimPolicy``).
///
/// Such a scene is disconnected with ``DisconnectionReason/reclaimed``, after its state was saved; its session stays,
/// and shown again it gets a new scene and a new delegate. Those that take the most bytes go first (surfaces, cached
/// drawing and every ``PurgeableCache`` of the scene), of equals the one that was active longest ago. Never
/// disconnected are scenes of the app-based model, scenes without a window or with an adopted one, which could not come
/// back, and a scene that is being shown and only waits for the window manager, restores its state, asks whether it may
/// close, or shows a document whose changes are nowhere on the disk: a new one without a file yet, or one that can be
/// neither saved nor kept. While a background task is open only critical pressure disconnects a scene; scenes that are
/// due by then are disconnected when the last task ends.
public struct ReclaimPolicy: Hashable, Sendable {
  /// Whether scenes are disconnected when memory is short; true by default, as in UIKit.
  ///
  /// Half of those in the background, and all of them where the kernel is about to kill processes.
  public var disconnectsUnderPressure = true

  /// How many scenes in the background stay connected; any number where nil, the default.
  public var maximumBackgroundScenes: Int?

  /// How long a scene in the background stays connected; unlimited where nil, the default.
  ///
  /// Not measured while the program is suspended: scenes that are due are disconnected when it runs again.
  public var maximumBackgroundTime: Duration?

  /// Whether the program ends where the kernel is about to kill processes, while all its scenes are in the background.
  ///
  /// False by default. A suspended program ends without callbacks, one that still runs code as by
  /// ``Application/terminate(status:)`` with ``TerminationCause/memoryPressure``, which cannot be refused. Its sessions
  /// are restored at the next launch.
  public var endsUnderCriticalPressure = false

  /// The default policy.
  public init() {}
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

  /// A connected scene in the background, with the properties that decide the choice.
  struct Candidate: Hashable, Sendable {
    /// The number of the scene.
    var scene: Int
    /// The memory that its disconnection frees, in bytes.
    var footprint = 0
    /// The order of its last activity: larger is later.
    var lastActive = 0
    /// When it entered the background, in seconds.
    var since = 0.0
    /// Never chosen, but counted.
    var isExempt = false
  }

  /// The scenes to disconnect now, and the time of the next choice.
  struct Choice: Hashable, Sendable {
    /// The scenes to disconnect, in this order.
    var scenes: [Int] = []
    /// Nil where only an event can change the choice.
    var next: Double?
  }

  /// The choice.
  /// - Parameters:
  ///   - candidates: All connected scenes in the background.
  ///   - pressure: The memory pressure; nil for none.
  ///   - now: In seconds, on the clock of ``Candidate/since``.
  ///   - isHeld: Whether a background task is open; asked where that makes a difference.
  /// - Returns: The choice.
  func choose(_ candidates: [Candidate], pressure: MemoryPressure?, now: Double, isHeld: @autoclosure () -> Bool)
    -> Choice
  {
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
    let limit = max(0, maximumBackgroundTime?.seconds ?? .infinity)
    var choice = Choice()
    for (index, candidate) in ordered.enumerated() {
      // Clocks and deadlines differ in their last digits.
      let due = candidate.since + limit
      if index < count || due <= now + 0.002 {
        choice.scenes.append(candidate.scene)
      } else if due < .infinity {
        choice.next = min(choice.next ?? due, due)
      }
    }
    // A task may be at work for one of them. Chosen again when the last task has ended, and not before.
    return pressure != .critical && !choice.scenes.isEmpty && isHeld() ? Choice() : choice
  }
}
