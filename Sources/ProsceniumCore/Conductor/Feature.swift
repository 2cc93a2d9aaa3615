import ProsceniumJSON
import ProsceniumTrace

/// One concern of the framework, in a folder of its own: see `docs/Architecture.md`, "A room and its door".
///
/// A feature owns its state, that of each scene too (``SceneState``). It answers events and moments with actions; it
/// changes nothing else by itself. The conductor performs the actions of one feature before it calls the next one.
@MainActor protocol Feature: FeatureBase {
  /// A message that the feature posts or sends to itself; `Never` where it has none.
  associatedtype Message: Equatable = Never

  /// The feature's state of each scene session; ``NoSceneState`` where it has none.
  associatedtype SceneState: SceneFeatureState = NoSceneState

  /// The properties that the feature adds to the manifest's file.
  static var manifestProperties: [ManifestProperty] { get }

  /// What the feature adds to the scene configurations of the manifest's file: for each key the function that stores
  /// its value, false where the value is invalid.
  static var configurationProperties: [String: @MainActor (JSONValue, SceneConfiguration) -> Bool] { get }

  /// Answers a message of its own: an item of the inbox, or one that was sent at once or by a deadline.
  func receive(_ message: Message) -> [FeatureAction]
}

/// What every feature begins with.
///
/// The conductor that it was made with, its application and its scenes, and the functions by which the conductor asks
/// it: each does nothing unless the feature overrides it, and names it (``Question``) in ``join(_:)``.
@MainActor class FeatureBase {
  unowned let conductor: Conductor

  /// Makes the feature with its application, before the launch.
  required init(_ conductor: Conductor) { self.conductor = conductor }

  var application: Application { conductor.application }
  var roster: Roster { conductor.roster }

  /// Adds the feature to the lists of those that are called: for the questions that it answers, in each turn of the
  /// loop, at edges of scenes, and at frequent moments.
  func join(_ lists: inout FeatureLists) {}

  /// An event of the kernel or the desktop environment has been posted to the inbox.
  func accepted(_ event: SystemEvent) {}

  /// Answers an event of the kernel or the desktop environment, before it is settled.
  func handle(_ event: SystemEvent) -> [FeatureAction] { [] }

  /// Answers a moment; that of a scene's edge, or a frequent one, only where ``join(_:)`` names it.
  func moment(_ moment: Moment) -> [FeatureAction] { [] }

  /// Adds to the options with which a session is about to connect.
  /// - Parameters:
  ///   - options: The options, which the scene's initialiser and its delegate get.
  ///   - record: The session.
  func complete(_ options: inout Scene.ConnectionOptions, of record: SceneRecord) {}

  /// Whether the feature conceals a scene: forces it into the background, regardless of its windows.
  func conceals(_ record: SceneRecord) -> Bool { false }

  /// Whether the feature keeps a visible scene from being active.
  func interrupts(_ record: SceneRecord) -> Bool { false }

  /// Whether the feature has work in progress for a scene, which is then not reclaimed.
  func keepsConnected(_ record: SceneRecord) -> Bool { false }

  /// Whether what the scene shows must not be on the disk as it is: its picture is not stored.
  func protects(_ record: SceneRecord) -> Bool { false }

  /// Whether the feature has work in progress for a scene, so that the program is not suspended.
  func keepsRunning(_ record: SceneRecord) -> Bool { false }

  /// Whether the feature has work in progress for the program, which is then not suspended.
  var keepsRunning: Bool { false }

  /// The feature's claim on the launch, with the stored sessions that are to show its content; nil for none.
  func claimLaunch(of sessions: [SceneRecord]) -> LaunchClaim? { nil }

  /// The content of the first scene of a launch that restores none; nil for none.
  func claimFirstScene() -> SceneContent? { nil }

  /// The feature's reason to hold a stored session back, as a sentence for the user; nil where it does not.
  func explainHold(of record: SceneRecord) -> String? { nil }

  /// The screen that a scene's primary window has to fill; nil where the program and the user place it.
  func assignedScreen(of record: SceneRecord) -> Screen? { nil }

