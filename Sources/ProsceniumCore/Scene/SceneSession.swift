package import FoundationEssentials
package import ProsceniumStore

/// The durable identity of a scene: it outlives scene objects.
///
/// Made by the framework only. One object per ``persistentIdentifier``, so identity is equality.
@preconcurrency @MainActor public final class SceneSession {
  /// What a scene is for.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The role's name.
    public let rawValue: String
    /// A role by name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An ordinary window of the program.
    public static let windowApplication = Role(rawValue: "windowApplication")
    /// Whether the user can use such scenes, rather than only look at them: UIKit's names of the others say so.
    var isInteractive: Bool { !rawValue.hasSuffix("NonInteractive") }
  }

  /// Why a stored session is not brought back at launch.
  public struct HoldReason: RawRepresentable, Hashable, Sendable {
    /// The reason's name.
    public let rawValue: String
    /// A reason by name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The program has no configuration for it any more.
    public static let unknownConfiguration = HoldReason(rawValue: "unknownConfiguration")
  }

  /// Names the session for good: in the trace, and as part of `WM_WINDOW_ROLE`.
  public let persistentIdentifier: String
  /// What its scenes are for.
  public let role: Role
  /// What its scenes are made with.
  public internal(set) var configuration: SceneConfiguration
  /// The scene; nil while the session is disconnected.
  public internal(set) weak var scene: Scene?

  /// Why the session was not brought back at launch; nil for every other session, and once it connects.
  public internal(set) var holdReason: HoldReason?

  /// Reads the rest of a session that came from the store; asked once, when the first of it is needed.
  package var load: (() -> StoredSession?)?
  /// Called whenever something that is kept has been changed.
  package var onChange: (() -> Void)?
  /// Tells when an activity has expired.
  package var clock: @MainActor () -> Date = { Date() }
  private var isDamaged = false
  private var info: [String: StoredValue]?
  private var activity: UserActivity?
  private var conditions = SceneActivationConditions()

  /// What the framework keeps about the session; nil once it has been discarded.
  weak var record: SceneRecord?

  package init(persistentIdentifier: String, role: Role, configuration: SceneConfiguration) {
    self.persistentIdentifier = persistentIdentifier
    self.role = role
    self.configuration = configuration
  }

  // MARK: What is kept

  /// Small settings of the window; kept as long as the session, nil at first.
  ///
  /// Takes what ``UserActivity/userInfo`` takes, and is checked in the same way: a value that cannot be stored is left
  /// out, and an error in the log names its key and type. Can be used while the session is disconnected.
  public var userInfo: [String: any Sendable]? {
    get { storedUserInfo?.mapValues(\.value) }
    set {
      loadStored()
      info = UserActivity.checked(newValue, of: "the scene session \(persistentIdentifier)")
      onChange?()
    }
  }

  /// What the session's scene is restored with; kept as long as the session.
  ///
  /// What the scene's delegate saved last, or what the program sets, also while the session is disconnected.
  /// Changes to the activity are kept too. Nil once its ``UserActivity/expirationDate`` has passed.
  public var stateRestorationActivity: UserActivity? {
    get {
      loadStored()
      guard let activity else { return nil }
      if let date = activity.expirationDate, date <= clock() { return nil }
      if activity.isValid { return activity }
      // Its responders are gone with their scene; the next ones must be able to change it.
      let next = UserActivity(activity.stored)
      keep(next)
      return next
    }
    set {
      loadStored()
      keep(newValue)
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

  /// Takes what the store kept.
  package func fill(from stored: StoredSession) {
    load = nil
    info = stored.userInfo
    keep(stored.activity.map { UserActivity($0) })
    conditions = stored.conditions
  }

  /// Reads what has not been read yet; false if it could not be read, now or earlier.
  @discardableResult
  package func loadStored() -> Bool {
    guard let load else { return !isDamaged }
    // First, so that whoever reads may use the session.
    self.load = nil
    if let stored = load() { fill(from: stored) } else { isDamaged = true }
    return !isDamaged
  }

  private func keep(_ next: UserActivity?) {
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
