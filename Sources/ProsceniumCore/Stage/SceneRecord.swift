import FoundationEssentials
import ProsceniumLoop
import ProsceniumStore
import SceneLifecycle

/// What the framework keeps about one session, and about its scene while it is connected.
@MainActor final class SceneRecord {
  /// One of the scene's windows, as the platform speaks of it.
  ///
  /// A class, because copies of a weak reference cost more than all else at a change of focus.
  final class WindowState {
    private(set) weak var window: Window?
    var levels: WindowLevels
    /// Whether the platform has been asked to map it.
    var isShown: Bool
    var hasBeenShown: Bool

    init(window: Window, levels: WindowLevels = WindowLevels(), isShown: Bool = false) {
      self.window = window
      self.levels = levels
      self.isShown = isShown
      hasBeenShown = isShown
    }
  }

  /// The bare window that a disconnected session keeps.
  struct BareWindow {
    var id: WindowID
    var levels: WindowLevels
    var isShown: Bool
    var frame: Rect
    var machine = BareWindowMachine.State.resting
  }

  /// How and why the connection ends.
  struct Ending {
    var reason: DisconnectionReason
    var discards: Bool
  }

  /// The law's name for the scene; also the order of connection.
  let number: Int
  let session: SceneSession
  /// The stage; it owns the record, and outlives it.
  var stage: Stage? { owner }
  private unowned let owner: Stage
  /// The scene from the beginning of its connection to the end of its disconnection.
  var scene: Scene?
  /// Whether the program sees the scene among the connected ones.
  var isListed = false
  /// What the law says of the scene.
  var machine: SceneMachine.State { owner.law.scenes[number] }
  /// Where the scene stands on its walk: after each edge the state that the edge leads to.
  var activation = ActivationState.unattached {
    didSet {
      owner.census[oldValue.rank] -= 1
      owner.census[activation.rank] += 1
    }
  }
  var windows: [WindowID: WindowState] = [:]
  var primary: WindowID?
  var bare: BareWindow?
  var options = Scene.ConnectionOptions()
  var ending: Ending?
  /// Shown windows wait for an activation, because the scene was connected in the background.
  var connectsInBackground = false
  /// The connection answers a window that came into sight by itself: shown as it is, not activated.
  var keepsFocus = false
  var hasConnected = false
  /// What the user's close hid (`ClosePolicy.background`), for an activation to show again.
  var closedWindows: [Window] = []
  /// Whether the last delegate could refuse a close.
  var mayRefuseClose = false
  var isAskingToClose = false
  /// When the scene was last active: larger is later.
  var lastActive = 0
  var interruptions = 0
  // See Displays.
  /// What the program knows of what is around the scene.
  var surroundings: SceneSurroundings?
  /// The external display that the session is for, while it is there; and what it was called.
  var display: Screen?
  var displayName: String?
  /// Whether the user can use the scene: one of an external display is there to be looked at.
  var isInteractive: Bool { session.role != .windowExternalDisplayNonInteractive }
  /// What goes on only while the scene is active.
  var activeWork: [ActiveWork] = []
  /// Facts have changed since the last observation.
  var isDirty = false
  var holds: [Hold: DeadlineID] = [:]

  // What other programs ask of the scene; see Stage+Requests.
  /// What is handed to the scene when it comes to the foreground.
  var parcels: [Parcel] = []
  var parcelDeadline: DeadlineID?
  /// What the program was launched with and the session is to be brought back with.
  var launchParcel = Parcel()

  /// When the scene last entered the background, on the monotonic clock; nil while it is in the foreground.
  var backgroundSince: Double?

  // What is kept of the session; see Stage+Sessions.
  /// The record on disk, of a session that is there; decoded only when something of it is asked for.
  var stored: SessionStore.Record?
  /// Fields of the record that this version does not know.
  var unknown: [String: StoredValue] = [:]
  var placement: WindowPlacement?
  var presence = StoredSession.Presence.hidden
  /// The title that was stored, or that the last scene had, until the scene has one.
  var storedTitle: String?
  /// When the scene was last active, in seconds since 1970.
  var lastActiveTime = 0.0
  /// Something that is stored has changed since it was last saved, if only the time of its activity.
  var isChanged = false
  /// Something else than the time of its activity has.
  var isContentChanged = false
  /// What the delegate would answer has changed since it was last asked.
  var isStateChanged = false
  /// The item of the inbox during which the delegate was last asked for its state.
  var stateAskedIn = -1
  /// The journal says that the session is connecting.
  var isMarkedConnecting = false

  // Restoration that takes longer than a callback; see Stage+Restoration.
  var restorations = 0
  var restorationDeadline: DeadlineID?
  /// Whether the scene has come to the foreground since it was connected.
  var hasBeenInForeground = false
  var restorationTasks: [Task<Void, Never>] = []
  private var windowsMade = 0

  // What stands for the scene while it is not there; see Stage+Snapshots.
  /// How often something had to be drawn again when the picture was taken; nil before the first one.
  var snapshotChanges: Int?
  /// The picture that the program handed over then.
  weak var handedPicture: Picture?
  /// A picture may be on disk.
  var mayHaveSnapshot = false
  /// Its picture was asked for while its state was being brought back.
  var awaitsSnapshot = false

  init(number: Int, session: SceneSession, stage: Stage) {
    self.number = number
    self.session = session
    owner = stage
  }

  /// Why the session was not brought back at launch.
  var holdReason: SceneSession.HoldReason? {
    get { session.holdReason }
    set { session.holdReason = newValue }
  }