  /// Whether the feature connects a stored session later, rather than at once.
  func defersRestoration(of record: SceneRecord) -> Bool { false }

  /// Whether the feature is about to open scenes by itself.
  var opensScenesLater: Bool { false }

  /// The launch options of a command line; nil where the feature does not parse it.
  func launchOptions(arguments: [String]) -> LaunchOptions? { nil }

  /// The number of URLs that the feature delivers with an edge.
  func deliveredURLs(with edge: SceneEdge, of record: SceneRecord) -> Int { 0 }

  /// Whether the program holds an execution mode, and is not suspended.
  var holdsExecution: Bool { false }

  /// Whether the feature does, at the program's request, what a mode is held for.
  func uses(_ mode: ExecutionMode) -> Bool { false }

  /// Whether the run has shown nothing: the next launch finds the end of the run before.
  var takesRunBack: Bool { false }

  /// Whether the feature has accepted a request that has to be handled before the program terminates.
  var delaysEnd: Bool { false }

  /// The treatment of an event that arrives while the program is suspended; nil where the feature does not decide it.
  func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? { nil }

  /// The merger of two missed events of one kind; nil where they cancel each other.
  func merged(_ earlier: SystemEvent, _ later: SystemEvent) -> SystemEvent? { later }

  /// Whether the feature has work that is less urgent than any answer.
  ///
  /// The moment ``LoopMoment/idle`` follows when the loop would sleep. Only those that observe that moment are asked.
  var hasIdleWork: Bool { false }
}

/// The functions of ``FeatureBase`` by which the conductor asks features, by their names; one for all of a name.
///
/// Only the features that name one in ``FeatureBase/join(_:)`` are asked; `Tests/lint` compares that with what they
/// override.
enum Question: Int, CaseIterable {
  case accepted, handle, whileSuspended
  case complete, deliveredURLs
  case conceals, interrupts, protects, keepsConnected, keepsRunning
  case launchOptions, claimLaunch, claimFirstScene, explainHold, assignedScreen, defersRestoration, opensScenesLater
  case holdsExecution, uses, takesRunBack, delaysEnd
}

/// The features that are called by the conductor's questions, in each turn of the loop, at edges of scenes and at
/// frequent moments, in the order of ``Features/all``.
///
/// These would cost several times as much if they called every feature; a feature adds itself
/// (``FeatureBase/join(_:)``), because a cast to a protocol searches all conformances of the program at its first use.
@MainActor struct FeatureLists {
  var byType = TypeTable<any Feature>()
  var facts: [any FactsObserver] = []
  var calls: [any CallObserver] = []
  var gates: [any EventGate] = []
  var claimants: [any InputClaimant] = []
  var interceptors: [any EventInterceptor] = []
  var preparers: [any ScenePreparer] = []
  private var questions = [[FeatureBase]](repeating: [], count: Question.allCases.count)
  private var events = WindowEventKind.allCases.map { _ in [any WindowEventHandler]() }
  private var loop = LoopMoment.allCases.map { _ in [any LoopObserver]() }
  private var frequent = [[any Feature]](repeating: [], count: FrequentMoment.allCases.count)
  private var before = SceneEdge.allCases.map { _ in [any Feature]() }
  private var after = SceneEdge.allCases.map { _ in [any Feature]() }

  /// The features that answer a question; inlined as those of a moment are.
  @inline(__always) func features(asked question: Question) -> [FeatureBase] { questions[question.rawValue] }

  /// Adds a feature to those that answer questions.
  mutating func answer(_ questions: Question..., by feature: FeatureBase) {
    for question in questions { self.questions[question.rawValue].append(feature) }
  }

  /// The features that answer an event of the window system.
  func handlers(of event: PlatformEvent) -> [any WindowEventHandler] { events[event.kind.rawValue] }

  /// Adds a feature to those that answer events of the window system.
  mutating func handle(_ kinds: WindowEventKind..., by feature: any WindowEventHandler) {
    for kind in kinds { events[kind.rawValue].append(feature) }
  }

