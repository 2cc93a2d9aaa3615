import ProsceniumTrace
import SceneLifecycle

/// One concern of the framework, in a folder of its own: see `docs/Architecture.md`, "A room and its door".
///
/// A feature owns its state, that of each scene too (``SceneState``). It answers events and moments with actions; it
/// changes nothing else by itself. The conductor performs the actions of one feature before it tells the next one. All
/// functions have defaults that answer nothing.
@MainActor protocol Feature: AnyObject {
  /// What the feature leaves in the inbox for itself; `Never` where it leaves nothing.
  associatedtype Message: Equatable = Never

  /// What the feature keeps of each scene session; ``NoSceneState`` where it keeps nothing.
  associatedtype SceneState: SceneFeatureState = NoSceneState

  /// The properties that the feature adds to the manifest's file.
  static var manifestProperties: [ManifestProperty] { get }

  /// Makes the feature with its application, before the launch.
  init(_ conductor: Conductor)

  /// Takes events of the window system out of a batch that is not to be handled now: the program is suspended.
  func admit(_ batch: [PlatformEvent]) -> [PlatformEvent]

  /// Whether an event of the kernel or the desktop environment is put into the inbox: not while the program is suspended,
  /// unless it wakes it.
  func admit(_ event: SystemEvent) -> Bool

  /// An event of the kernel or the desktop environment has been put into the inbox.
  func accepted(_ event: SystemEvent)

  /// Answers an event of the window system, before the batch is settled.
  func handle(_ event: PlatformEvent) -> [FeatureAction]

  /// Answers an event of the kernel or the desktop environment, before it is settled.
  func handle(_ event: SystemEvent) -> [FeatureAction]

  /// Answers a moment.
  func moment(_ moment: Moment) -> [FeatureAction]

  /// Answers a message of its own: an item of the inbox, or one that was sent at once.
  func receive(_ message: Message) -> [FeatureAction]

  /// Answers the end of a deadline, before it is settled; asked of every feature.
  func reached(_ deadline: Deadline) -> [FeatureAction]

  /// Adds to the options with which a session is about to connect.
  /// - Parameters:
  ///   - options: The options, which the scene's initialiser and its delegate get.
  ///   - record: The session.
  func complete(_ options: inout Scene.ConnectionOptions, of record: SceneRecord)

  /// Whether the feature forces a scene into the background, whatever its windows say.
  func conceals(_ record: SceneRecord) -> Bool

  /// Whether the feature keeps a visible scene from being active.
  func interrupts(_ record: SceneRecord) -> Bool

  /// Whether the feature has something under way for a scene, which is then not reclaimed.
  func keepsConnected(_ record: SceneRecord) -> Bool

  /// Whether the feature has something under way for a scene, so that the program is not suspended.
  func keepsRunning(_ record: SceneRecord) -> Bool

  /// Whether the feature has something under way for the program, which is then not suspended.
  var keepsRunning: Bool { get }

  /// What the feature was asked for by the launch, and which of these stored sessions are to show it; nil where nothing.
  func claimLaunch(of sessions: [SceneRecord]) -> LaunchClaim?

  /// What the first scene of a launch is for that brings nothing back; nil where nothing was asked for.
  func claimFirstScene() -> SceneContent?

  /// Why the feature holds a stored session back, as a sentence for the user; nil where it does not.
  func explainHold(of record: SceneRecord) -> String?

  /// Whether a stored session is connected by the feature, later, rather than at once.
  func defersRestoration(of record: SceneRecord) -> Bool

  /// Whether the feature is going to open scenes by itself.
  var opensScenesLater: Bool { get }

  /// The launch options that a command line asks for; nil where they are not the feature's to say.
  func launchOptions(arguments: [String]) -> LaunchOptions?

  /// How many URLs the feature delivers with an edge.
  func deliveredURLs(with edge: SceneEdge, of record: SceneRecord) -> Int

  /// Whether the feature has accepted something that has to be done before the program ends.
  var delaysEnd: Bool { get }

  /// What an event means that comes while the program is suspended; nil where it is not the feature's to say.
  func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended?

