import ProsceniumJSON
package import ProsceniumLoop
package import ProsceniumPlatform
import ProsceniumStore
import ProsceniumTrace

/// The shell around the state machines: takes one item of the inbox at a time, reduces it, dispatches the edges, and
/// announces moments to the features.
///
/// Requests of a callback are posted to the inbox, and handled when the callback has returned; items are never nested.
@MainActor package final class Conductor {
  /// An item that waits in the inbox.
  private enum Item {
    /// All events of one drain of the window system.
    case batch([PlatformEvent])
    /// An event of the kernel or the desktop environment.
    case system(SystemEvent)
    /// A message for one feature.
    case message(AnyMessage)
    /// A settling only: facts have changed outside of an item.
    case settling
  }

  /// Whether the items of the inbox are handled.
  private enum Intake {
    case open
    /// The program has not been launched yet: they wait.
    case held
    /// The program has ended without another callback: permanently closed.
    case closed
  }

  package let platform: any Platform
  unowned let application: Application
  let trace: TraceRecorder
  let roster = Roster()
  /// The state of the program and of all its scenes.
  private(set) var machine = ApplicationMachine.State()
  /// The program's identity, once it is being launched.
  package var identity = ApplicationIdentity(id: "", instance: "")
  /// The number of the item that is being handled; another one, too, whenever the main queue runs.
  private(set) var item = 0

  private var features: [any Feature] = []
  private var lists = FeatureLists()
  private var inbox = Inbox<Item>()
  private var deadlines = DeadlineTable()
  /// Actions that wait for the settling of the present item; nil while none is handled.
  private var waiting: [FeatureAction]?
  private var isWalking = false
  private var intake = Intake.open
  /// Whether a window manager runs and its properties of windows are current.
  var windowManager = WindowManagerState.settled
  var isManagerSettled: Bool { windowManager == .settled }

  init(application: Application, platform: any Platform, trace: TraceRecorder) {
    self.application = application
    self.platform = platform
    self.trace = trace
    // `lists` is assigned at the end: a property that no call changes needs no check of exclusive access.
    features = Features.all.map { $0.init(self) }
    var lists = FeatureLists()
    for (type, feature) in zip(Features.all, features) {
      lists.byType[type] = feature
      feature.join(&lists)
    }
    self.lists = lists
    platform.client = self
  }

  // MARK: Features

  /// A feature of the program; nil where it is not in the list.
  func feature<Room: Feature>(_ room: Room.Type) -> Room? { lists.byType[room] as? Room }

  /// The answer of the first feature that has one.
  private func firstAnswer<Answer>(_ question: Question, _ ask: (FeatureBase) -> Answer?) -> Answer? {
    for feature in lists.features(asked: question) { if let answer = ask(feature) { return answer } }
    return nil
  }

  /// Whether a feature says so.
  ///
  /// A loop: an isolated closure checks its thread whenever the standard library calls it.
  private func isAny(_ question: Question, _ answer: (FeatureBase) -> Bool) -> Bool {
    for feature in lists.features(asked: question) where answer(feature) { return true }
    return false
  }

  /// Announces a moment to every feature, or to those that observe its edge.
  func announce(_ moment: Moment) {
    for feature in lists.observers(of: moment) ?? features { perform(feature.moment(moment)) }
  }

  /// Announces a point of the loop's turn.
  private func announce(_ moment: LoopMoment) {
    for observer in lists.observers(of: moment) { perform(observer.moment(moment)) }
  }

  /// The answer of the feature that takes input in place of its window; nil where none does.
  func claim(_ input: InputEvent) -> [FeatureAction]? {
    for claimant in lists.claimants { if let actions = claimant.claim(input) { return actions } }
    return nil
  }

  /// A window gets no input from now on.
  func withholdInput(from window: Window) { for interceptor in lists.interceptors { interceptor.withhold(window) } }

  /// Gives an event to the features that take events, or to those behind one of them; else to its window.
  func deliver(_ event: Event, behind feature: FeatureBase? = nil) {
    var isDue = feature == nil
    for interceptor in lists.interceptors {
      if isDue, interceptor.take(event) { return }
      if interceptor === feature { isDue = true }
    }
    event.window?.sendEvent(event)
  }

  /// Whether a scene belongs in the background, regardless of its windows.
  func conceals(_ record: SceneRecord) -> Bool { machine.phase.isEnding || isAny(.conceals) { $0.conceals(record) } }

  /// Whether a feature keeps a visible scene from being active.
  func interrupts(_ record: SceneRecord) -> Bool { isAny(.interrupts) { $0.interrupts(record) } }

  /// Whether a feature keeps a scene from being reclaimed.
  func protects(_ record: SceneRecord) -> Bool { isAny(.protects) { $0.protects(record) } }
  func keepsConnected(_ record: SceneRecord) -> Bool { isAny(.keepsConnected) { $0.keepsConnected(record) } }

  /// Whether a feature keeps the program from being suspended, for one of its scene sessions or by itself.
  var keepsRunning: Bool {
    isAny(.keepsRunning) { feature in feature.keepsRunning || roster.contains { feature.keepsRunning($0) } }
  }

  /// Whether the program holds an execution mode.
  var holdsExecution: Bool { isAny(.holdsExecution, \.holdsExecution) }

  /// Whether a feature does, at the program's request, what an execution mode is held for.
  func uses(_ mode: ExecutionMode) -> Bool { isAny(.uses) { $0.uses(mode) } }

  /// Whether the next launch finds the end of the run before this one.
  var takesRunBack: Bool { isAny(.takesRunBack, \.takesRunBack) }

  /// Whether a feature has accepted a request that has to be handled before the program terminates.
  var delaysEnd: Bool { isAny(.delaysEnd, \.delaysEnd) }

  /// The treatment of an event that arrives while the program is suspended, and the feature that decides it.
  func whileSuspended(_ event: SystemEvent) -> (answer: EventWhileSuspended, feature: FeatureBase?) {
    firstAnswer(.whileSuspended) { feature in feature.whileSuspended(event).map { ($0, feature) } } ?? (.wakes, nil)
  }

  /// The claim of a feature on the launch, for stored sessions that show the requested content.
  func claimLaunch(of sessions: [SceneRecord]) -> LaunchClaim? {
    firstAnswer(.claimLaunch) { $0.claimLaunch(of: sessions) }
  }

  /// The content of the first scene of a launch that restores none.
  func claimFirstScene() -> SceneContent { firstAnswer(.claimFirstScene) { $0.claimFirstScene() } ?? SceneContent() }

  /// A feature's reason to hold a session back, as a sentence; nil where no feature does.
  func explainHold(of record: SceneRecord) -> String? { firstAnswer(.explainHold) { $0.explainHold(of: record) } }

  /// The screen that a scene's primary window has to fill; nil where the program and the user place it.
  func assignedScreen(of record: SceneRecord) -> Screen? {
    firstAnswer(.assignedScreen) { $0.assignedScreen(of: record) }
  }

  /// Whether a feature connects a stored session later.
  func defersRestoration(of record: SceneRecord) -> Bool {
    isAny(.defersRestoration) { $0.defersRestoration(of: record) }
  }

  /// Whether a feature is about to open scenes by itself.
  var opensScenesLater: Bool { isAny(.opensScenesLater, \.opensScenesLater) }

  /// The launch options of a command line.
  func launchOptions(arguments: [String]) -> LaunchOptions {
    if let options = firstAnswer(.launchOptions, { $0.launchOptions(arguments: arguments) }) { return options }
    let own = arguments.prefix { $0 != "--" }
    var options = LaunchOptions(isBackground: own.contains("--background"))
    options.scheduledTask = own.firstIndex(of: WorkStart.option).flatMap { own.dropFirst($0 + 1).first }
    return options
  }

  /// The number of URLs that features deliver with an edge.
  func deliveredURLs(with edge: SceneEdge, of record: SceneRecord) -> Int {
    lists.features(asked: .deliveredURLs).reduce(0) { $0 + $1.deliveredURLs(with: edge, of: record) }
  }

  /// The options with which a session is about to connect, completed by features.
  func complete(_ options: Scene.ConnectionOptions, of record: SceneRecord) -> Scene.ConnectionOptions {
    var options = options
    for feature in lists.features(asked: .complete) { feature.complete(&options, of: record) }
    return options
  }

  /// Lets the features make what a session's scene needs before it connects.
  func prepare(_ record: SceneRecord, _ delegate: AnyObject?) throws(SceneError) {
    for preparer in lists.preparers { try preparer.prepare(record, delegate) }
  }

  // MARK: The inbox

  /// Whether no item waits or is being handled, and no facts have changed.
  var isIdle: Bool { inbox.isIdle && !roster.isDirty }

  /// Whether no item waits or is being handled.
  var isInboxIdle: Bool { inbox.isIdle }

  /// Posts a message to the inbox for its feature; it is handled at the latest before the loop sleeps again.
  func post<Room: Feature>(_ room: Room.Type, _ message: Room.Message) { post(AnyMessage(room, message)) }

  func post(_ message: AnyMessage) {
    assertMainThread()
    requestTurn()
    inbox.post(.message(message))
  }

  /// Posts messages before all waiting items.
  func postFirst(_ messages: [AnyMessage]) {
    requestTurn()
    inbox.postFirst(messages.map { .message($0) })
  }

  /// Settles with the next item, which may be otherwise empty.
  func settleLater() {
    requestTurn()
    inbox.post(.settling)
  }

  /// In another library's loop a turn is due for the first item that waits: those that follow are handled with it.
  private func requestTurn() { if inbox.isIdle { platform.requestTurn() } }

  /// Performs actions when the present item has been settled, or now without one.
  func performAfterSettling(_ actions: [FeatureAction]) {
    if waiting == nil { perform(actions) } else { waiting?.append(contentsOf: actions) }
  }

  /// Handles no more items: a suspended program has been terminated, or one in a test has been killed.
  package func close() { intake = .closed }

  /// Lets the items of the inbox and the main queue wait for the launch; deadlines of sources pass.
  func hold() {
    intake = .held
    platform.perform(.holdMainQueue(true))
  }

  /// Ends ``hold()``: the message is handled first, with the next turn.
  func release(_ first: AnyMessage) {
    intake = .open
    postFirst([first])
    platform.perform(.holdMainQueue(false))
  }

  /// Handles waiting items until none is left; does nothing while an item is being handled.
  private func drain() {
    while intake == .open, let item = inbox.next() {
      handle(item)
      inbox.done()
      announce(.betweenItems)
    }
  }

  /// One item, settled and dispatched to its end.
  private func handle(_ item: Item) {
    self.item += 1
    waiting = []
    switch item {
    // Events of scenes refer to screens of the same batch.
    case .batch(let events):
      for index in events.indices where events[index].isAboutScreens { handle(events[index]) }
      for index in events.indices where !events[index].isAboutScreens { handle(events[index]) }
    case .system(let event): handle(event)
    case .message(let message): perform(message.deliver(in: self))
    case .settling: break
    }
    settle()
    announce(.settled)
    let calls = waiting ?? []
    waiting = nil
    perform(calls)
    announce(.handled)
    if roster.isDirty { inbox.post(.settling) }
  }

  /// Handles an event as part of the item that is being handled.
  func handle(_ event: PlatformEvent) {
    if case .deadline(let id) = event { return reached(id) }
    for handler in lists.handlers(of: event) { perform(handler.handle(event)) }
  }

  func handle(_ event: SystemEvent) {
    for feature in lists.features(asked: .handle) { perform(feature.handle(event)) }
  }

  // MARK: Deadlines

  /// Starts a deadline, at whose end the message is sent; one of the same name is replaced.
  func set(_ deadline: Deadline, after length: Duration, _ message: AnyMessage?) {
    let (id, old) = deadlines.add(.named(deadline, message))
    if let old { platform.perform(.cancelDeadline(old)) }
    platform.perform(.setDeadline(id, milliseconds: length.milliseconds))
  }

  func cancel(_ deadline: Deadline) { if let id = deadlines.remove(deadline) { platform.perform(.cancelDeadline(id)) } }

  /// Whether a deadline runs.
  func isSet(_ deadline: Deadline) -> Bool { deadlines.contains(deadline) }

  /// The number of running deadlines.
  package var pendingDeadlines: Int { deadlines.running }

  private func reached(_ id: DeadlineID) {
    switch deadlines.remove(id) {
    case .named(let deadline, let message?)?:
      if deadline.isUrgent { perform(message.deliver(in: self)) } else { performAfterSettling([.send(message)]) }
    case .named(_, nil)?: break
    case .call(let call)?: performAfterSettling([.call(call)])
    case nil: break
    }
  }

  // MARK: The state machines

  /// Reduces one input, and performs the effects in order.
  func reduce(_ input: ApplicationMachine.Input) {
    let effects = ApplicationMachine.reduce(&machine, input)
    guard !effects.isEmpty else { return }
    let dispatcher = Dispatcher(self)
    for effect in effects { dispatcher.perform(effect) }
  }

  /// Sets the rule by which a visible scene is active.
  func setPolicy(_ policy: ActivationPolicy, of record: SceneRecord) { machine.scenes[record.number].policy = policy }

  /// Sets the life-cycle model; before the launch.
  func setModel(_ model: LifecycleModel) { machine.model = model }

  /// Removes a scene from the application machine.
  func removeScene(_ record: SceneRecord) { machine.scenes.remove(record.number) }

  /// Observes the changed facts, and walks every scene to its target; does nothing within a walk.
  func settle() {
    guard !isWalking, roster.isDirty || !machine.scenes.pending.isEmpty else { return }
    isWalking = true
    defer { isWalking = false }
    let changed = roster.drainDirty()
    var facts: [ApplicationMachine.Facts] = []
    facts.reserveCapacity(changed.count)
    for record in changed where record.scene != nil { facts.append(record.facts) }
    reduce(.observe(facts, changing: !isManagerSettled))
    for observer in lists.facts { perform(observer.observed(changed)) }
    reduce(.settle)
  }
}

