import FoundationEssentials
import SceneLifecycle

/// What the framework keeps about one scene session, and about its scene while it is connected.
///
/// What only one feature needs is that feature's own (``state(of:)``).
@MainActor final class SceneRecord {
  /// How the scene is connected.
  @MainActor struct Connection {
    /// What the scene connects with; empty once its delegate knows.
    var options = Scene.ConnectionOptions()
    /// How the connection ends, once it is to end.
    var ending: SceneEnding?
    /// Shown windows wait for an activation, because the scene was connected in the background.
    var isInBackground = false
    /// The connection answers a window that came into sight by itself: shown as it is, not activated.
    var keepsFocus = false
    /// Whether the scene has come to the foreground since it was connected.
    var hasBeenInForeground = false
  }

  /// The law's name for the scene; also the order of connection.
  let number: SceneNumber
  let session: SceneSession
  /// The conductor; nil once the program is gone: work of its may still hold the record.
  private(set) weak var conductor: Conductor?
  /// The scene from the beginning of its connection to the end of its disconnection.
  var scene: Scene?
  /// Whether the program sees the scene among the connected ones.
  var isListed = false
  /// Where the scene stands on its walk: after each edge the state that the edge leads to.
  var activation = ActivationState.unattached {
    didSet { conductor?.roster.moved(from: oldValue, to: activation) }
  }
  var windows = SceneWindows()
  var connection = Connection()
  /// Whether the session has been connected before, in this run or an earlier one.
  var hasConnected = false
  /// Whether the last delegate could refuse a close.
  var mayRefuseClose = false
  /// The screen that the primary window has to fill; nil where the program and the user say where it is.
  var assignedScreen: Screen?
  /// Facts have changed since the last observation.
  var isDirty = false
  /// When the scene was last active: larger is later.
  var lastActive = 0
  private var featureStates: [ObjectIdentifier: SceneFeatureState] = [:]

  init(number: SceneNumber, session: SceneSession, conductor: Conductor) {
    self.number = number
    self.session = session
    self.conductor = conductor
  }

  /// What the law says of the scene.
  var machine: SceneMachine.State { conductor?.law.scenes[number] ?? SceneMachine.State() }

  /// How the connection ends, once it is to end.
  var ending: SceneEnding? { connection.ending }

  /// What a feature keeps of the session.
  func state<Room: Feature>(of feature: Room.Type) -> Room.SceneState {
    if let state = featureStates[ObjectIdentifier(feature)] as? Room.SceneState { return state }
    let state = Room.SceneState()
    featureStates[ObjectIdentifier(feature)] = state
    return state
  }

  /// Names the session for good, in the trace too.
  var identifier: String { session.persistentIdentifier }

  var windowScene: WindowScene? { scene as? WindowScene }
  var primaryWindow: Window? { windows.primary.flatMap { windows[$0]?.window } }

  /// Whether the user can use the scene: a scene on an external display is there to be looked at.
  var isInteractive: Bool { session.role.isInteractive }

  /// What the primary window is called; nil while the program has named neither it nor the scene.
  var title: String? { primaryWindow?.title ?? scene?.title }

  // Loops: asked at every event, and the actor of a closure is checked at each call.
  var isVisible: Bool {
    for window in windows.states where counts(window.levels) { return true }
    return false
  }
  var isFocused: Bool {
    guard isInteractive else { return false }
    for window in windows.states where window.levels.focused { return true }
    return false
  }
  var isGrabbed: Bool {
    guard isInteractive else { return false }
    for window in windows.states where window.levels.focused && window.levels.grabbed { return true }
    return false
  }

  /// Whether a window with these levels makes its scene visible.
  func counts(_ levels: WindowLevels) -> Bool {
    levels.visible && !(session.configuration.treatsOcclusionAsHidden && levels.occluded)
  }

  /// What the law observes at the end of a batch.
  var facts: ApplicationMachine.Facts {
    ApplicationMachine.Facts(
      number, visible: isVisible, focused: isFocused, grabbed: isGrabbed, isWithdrawn: windows.areWithdrawn)
  }

  func perform(_ command: PlatformCommand) { conductor?.platform.perform(command) }
}

extension SceneRecord: nonisolated Equatable {
  nonisolated static func == (left: SceneRecord, right: SceneRecord) -> Bool { left === right }
}

extension SceneRecord: CustomStringConvertible {
  nonisolated var description: String { "scene \(number)" }
}