  /// The features that observe a point of the turn.
  func observers(of moment: LoopMoment) -> [any LoopObserver] { loop[moment.rawValue] }

  /// The features that act before or after an edge, or at a frequent moment; nil for one that is announced to all.
  ///
  /// Inlined: a call copies all lists, 2,300 instructions at a change of the focus (Tests/Benchmarks/instructions).
  @inline(__always) func observers(of moment: Moment) -> [any Feature]? {
    switch moment {
    case .before(let edge, _): before[edge.index]
    case .after(let edge, _): after[edge.index]
    default: if let place = moment.frequent?.rawValue { frequent[place] } else { nil }
    }
  }

  /// Adds a feature to those that act at frequent moments.
  mutating func observe(moments: FrequentMoment..., by feature: any Feature) {
    for moment in moments { frequent[moment.rawValue].append(feature) }
  }

  /// Adds a feature to those that act before or after edges of scenes.
  mutating func observe(before: [SceneEdge] = [], after: [SceneEdge] = [], by feature: any Feature) {
    for edge in before { self.before[edge.index].append(feature) }
    for edge in after { self.after[edge.index].append(feature) }
  }

  /// Adds a feature to the observers of points of the turn.
  mutating func observe(_ moments: LoopMoment..., by feature: any LoopObserver) {
    for moment in moments { loop[moment.rawValue].append(feature) }
  }
}

extension SceneEdge {
  fileprivate var index: Int {
    switch self {
    case .sceneWillConnect: 0
    case .sceneWillEnterForeground: 1
    case .sceneDidBecomeActive: 2
    case .sceneWillResignActive: 3
    case .sceneDidEnterBackground: 4
    case .sceneDidDisconnect: 5
    }
  }
}

/// The kinds of the window system's events, by the features that answer them.
enum WindowEventKind: Int, CaseIterable {
  /// The levels, the geometry, the scale and the end of a window, the window manager, and the end of a grab of the
  /// pointer.
  case window
  /// The user's close of a window.
  case close
  /// Keys, the pointer and touches.
  case input
  /// The moments to draw.
  case drawing
  /// The screens, and the user's settings.
  case surroundings
  /// The screen saver, and a screen locker.
  case screenSaver
  /// What is dragged here, and over windows.
  case dragAndDrop
  /// The outcome of a request, and what lies between the events before a command and those after it.
  case outcome
  /// Signals, the session manager, and errors of the connection.
  case program
}

extension PlatformEvent {
  /// The kind of the event; a deadline is the conductor's own.
  fileprivate var kind: WindowEventKind {
    switch self {
    case .levels, .geometry, .scale, .destroyed, .windowManager, .pointerLost: .window
    case .closeRequested: .close
    case .input: .input
    case .exposed, .frame: .drawing
    case .screens, .screenMode, .settings: .surroundings
    case .screenSaver, .locker: .screenSaver
    case .drag, .drop: .dragAndDrop
    case .outcome, .mark: .outcome
    case .signal, .sessionSave, .sessionSaveCancelled, .sessionEnded, .connectionLost, .error, .fault, .deadline:
      .program
    }
  }
}

/// A feature that answers events of the window system.
@MainActor protocol WindowEventHandler: FeatureBase {
  /// Answers an event of the window system, before the batch is settled.
  func handle(_ event: PlatformEvent) -> [FeatureAction]
}

/// A feature that takes input in place of the windows that it happens to.
@MainActor protocol InputClaimant: FeatureBase {
  /// The answer to input that the feature takes; nil for input that its window gets.
  func claim(_ input: InputEvent) -> [FeatureAction]?
}

/// A feature that takes events on their way from the application to their window.
@MainActor protocol EventInterceptor: FeatureBase {
  /// Takes an event, now or until later, or leaves it to the features behind and to its window.
  /// - Returns: Whether it has taken it.
  func take(_ event: Event) -> Bool
  /// Forgets presses and touches that wait, of a window that gets no input from now on: their ends will not come.
  func withhold(_ window: Window)
}