/// The loop's side.
extension Conductor: PlatformClient {
  package func handle(_ batch: [PlatformEvent]) {
    var batch = batch
    for gate in lists.gates { batch = gate.admit(batch) }
    if !batch.isEmpty { inbox.post(.batch(batch)) }
    turn()
    announce(.batchHandled)
  }

  package func turn() {
    announce(.turnBegan)
    drain()
    announce(.turnEnded)
    platform.flush()
    announce(.resting)
  }

  package var hasIdleWork: Bool { lists.observers(of: .idle).contains(where: \.hasIdleWork) }

  package func performIdleWork() { announce(.idle) }

  package func runMainQueue(_ run: () -> Void) {
    item += 1
    timed(Self.mainQueueCall, run)
  }

  private static let mainQueueCall = CallDescription("The block of the main queue", phase: .event)
}

/// The sources' side.
extension Conductor: SystemHost {
  package var applicationIdentifier: String { identity.id }
  package var now: Double { platform.now }

  package func watch(_ source: LoopSource) -> LoopSourceID { platform.watch(source) }
  package func unwatch(_ id: LoopSourceID) { platform.unwatch(id) }

  package func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID {
    let (id, _) = deadlines.add(.call(FunctionCall(action)))
    platform.perform(.setDeadline(id, milliseconds: milliseconds))
    return id
  }