  /// What the primary window is called, or was when the scene last had one; nil if nobody ever said.
  var title: String? { primaryWindow?.title ?? scene?.title ?? storedTitle }

  var windowScene: WindowScene? { scene as? WindowScene }
  var primaryWindow: Window? { primary.flatMap { windows[$0]?.window } }
  var showsWindow: Bool { windows.values.contains { $0.isShown } }
  // Loops: asked at every event, and the actor of a closure is checked at each call.
  var isVisible: Bool {
    for window in windows.values where counts(window.levels) { return true }
    return false
  }
  var isFocused: Bool {
    guard isInteractive else { return false }
    for window in windows.values where window.levels.focused { return true }
    return false
  }
  var isGrabbed: Bool {
    guard isInteractive else { return false }
    for window in windows.values where window.levels.focused && window.levels.grabbed { return true }
    return false
  }
  /// Whether no window can come back by itself.
  var isWithdrawn: Bool {
    for window in windows.values where !window.levels.isWithdrawn && window.isShown { return false }
    return true
  }

  /// Whether a window with these levels makes its scene visible.
  func counts(_ levels: WindowLevels) -> Bool {
    levels.visible && !(session.configuration.treatsOcclusionAsHidden && levels.occluded)
  }

  func perform(_ command: PlatformCommand) { stage?.platform.perform(command) }

  func hasShown(_ window: Window) -> Bool { window.id.flatMap { windows[$0]?.hasBeenShown } ?? false }

  func titleChanged() {
    guard let window = primaryWindow, window.title == nil, let id = window.id else { return }
    perform(.setTitle(id, window.effectiveTitle))
  }

  func interrupt(by change: Int) {
    interruptions = max(0, interruptions + change)
    stage?.post(.interruption(self))
  }

  /// Gives a window its place: the bare window if one is kept, else a new one.
  func add(_ window: Window, to scene: WindowScene) -> WindowID? {
    guard let stage, self.scene === scene else { return nil }
    scene.windows.append(window)
    let description = describe(window, in: scene, isPrimary: primary == nil)
    if primary == nil, let bare {
      self.bare = nil
      stage.cancelBareHold(self)
      primary = bare.id
      windows[bare.id] = WindowState(window: window, levels: bare.levels, isShown: bare.isShown)
      window.knownFrame = bare.frame
      scene.effectiveGeometry = WindowScene.Geometry(frame: bare.frame)
      // Known from the beginning: nothing else may come that tells it.
      stage.noteSurroundings(of: self)
      stage.platform.perform(.adopt(bare.id, description))
      stage.platform.perform(.setLevel(bare.id, window.windowLevel))
      if let icon = window.icon { stage.platform.perform(.setIcon(bare.id, icon)) }
      if window.cursor != .arrow { stage.platform.perform(.setCursor(bare.id, window.cursor)) }
      stage.markDirty(self)
      return bare.id
    }
    let id = stage.platform.makeWindowID()
    windows[id] = WindowState(window: window)
    if primary == nil { primary = id }
    stage.owners[id] = self
    window.knownFrame = Rect(
      x: description.position?.x ?? 0, y: description.position?.y ?? 0, width: description.size.width,
      height: description.size.height)
    stage.platform.perform(.create(id, description))
    if id == primary, hasConnected, !connectsInBackground { stage.showSnapshot(of: self, in: id) }
    if window.windowLevel != 0 { stage.platform.perform(.setLevel(id, window.windowLevel)) }
    if let icon = window.icon { stage.platform.perform(.setIcon(id, icon)) }
    if window.cursor != .arrow { stage.platform.perform(.setCursor(id, window.cursor)) }
    return id
  }

  private func describe(_ window: Window, in scene: WindowScene, isPrimary: Bool) -> WindowDescription {
    var description = WindowDescription()
    windowsMade += 1
    description.role = session.persistentIdentifier + (isPrimary ? "" : "/\(windowsMade)")
    description.title = window.title ?? scene.title ?? stage?.identity.id ?? Application.programName
    if isPrimary {
      description.size = session.configuration.launchSize
      description.placement = stage?.placement(of: self)
    }
    description.position = isPrimary ? session.configuration.launchPosition : nil
    // Where the window of an external display is is not its program's to say.
    if let frame = window.launchFrame, display == nil || !isPrimary {
      description.position = frame.origin
      description.size = frame.size
    }
    description.minimumSize = window.minimumSize
    description.maximumSize = window.maximumSize
    description.background = window.backgroundColor
    description.isTransparent = !window.isOpaque
    description.isInteractive = isInteractive
    description.transientFor = isPrimary ? nil : primary
    return description
  }

  /// Takes a window away for good.
  func remove(_ window: Window, from scene: WindowScene) {
    guard let id = window.id else { return }
    scene.windows.removeAll { $0 === window }
    if scene.keyWindow === window { scene.keyWindow = nil }
    drop(id)
    perform(.destroy(id))
    stage?.markDirty(self)
    // What is settled at the end of each item: the window system says nothing of a window that we destroy.
    stage?.post(.factsChanged)
  }

  /// Forgets a window that is gone or is going.
  func drop(_ id: WindowID) {
    if let state = windows.removeValue(forKey: id) { stage?.traceDestroyed(id, state.levels, self) }
    stage?.owners[id] = nil
    if primary == id { primary = windowScene?.windows.first { $0.id != nil && $0.id != id }?.id }
  }
}
