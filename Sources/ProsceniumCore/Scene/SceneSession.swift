package import FoundationEssentials
package import ProsceniumStore

/// The durable identity of a scene: it outlives scene objects.
///
/// Made by the framework only. One object per ``persistentIdentifier``, so identity is equality.
@preconcurrency @MainActor public final class SceneSession {
  /// The purpose of a scene.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The role's name.
    public let rawValue: String
    /// A role by name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An ordinary window of the program.
    public static let windowApplication = Role(rawValue: "windowApplication")
    /// Whether the user can interact with such scenes: with all but those of external displays.
    var isInteractive: Bool { rawValue != "windowExternalDisplayNonInteractive" }
  }

  /// The reason why a stored session is not restored at launch.
  public struct HoldReason: RawRepresentable, Hashable, Sendable {
    /// The reason's name.
    public let rawValue: String
    /// A reason by name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The program has no configuration for it any more.
    public static let unknownConfiguration = HoldReason(rawValue: "unknownConfiguration")
  }

  /// The session's permanent identifier: in the trace, and as part of `WM_WINDOW_ROLE`.
  public let persistentIdentifier: String
  /// The role of its scenes.
  public let role: Role
  /// The configuration of its scenes.
  public internal(set) var configuration: SceneConfiguration
  /// The scene; nil while the session is disconnected.
  public internal(set) weak var scene: Scene?

  /// The reason why the session was not restored at launch; nil for every other session, and once it connects.
  public internal(set) var holdReason: HoldReason?

  /// Loads the rest of a session that came from the store; called once, at its first use.
  package var load: (() -> StoredSession?)?
  /// Called when a stored value has changed.
  package var onChange: (() -> Void)?
  /// The time by which activities expire.
  package var clock: @MainActor () -> Date = { Date() }
  private var isDamaged = false
  private var info: [String: StoredValue]?
  private var activity: UserActivity?
  private var conditions = SceneActivationConditions()

  /// The framework's record of the session; nil once it has been discarded, and when the program has ended.
  ///
  /// Not weak: counting references to an object that has weak ones takes four times as long, 5,000 instructions of a
  /// further scene (Tests/Benchmarks/instructions). The ``Roster`` breaks the cycle.
  var record: SceneRecord?

  package init(persistentIdentifier: String, role: Role, configuration: SceneConfiguration) {
    self.persistentIdentifier = persistentIdentifier
    self.role = role
    self.configuration = configuration
  }

  // MARK: Stored values

  /// Small settings of the window; stored with the session, nil at first.
  ///
  /// Accepts the values of ``UserActivity/userInfo``, and is checked in the same way: a value that cannot be stored is
  /// left out, and an error in the log names its key and type. Can be used while the session is disconnected.
  public var userInfo: [String: any Sendable]? {
    get { storedUserInfo?.mapValues(\.value) }
    set {
      loadStored()
      info = UserActivity.checked(newValue, of: "the scene session \(persistentIdentifier)")
      onChange?()
    }
  }

  /// The activity that restores the session's scene; stored with the session.
  ///
  /// The last one that the scene's delegate returned, or the program set, also while the session is disconnected.
  /// Changes to the activity are stored too. Nil once its ``UserActivity/expirationDate`` has passed.
  public var stateRestorationActivity: UserActivity? {
    get {
      loadStored()
      guard let activity else { return nil }
      if let date = activity.expirationDate, date <= clock() { return nil }
      if activity.isValid { return activity }
      // Its responders are gone with their scene; the next ones must be able to change it.
      let next = UserActivity(activity.stored)
      setActivity(next)
      return next
    }
    set {
      loadStored()
      setActivity(newValue)
      onChange?()
    }
  }

  /// Which content the session can be activated for.
  package var activationConditions: SceneActivationConditions {
    get {
      loadStored()
      return conditions
    }
    set {
      loadStored()
      conditions = newValue
      onChange?()
    }
  }

  /// `userInfo` as it is stored.
  package var storedUserInfo: [String: StoredValue]? {
    loadStored()
    return info
  }

  /// The activity as it is stored, be it expired or not.
  package var storedActivity: StoredActivity? {
    loadStored()
    return activity?.stored
  }

  /// Sets the stored values.
  package func fill(from stored: StoredSession) {
    load = nil
    info = stored.userInfo
    setActivity(stored.activity.map { UserActivity($0) })
    conditions = stored.conditions
  }

  /// Loads the stored values at the first call; false if they could not be read, now or earlier.
  @discardableResult
  package func loadStored() -> Bool {
    assertMainThread()
    guard let load else { return !isDamaged }
    // First, so that the loading function may use the session.
    self.load = nil
    if let stored = load() { fill(from: stored) } else { isDamaged = true }
    return !isDamaged
  }

  /// Loads the stored values at the next use, which could not be read before.
  package func loadAgain(_ load: @escaping () -> StoredSession?) {
    isDamaged = false
    self.load = load
  }

  private func setActivity(_ next: UserActivity?) {
    if activity?.keeper === self { activity?.keeper = nil }
    activity = next
    next?.keeper = self
  }
}

extension SceneSession: nonisolated Hashable {
  /// Whether both are the same session.
  public nonisolated static func == (lhs: SceneSession, rhs: SceneSession) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