  package func cancel(_ id: DeadlineID) {
    _ = deadlines.remove(id)
    platform.perform(.cancelDeadline(id))
  }

  package func post(_ event: SystemEvent) {
    guard lists.gates.allSatisfy({ $0.admit(event) }) else { return }
    requestTurn()
    inbox.post(.system(event))
    for feature in lists.features(asked: .accepted) { feature.accepted(event) }
  }

  /// Whether no code of the program runs now, and no deadline passes.
  package var isSuspended: Bool { lists.gates.contains(where: \.suspendsProgram) }
  package var acceptsRequests: Bool { feature(Termination.self)?.isEnding != true }
  package var timeToEnd: Double { feature(BackgroundTasks.self)?.timeToEnd.seconds ?? 0 }
  package func offer(_ inhibitor: any IdleInhibitor) { feature(ForegroundRights.self)?.use(inhibitor) }

  package func log(_ message: String) { trace(.error(message: message)) }

  package func trace(_ name: String, _ text: String) { trace(.system(name, ["cause": .string(text)])) }
}

extension PlatformEvent {
  /// Whether the event lists the screens: other events of its batch refer to them.
  fileprivate var isAboutScreens: Bool { if case .screens = self { true } else { false } }
}

/// Performs the actions of features.
extension Conductor {
  func perform(_ actions: [FeatureAction]) { for action in actions { perform(action) } }