  /// What is traced of an event that ends the suspended program.
  func tracesEnd(by event: SystemEvent) -> [FeatureAction]

  /// What is kept of two events of one kind that came while the program was suspended; nil where they cancel each other.
  func merged(_ earlier: SystemEvent, _ later: SystemEvent) -> SystemEvent?

  /// Whether the feature keeps the program from running now.
  var suspendsProgram: Bool { get }

  /// Whether there is something to do that no answer should wait for: the moment ``Moment/idle`` follows when the loop
  /// would sleep.
  var hasIdleWork: Bool { get }
}

/// What becomes of an event that comes while the program is suspended.
enum EventWhileSuspended: Equatable {
  /// The program runs again and handles it.
  case wakes
  /// Nothing: the program need not know.
  case dropped
  /// The feature handles it at once: nothing of the program is called for it.
  case handledAsleep
  /// It is handled when the program runs again, in the order of ranks; of each kind one, see ``Feature/merged(_:_:)``.
  case kept(kind: String, rank: Int)
  /// The earlier one of its kind is taken back with it.
  case takesBack(kind: String)
  /// The program ends at once, without a callback.
  case ends(TerminationCause)
}

/// What a launch was asked for.
@MainActor struct LaunchClaim {
  /// The stored sessions that show what was asked for.
  var sessions: [SceneRecord]
  /// Whether a new scene shows something of it, too.
  var opensNew: Bool
}

/// What a scene is opened for.
@MainActor struct SceneContent: nonisolated Equatable {
  /// The content that decides which session shows it; nil where none is better than another.
  var target: String?
  var options = Scene.ConnectionOptions()
}

/// What a feature keeps of one scene session.
@MainActor class SceneFeatureState {
  required init() {}
}

/// For features that keep nothing of scenes.
final class NoSceneState: SceneFeatureState {}

extension Feature {
  static var manifestProperties: [ManifestProperty] { [] }
  func admit(_ batch: [PlatformEvent]) -> [PlatformEvent] { batch }
  func admit(_ event: SystemEvent) -> Bool { true }
  func accepted(_ event: SystemEvent) {}
  func handle(_ event: PlatformEvent) -> [FeatureAction] { [] }
  func handle(_ event: SystemEvent) -> [FeatureAction] { [] }
  func moment(_ moment: Moment) -> [FeatureAction] { [] }
  func receive(_ message: Message) -> [FeatureAction] { [] }
  func reached(_ deadline: Deadline) -> [FeatureAction] { [] }
  func complete(_ options: inout Scene.ConnectionOptions, of record: SceneRecord) {}
  func conceals(_ record: SceneRecord) -> Bool { false }
  func interrupts(_ record: SceneRecord) -> Bool { false }
  func keepsConnected(_ record: SceneRecord) -> Bool { false }
  func keepsRunning(_ record: SceneRecord) -> Bool { false }
  var keepsRunning: Bool { false }
  func claimLaunch(of sessions: [SceneRecord]) -> LaunchClaim? { nil }
  func claimFirstScene() -> SceneContent? { nil }
  func explainHold(of record: SceneRecord) -> String? { nil }
  func defersRestoration(of record: SceneRecord) -> Bool { false }
  var opensScenesLater: Bool { false }
  func launchOptions(arguments: [String]) -> LaunchOptions? { nil }
  func deliveredURLs(with edge: SceneEdge, of record: SceneRecord) -> Int { 0 }
  var delaysEnd: Bool { false }
  func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? { nil }
  func tracesEnd(by event: SystemEvent) -> [FeatureAction] { [] }
  func merged(_ earlier: SystemEvent, _ later: SystemEvent) -> SystemEvent? { later }
  var suspendsProgram: Bool { false }
  var hasIdleWork: Bool { false }

  /// The action that puts a message into the inbox.
  func post(_ message: Message) -> FeatureAction { .post(AnyMessage(Self.self, message)) }

  /// The action that hands the feature its own message at once.
  func send(_ message: Message) -> FeatureAction { .send(AnyMessage(Self.self, message)) }

  /// What the feature keeps of a scene session.
  func state(of record: SceneRecord) -> SceneState { record.state(of: Self.self) }
}
