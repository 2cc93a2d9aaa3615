/// The configuration of a session's scenes: a name, a role, a delegate, and policies.
///
/// A configuration without a delegate, a scene class and an interface file stands for the one of its name in
/// ``ApplicationManifest/sceneConfigurations``; without a name, for the first of its role there. The policies and the
/// launch geometry that differ from their defaults count for the session instead of those of that one, until the
/// program ends: of a session's configuration its name is stored, and nothing else. The restore policy therefore has to
/// be in the manifest.
@preconcurrency @MainActor public final class SceneConfiguration {
  /// The effect of the user's closing the scene's window.
  public enum ClosePolicy: Hashable, Sendable, CaseIterable {
    /// The session is discarded.
    case discard
    /// The window is withdrawn, and the scene enters the background; an activation shows it again.
    case background
  }

  /// Whether a session that was open when the last run ended is restored.
  public enum RestorePolicy: Hashable, Sendable, CaseIterable {
    /// After any end of the last run.
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
  public var sceneClass: Scene.Type? { didSet { assertMainThread() } }
  /// The class of the delegates, where no factory was given: a ``Responder`` subclass with an `init()`, or a class that
  /// conforms to ``DelegateInitializable``.
  public var delegateClass: AnyClass? { didSet { assertMainThread() } }
  /// Makes a delegate for each connection.
  public var makeDelegate: (@MainActor (SceneSession) -> any SceneDelegate)? { didSet { assertMainThread() } }
  /// The effect of the user's closing the scene's window; `.discard` by default.
  public var closePolicy = ClosePolicy.discard { didSet { assertMainThread() } }
  /// Whether a session that was open when the last run ended is restored; `.always` by default.
  ///
  /// A session that is not restored is discarded, and reported at launch through `didDiscardSceneSessions`.
  public var restorePolicy = RestorePolicy.always { didSet { assertMainThread() } }
  /// When a visible scene is active; `.whenFocused` by default.
  public var activationPolicy = ActivationPolicy.whenFocused { didSet { assertMainThread() } }
  /// Whether a scene that is fully covered by other windows counts as not visible; false by default.
  ///
  /// On X11 no compositing window manager reports that a window is covered.
  public var treatsOcclusionAsHidden = false { didSet { assertMainThread() } }
  /// The position of a new session's first window, in points; chosen by the window manager where nil.
  public var launchPosition: Point? { didSet { assertMainThread() } }
  /// The size of a new session's first window, in points.
  ///
  /// ``ApplicationManifest/launchOrientation`` may swap its sides.
  public var launchSize = Size(width: 640, height: 480) { didSet { assertMainThread() } }

  /// The values of features.
  var values = FeatureValues()

  /// Makes a configuration that stands for another, or whose delegate is made from ``delegateClass``.
  /// - Parameters:
  ///   - name: The name; the first of its role where nil.
  ///   - sessionRole: The role of the sessions that it is for.
  public init(name: String?, sessionRole: SceneSession.Role) {
    self.name = name
    role = sessionRole
  }

  /// Makes a configuration whose delegates are made by a function, most often an initialiser.
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

  /// Makes a configuration whose delegates are made with their session.
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

  /// Whether it stands for another configuration, of which it may change policies and the launch geometry.
  var isReference: Bool {
    makeDelegate == nil && delegateClass == nil && sceneClass == nil && values == FeatureValues()
  }

  /// Takes over the policies and the launch geometry that a reference to the configuration has changed.
  func takeChanges(of reference: SceneConfiguration) {
    let plain = SceneConfiguration(name: nil, sessionRole: role)
    func take<Value: Equatable>(_ path: ReferenceWritableKeyPath<SceneConfiguration, Value>) {
      if reference[keyPath: path] != plain[keyPath: path] { self[keyPath: path] = reference[keyPath: path] }
    }
    take(\.closePolicy)
    take(\.restorePolicy)
    take(\.activationPolicy)
    take(\.treatsOcclusionAsHidden)
    take(\.launchPosition)
    take(\.launchSize)
  }

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
    copy.values = values
    return copy
  }
}