  func perform(_ action: FeatureAction) {
    switch action {
    case .command(let command): platform.perform(command)
    case .updateConcealment(let record):
      reduce(.scene(record.number, .concealment(conceals(record))))
      roster.markDirty(record)
    case .updateInterruption(let record):
      reduce(.scene(record.number, .interruption(interrupts(record))))
      roster.markDirty(record)
    case .reduce(let input): reduce(input)
    case .observe(let record): roster.markDirty(record)
    case .call(let call): self.call(call)
    case .send(let message): perform(message.deliver(in: self))
    case .post(let message): post(message)
    case .postFirst(let messages): postFirst(messages)
    case .settleLater: settleLater()
    case .afterSettling(let actions): performAfterSettling(actions)
    case .callAfterSettling where waiting != nil: waiting?.append(action)
    case .callAfterSettling(let call): self.call(call)
    case .settle: settle()
    case .set(let deadline, let length, let message): set(deadline, after: length, message)
    case .cancel(let deadline): cancel(deadline)
    case .connect(let record, let options, let inBackground):
      connector.connect(record, options: options, inBackground: inBackground)
    case .disconnect(let record, let ending): connector.disconnect(record, ending)
    case .discard(let record): connector.discard(record)
    case .announce(let moment): announce(moment)
    case .handle(let event): handle(event)
    case .handleSystem(let event): handle(event)
    case .trace(let line): trace(line)
    case .report(let message): report(message)
    }
  }

