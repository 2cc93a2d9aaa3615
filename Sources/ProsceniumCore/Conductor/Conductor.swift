package import ProsceniumLoop
package import ProsceniumPlatform
import ProsceniumStore
import ProsceniumTrace
import SceneLifecycle

/// The shell round the law: takes one item of the inbox at a time, lets the law decide, dispatches the edges, and tells the
/// features.
///
/// One way through. What a callback asks for is put into the inbox, and handled when the callback has returned; nothing
/// is handled within something else.
@MainActor package final class Conductor {
  /// What waits in the inbox.
  private enum Item {
    /// All events of one drain of the window system.
    case batch([PlatformEvent])
    /// An event of the kernel or the desktop environment.
    case system(SystemEvent)
    /// A message for one feature.
    case message(AnyMessage)
    /// Nothing but a settling: facts have changed outside of an item.
    case settling
  }

  package let platform: any Platform
  unowned let application: Application
  let trace: TraceRecorder
  let roster = Roster()
  /// The law of the program and of all its scenes.
  private(set) var law = ApplicationMachine.State()
  /// Who the program is, once it is being launched.
  package var identity = ApplicationIdentity(id: "", instance: "")
  /// The number of the item that is being handled.
  private(set) var item = 0

  private var rooms = (ordered: [any Feature](), byType: [ObjectIdentifier: any Feature]())
  private var inbox = Inbox<Item>()
  private var deadlines = DeadlineTable()
  /// What waits for the settling of the item that is being taken; nil while none is.
  private var waiting: [FeatureAction]?
  private var isWalking = false
  /// The program is ended without another callback: the inbox is closed for good.
  private var isClosed = false
  /// Whether there is a window manager whose word about windows can be believed.
  var windowManager = WindowManagerState.settled

  init(application: Application, platform: any Platform, trace: TraceRecorder) {
    self.application = application
    self.platform = platform
    self.trace = trace
    for type in Features.all {
      let feature = type.init(self)
      rooms.ordered.append(feature)
      rooms.byType[ObjectIdentifier(type)] = feature
    }
    platform.client = self
  }

  // MARK: Features

  private var features: [any Feature] { rooms.ordered }

  /// A feature of the program; nil where it is not in the list.
  func feature<Room: Feature>(_ room: Room.Type) -> Room? { rooms.byType[ObjectIdentifier(room)] as? Room }

  /// The features that are told when a call of the program begins and ends.
  private(set) lazy var callObservers = features.compactMap { $0 as? any CallObserver }

  /// Tells every feature of a moment.
  func tell(_ moment: Moment) { for feature in features { perform(feature.moment(moment)) } }

  /// Whether a scene belongs in the background, whatever its windows say.
  func conceals(_ record: SceneRecord) -> Bool { law.isEnding || features.contains { $0.conceals(record) } }

  /// Whether a feature keeps a visible scene from being active.
  func interrupts(_ record: SceneRecord) -> Bool { features.contains { $0.interrupts(record) } }

  /// Whether a feature keeps a scene from being reclaimed.
  func keepsConnected(_ record: SceneRecord) -> Bool { features.contains { $0.keepsConnected(record) } }

  /// Whether a feature keeps the program from being suspended, for one of its scene sessions or by itself.
  var keepsRunning: Bool {
    features.contains { feature in feature.keepsRunning || roster.contains { feature.keepsRunning($0) } }
  }

  /// Whether a feature has accepted something that has to be done before the program ends.
  var delaysEnd: Bool { features.contains(where: \.delaysEnd) }

  /// What an event means that comes while the program is suspended, and the feature that says so.
  func whileSuspended(_ event: SystemEvent) -> (answer: EventWhileSuspended, feature: (any Feature)?) {
    for feature in features { if let answer = feature.whileSuspended(event) { return (answer, feature) } }
    return (.wakes, nil)
  }

  /// What the launch was asked for, where a feature was asked.
  func claimLaunch(of sessions: [SceneRecord]) -> LaunchClaim? {
    for feature in features { if let claim = feature.claimLaunch(of: sessions) { return claim } }
    return nil
  }

  /// What the first scene of a launch is for that brings nothing back.
  func claimFirstScene() -> SceneContent {
    for feature in features { if let content = feature.claimFirstScene() { return content } }
    return SceneContent()
  }

  /// Why a feature holds a session back, as a sentence; nil where it is not a feature's reason.
  func explainHold(of record: SceneRecord) -> String? {
    for feature in features { if let text = feature.explainHold(of: record) { return text } }
    return nil
  }

  /// Whether a feature connects a stored session later.
  func defersRestoration(of record: SceneRecord) -> Bool { features.contains { $0.defersRestoration(of: record) } }

  /// Whether a feature is going to open scenes by itself.
  var opensScenesLater: Bool { features.contains(where: \.opensScenesLater) }

  /// The launch options that a command line asks for.
  func launchOptions(arguments: [String]) -> LaunchOptions {
    for feature in features { if let options = feature.launchOptions(arguments: arguments) { return options } }
    return LaunchOptions(isBackground: arguments.prefix { $0 != "--" }.contains("--background"))
  }

  /// How many URLs features deliver with an edge.
  func deliveredURLs(with edge: SceneEdge, of record: SceneRecord) -> Int {
    features.reduce(0) { $0 + $1.deliveredURLs(with: edge, of: record) }
  }

  /// The options with which a session is about to connect, with what features add.
  func complete(_ options: Scene.ConnectionOptions, of record: SceneRecord) -> Scene.ConnectionOptions {
    var options = options
    for feature in features { feature.complete(&options, of: record) }
    return options
  }

  // MARK: The inbox

  /// Whether nothing waits, nothing is being handled, and no facts have changed.
  var isIdle: Bool { inbox.isIdle && !roster.isDirty }

  /// Whether nothing waits in the inbox, and nothing is being handled.
  var isInboxIdle: Bool { inbox.isIdle }

  /// Puts a message into the inbox of its feature; it is handled at the latest before the loop sleeps again.
  func post<Room: Feature>(_ room: Room.Type, _ message: Room.Message) { post(AnyMessage(room, message)) }

  func post(_ message: AnyMessage) { inbox.post(.message(message)) }

  /// Puts messages before all that wait.
  func postFirst(_ messages: [AnyMessage]) { inbox.postFirst(messages.map { .message($0) }) }

  /// Settles with the next item, though nothing else happens in it.
  func settleLater() { inbox.post(.settling) }

  /// Performs actions when the item that is being handled has been settled, else now.
  func performAfterSettling(_ actions: [FeatureAction]) {
    if waiting == nil { perform(actions) } else { waiting?.append(contentsOf: actions) }
  }

  /// Handles no more items: a suspended program has been told to end.
  func close() { isClosed = true }

  /// Handles what waits, until nothing is left; does nothing while an item is being handled.
  private func drain() {
    while !isClosed, let item = inbox.next() {
      handle(item)
      inbox.done()
      tell(.betweenItems)
    }
  }

  /// One item, settled and dispatched to its end.
  private func handle(_ item: Item) {
    self.item += 1
    waiting = []
    switch item {
    // What is said of scenes refers to screens that are known.
    case .batch(let events):
      for event in events where event.isAboutScreens { take(event) }
      for event in events where !event.isAboutScreens { take(event) }
    case .system(let event): take(event)
    case .message(let message): perform(message.deliver(in: self))
    case .settling: break
    }
    settle()
    tell(.settled)
    let calls = waiting ?? []
    waiting = nil
    perform(calls)
    tell(.handled)
    if roster.isDirty { inbox.post(.settling) }
  }

  /// Handles an event as part of the item that is being handled.
  func take(_ event: PlatformEvent) {
    if case .deadline(let id) = event { return reached(id) }
    for feature in features { perform(feature.handle(event)) }
  }

  func take(_ event: SystemEvent) { for feature in features { perform(feature.handle(event)) } }

  // MARK: Deadlines

  /// Starts a deadline; one of the same name is replaced.
  func set(_ deadline: Deadline, after length: Duration) {
    let (id, old) = deadlines.add(.named(deadline))
    if let old { platform.perform(.cancelDeadline(old)) }
    platform.perform(.setDeadline(id, milliseconds: length.milliseconds))
  }

  func cancel(_ deadline: Deadline) {
    if let id = deadlines.remove(deadline) { platform.perform(.cancelDeadline(id)) }
  }

  /// Whether a deadline runs.
  func isSet(_ deadline: Deadline) -> Bool { deadlines.contains(deadline) }

  /// How many deadlines run.
  package var pendingDeadlines: Int { deadlines.running }

  private func reached(_ id: DeadlineID) {
    switch deadlines.remove(id) {
    case .named(let deadline)?: for feature in features { perform(feature.reached(deadline)) }
    case .call(let call)?: performAfterSettling([.runSource(call)])
    case nil: break
    }
  }

  // MARK: The law

  /// Gives one input to the law, and performs its effects in order.
  func reduce(_ input: ApplicationMachine.Input) {
    let effects = ApplicationMachine.reduce(&law, input)
    guard !effects.isEmpty else { return }
    let dispatcher = Dispatcher(self)
    for effect in effects { dispatcher.perform(effect) }
  }

  /// When a visible scene is active.
  func setPolicy(_ policy: ActivationPolicy, of record: SceneRecord) { law.scenes[record.number].policy = policy }

  /// Which life-cycle model is in force; before the launch.
  func setModel(_ model: LifecycleModel) { law.model = model }

  /// The law knows nothing of a scene any more.
  func forgetScene(_ record: SceneRecord) { law.scenes.remove(record.number) }

  /// Observes what changed, and walks every scene to where it belongs; does nothing within a walk.
  func settle() {
    guard !isWalking, roster.isDirty || !law.scenes.pending.isEmpty else { return }
    isWalking = true
    defer { isWalking = false }
    let changed = roster.takeDirty()
    var facts: [ApplicationMachine.Facts] = []
    for record in changed where record.scene != nil { facts.append(record.facts) }
    reduce(.observe(facts, changing: windowManager != .settled))
    tell(.observed(changed))
    reduce(.settle)
  }
}