extension EventInterceptor {
  func withhold(_ window: Window) {}
}

/// A feature that makes what scenes need before they connect.
@MainActor protocol ScenePreparer: FeatureBase {
  /// Makes what a session's scene needs before it connects.
  /// - Parameters:
  ///   - record: The session, whose scene is not joined to it yet.
  ///   - delegate: The scene's delegate; nil in the app-based model.
  /// - Throws: The reason why the scene cannot connect.
  func prepare(_ record: SceneRecord, _ delegate: AnyObject?) throws(SceneError)
}

/// A feature that acts in each turn of the loop.
@MainActor protocol LoopObserver: FeatureBase {
  /// Answers a point of the turn that it observes.
  func moment(_ moment: LoopMoment) -> [FeatureAction]
}

/// A feature that follows the facts of scenes.
@MainActor protocol FactsObserver: FeatureBase {
  /// The facts of these scenes have been observed; edges are walked next.
  func observed(_ records: [SceneRecord]) -> [FeatureAction]
}

/// A feature that keeps the program from running, suspended or not launched yet: it decides which events arrive
/// meanwhile.
@MainActor protocol EventGate: FeatureBase {
  /// Whether the feature keeps the program from running now.
  var suspendsProgram: Bool { get }

  /// Removes events of the window system from a batch that are not to be handled now.
  func admit(_ batch: [PlatformEvent]) -> [PlatformEvent]

  /// Whether an event of the kernel or the desktop environment is posted to the inbox: not while the program is
  /// suspended, unless it wakes it.
  func admit(_ event: SystemEvent) -> Bool
}

/// The treatment of an event that arrives while the program is suspended.
enum EventWhileSuspended: Equatable {
  /// The program runs again and handles it.
  case wakes
  /// Dropped: the program need not know.
  case dropped
  /// The feature handles it at once, without a call of the program.
  case handledAsleep
  /// It is handled when the program runs again, in the order of ranks; of each kind one, see ``Feature/merged(_:_:)``.
  case kept(kind: String, rank: Int)
  /// Cancels the earlier event of its kind, and itself.
  case takesBack(kind: String)
  /// The program ends at once, without a callback, after this line of the trace.
  case ends(TerminationCause, TraceRecord)
}

/// A feature's claim on the launch.
@MainActor struct LaunchClaim {
  /// The stored sessions that show the requested content.
  var sessions: [SceneRecord]
  /// Whether a new scene shows a part of it, too.
  var opensNew: Bool
}

/// The content that a scene is opened for.
@MainActor struct SceneContent: nonisolated Equatable {
  /// The content that decides which session shows it; nil where none is preferred.
  var target: String?
  /// Where on the desktop the user wants a new window, in pixels; nil for no place.
  var place: Point?
  var options = Scene.ConnectionOptions()
}

/// A feature's state of one scene session.
@MainActor class SceneFeatureState {
  required init() {}
}

/// The state of features that have none for scenes.
final class NoSceneState: SceneFeatureState {}

extension Feature {
  static var manifestProperties: [ManifestProperty] { [] }
  static var configurationProperties: [String: @MainActor (JSONValue, SceneConfiguration) -> Bool] { [:] }
  func receive(_ message: Message) -> [FeatureAction] { [] }

  /// The action that posts a message to the inbox.
  func post(_ message: Message) -> FeatureAction { .post(AnyMessage(Self.self, message)) }

  /// The action that sends the feature its own message at once.
  func send(_ message: Message) -> FeatureAction { .send(AnyMessage(Self.self, message)) }

  /// The action that starts a deadline, at whose end the feature receives its own message.
  func set(_ deadline: Deadline, after length: Duration, _ message: Message) -> FeatureAction {
    .set(deadline, after: length, AnyMessage(Self.self, message))
  }

  /// The feature's state of a scene session.
  func state(of record: SceneRecord) -> SceneState { record.state(of: Self.self) }

  /// The feature's state of a scene session; nil where it has not been asked for.
  func knownState(of record: SceneRecord) -> SceneState? { record.knownState(of: Self.self) }
}
