/// The framework's state of one scene session, and of its scene while it is connected.
///
/// State that one feature needs is that feature's own (``state(of:)``).
@MainActor final class SceneRecord {
  /// The connection of the scene.
  @MainActor struct Connection {
    /// The options of the connection; empty once the delegate has them.
    var options = Scene.ConnectionOptions()
    /// The ending of the connection, once it is to end.
    var ending: SceneEnding?
    /// Where on the desktop the user wants the primary window, in pixels, below the middle of its title.
    var place: Point?
    /// Shown windows wait for an activation, because the scene was connected in the background.
    var isInBackground = false
    /// The connection follows a window that became visible by itself: shown as it is, not activated.
    var keepsFocus = false
    /// Whether the scene has entered the foreground since it was connected.
    var hasBeenInForeground = false
  }

  /// The scene's number in the application machine; also the order of connection.
  let number: SceneNumber
  let session: SceneSession
  /// Whether the user can use the scene: a scene on an external display is not interactive.
  let isInteractive: Bool
  /// The conductor; nil once the program has ended: its tasks may still hold the record.
  private(set) weak var conductor: Conductor?
  /// The scene from the beginning of its connection to the end of its disconnection.
  var scene: Scene?
  /// Whether the scene is one of the program's connected ones.
  var isListed = false
  /// The state of the scene on its walk: after each edge the edge's target.
  var activation = ActivationState.unattached {
    didSet { if (oldValue > .background) != (activation > .background) { conductor?.roster.moved(to: activation) } }
  }
  var windows = SceneWindows()
  var connection = Connection()
  /// Whether the session has been connected before, in this run or an earlier one.
  var hasConnected = false
  /// Whether the last delegate could refuse a close.
  var mayRefuseClose = false
  /// Facts have changed since the last observation.
  var isDirty = false
  /// The order of the scene's last activity: larger is later.
  var lastActive = 0
  private var featureStates = TypeTable<SceneFeatureState>()

  init(number: SceneNumber, session: SceneSession, conductor: Conductor) {
    self.number = number
    self.session = session
    isInteractive = session.role.isInteractive
    self.conductor = conductor
    session.onChange = { [unowned session] in session.record?.sessionChanged() }
  }

  /// The scene's state in the application machine.
  var machine: SceneMachine.State { conductor?.machine.scenes[number] ?? SceneMachine.State() }

  /// The ending of the connection, once it is to end.
  var ending: SceneEnding? { connection.ending }

  /// Whether there is a scene, and its connection is not to end.
  var isAttached: Bool { scene != nil && ending == nil }

  /// A feature's state of the session.
  func state<Room: Feature>(of feature: Room.Type) -> Room.SceneState {
    if let state = knownState(of: feature) { return state }
    let state = Room.SceneState()
    featureStates[feature] = state
    return state
  }

  /// A feature's state of the session; nil where it has not been asked for: most of it is never used.
  func knownState<Room: Feature>(of feature: Room.Type) -> Room.SceneState? {
    featureStates[feature] as? Room.SceneState
  }

  /// The session's permanent identifier, also in the trace.
  var identifier: String { session.persistentIdentifier }

  var windowScene: WindowScene? { scene as? WindowScene }
  var primaryWindow: Window? { windows.primary.flatMap { windows[$0]?.window } }

  /// The title of the primary window, unless that is adopted; nil while the program has set neither it nor the scene's.
  var title: String? { primaryWindow.flatMap { $0.isAdopted ? nil : $0.title } ?? scene?.title }

  func perform(_ command: PlatformCommand) {
    assertMainThread()
    conductor?.platform.perform(command)
  }
}

extension SceneRecord: nonisolated Equatable {
  nonisolated static func == (left: SceneRecord, right: SceneRecord) -> Bool { left === right }
}

extension SceneRecord: CustomStringConvertible { nonisolated var description: String { "scene \(number)" } }