/// The loop's side.
extension Conductor: PlatformClient {
  package func handle(_ batch: [PlatformEvent]) {
    let batch = features.reduce(batch) { $1.admit($0) }
    if !batch.isEmpty { inbox.post(.batch(batch)) }
    turn()
    tell(.batchHandled)
  }

  package func turn() {
    tell(.turnBegan)
    drain()
    tell(.turnEnded)
    platform.flush()
    tell(.resting)
  }

  package var hasIdleWork: Bool { features.contains(where: \.hasIdleWork) }

  package func performIdleWork() { tell(.idle) }
}

/// The sources' side.
extension Conductor: SystemHost {
  package var applicationIdentifier: String { identity.id }
  package var now: Double { platform.now }

  package func watch(_ source: LoopSource) -> LoopSourceID { platform.watch(source) }
  package func unwatch(_ id: LoopSourceID) { platform.unwatch(id) }

  package func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID {
    let (id, _) = deadlines.add(.call(SourceCall(body: action)))
    platform.perform(.setDeadline(id, milliseconds: milliseconds))
    return id
  }

  package func cancel(_ id: DeadlineID) {
    _ = deadlines.remove(id)
    platform.perform(.cancelDeadline(id))
  }

  package func post(_ event: SystemEvent) {
    guard features.allSatisfy({ $0.admit(event) }) else { return }
    inbox.post(.system(event))
    for feature in features { feature.accepted(event) }
  }

  /// Whether nothing of the program runs now, and no deadline passes.
  package var isSuspended: Bool { features.contains(where: \.suspendsProgram) }
  package var acceptsRequests: Bool { feature(Termination.self)?.isEnding != true }
  package var timeToEnd: Double { feature(BackgroundTasks.self)?.timeToEnd.seconds ?? 0 }
  package func offer(_ inhibitor: any IdleInhibitor) { feature(ForegroundRights.self)?.use(inhibitor) }

  package func log(_ message: String) { trace(.error(message: message)) }

  package func note(_ name: String, _ text: String) {
    trace(.system(name, ["cause": .string(text)]))
  }
}

extension PlatformEvent {
  /// Whether the event says which screens there are: other events of its batch refer to them.
  fileprivate var isAboutScreens: Bool { if case .screens = self { true } else { false } }
}