  private func call(_ call: AnyCall) { perform(timed(call.base.call) { call.base.perform(for: application) }) }

  /// Calls the program between the announcements of the call to its observers (``CallObserver``).
  func timed<Result, Failure: Error>(
    _ call: CallDescription, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if call.phase == .question { return try body() }
    for observer in lists.calls { observer.callBegins(call) }
    defer { for observer in lists.calls { observer.callEnded() } }
    return try body()
  }

  /// Writes an error to the trace and to standard error.
  package func report(_ message: String) {
    let message = (application.delegate as? any MessageWording)?.worded(message) ?? message
    trace(.error(message: message))
    StandardError.write("Proscenium: " + message)
  }

  /// Reports that what could not be saved, as an error has said, is saved.
  func reportSavingResumed(_ message: String) {
    trace("savingResumed", message)
    StandardError.write("Proscenium: " + message)
  }
}

/// A delegate of a program in another language, which knows Swift's functions by other names.
@MainActor package protocol MessageWording: AnyObject {
  /// An error with the names that the program knows.
  func worded(_ message: String) -> String
}

/// A message together with the feature that receives it.
@MainActor struct AnyMessage {
  private let room: any Feature.Type
  private let message: any Equatable
  private let delivery: @MainActor (Conductor) -> [FeatureAction]

  init<Room: Feature>(_ room: Room.Type, _ message: Room.Message) {
    self.room = room
    self.message = message
    delivery = { conductor in conductor.feature(room)?.receive(message) ?? [] }
  }

  /// The actions of its feature; none where there is no such feature.
  func deliver(in conductor: Conductor) -> [FeatureAction] { delivery(conductor) }
}

extension AnyMessage: @MainActor Equatable, @MainActor CustomStringConvertible {
  static func == (left: AnyMessage, right: AnyMessage) -> Bool {
    func isEqual<Message: Equatable>(_ message: Message) -> Bool { right.message as? Message == message }
    return left.room == right.room && isEqual(left.message)
  }
  var description: String { "\(room) \(message)" }
}
