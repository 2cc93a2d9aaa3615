public import SceneLifecycle

/// What the scenes of a session are made with: a name, a role, a delegate, and policies.
///
/// A configuration with a name and nothing else stands for the one of that name in
/// ``ApplicationManifest/sceneConfigurations``; without a name, for the first of its role there.
@preconcurrency @MainActor public final class SceneConfiguration {
  /// What happens when the user closes the scene's window.
  public enum ClosePolicy: Hashable, Sendable, CaseIterable {
    /// The session is discarded.
    case discard
    /// The window is withdrawn, and the scene goes to the background; an activation brings it back.
    case background
  }

  /// Whether a session that was open when the last run ended is brought back.
  public enum RestorePolicy: Hashable, Sendable, CaseIterable {
    /// However the last run ended.
    case always
    /// If the last run died, or ended with the user's session or the display; not if the user quit the program.
    case afterCrashOrSessionEnd
    /// Never: such sessions are discarded at the next launch.
    case never
  }

  /// The name; unique in the manifest.
  public let name: String?
  /// The role of the sessions that it is for.
  public let role: SceneSession.Role
  /// The class of the scene objects; ``WindowScene`` where nil.
  public var sceneClass: Scene.Type?
  /// The class of the delegates, where no factory was given: a ``Responder`` subclass with an `init()`, or a class that
  /// conforms to ``DelegateInitializable``.
  public var delegateClass: AnyClass?
  /// Makes a delegate for each connection.
  public var makeDelegate: (@MainActor (SceneSession) -> any SceneDelegate)?
  /// What happens when the user closes the scene's window; `.discard` by default.
  public var closePolicy = ClosePolicy.discard
  /// Whether a session that was open when the last run ended is brought back; `.always` by default.
  ///
  /// A session that is not brought back is discarded, and reported at launch through `didDiscardSceneSessions`.
  public var restorePolicy = RestorePolicy.always
  /// When a visible scene is active; `.whenFocused` by default.
  public var activationPolicy = ActivationPolicy.whenFocused
  /// Whether a scene that is fully covered by other windows counts as not visible; false by default.
  ///
  /// On X11 no compositing window manager tells that a window is covered.
  public var treatsOcclusionAsHidden = false
  /// Where a new session's first window appears; chosen by the window manager where nil.
  public var launchPosition: Point?
  /// How large a new session's first window is, in pixels.
  public var launchSize = Size(width: 640, height: 480)

  /// A configuration that stands for another, or whose delegate is given by ``delegateClass``.
  /// - Parameters:
  ///   - name: The name; the first of its role where nil.
  ///   - sessionRole: The role of the sessions that it is for.
  public init(name: String?, sessionRole: SceneSession.Role) {
    self.name = name
    role = sessionRole
  }

  /// A configuration whose delegates are made by a function, most often an initialiser.
  /// - Parameters:
  ///   - name: The name; unique in the manifest.
  ///   - sessionRole: The role of the sessions that it is for.
  ///   - delegate: Makes a delegate for each connection.
  public convenience init(
    name: String?, sessionRole: SceneSession.Role = .windowApplication,
    delegate: @escaping @MainActor () -> any SceneDelegate
  ) {
    self.init(name: name, sessionRole: sessionRole)
    makeDelegate = { _ in delegate() }
  }

  /// A configuration whose delegates are made with their session.
  /// - Parameters:
  ///   - name: The name; unique in the manifest.
  ///   - sessionRole: The role of the sessions that it is for.
  ///   - delegate: Makes a delegate for each connection of the session that it gets.
  public convenience init(
    name: String?, sessionRole: SceneSession.Role = .windowApplication,
    delegate: @escaping @MainActor (SceneSession) -> any SceneDelegate
  ) {
    self.init(name: name, sessionRole: sessionRole)
    makeDelegate = delegate
  }

  /// Whether it says anything but which configuration it stands for.
  var isReference: Bool { makeDelegate == nil && delegateClass == nil && sceneClass == nil }

  /// An independent copy, so that changing the original does not reach a session.
  func copy() -> SceneConfiguration {
    let copy = SceneConfiguration(name: name, sessionRole: role)
    copy.sceneClass = sceneClass
    copy.delegateClass = delegateClass
    copy.makeDelegate = makeDelegate
    copy.closePolicy = closePolicy
    copy.restorePolicy = restorePolicy
    copy.activationPolicy = activationPolicy
    copy.treatsOcclusionAsHidden = treatsOcclusionAsHidden
    copy.launchPosition = launchPosition
    copy.launchSize = launchSize
    return copy
  }
}
