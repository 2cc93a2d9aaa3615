import FoundationEssentials
import SceneLifecycle

/// The shell around the law: takes batches from the platform and requests from the program, one at a time, lets the
/// machines decide, and performs what they say.
///
/// One way through: an item of the inbox changes facts; the batch is settled; the edges are dispatched; what the
/// callbacks asked for has gone into the inbox meanwhile. Nothing is ever handled within something else.
@MainActor package final class Stage {
  /// What waits in the inbox.
  enum Work {
    case batch([PlatformEvent])
    case activation(SceneSessionActivationRequest, urls: [URL], (@MainActor (any Error) -> Void)?)
    case destruction(SceneSession, (@MainActor (any Error) -> Void)?)
    case disconnection(SceneSession, (@MainActor (any Error) -> Void)?)
    case refresh(SceneSession)
    case reconnection(SceneRecord)
    case windowVisibility(Window, SceneRecord, isHidden: Bool)
    case makeKey(Window, SceneRecord)
    case makeVisible(SceneRecord)
    /// Nothing but a settling: facts have changed while nothing was being handled, or after it was settled.
    case factsChanged
    case checkAttached(Window)
    case showWaiting(SceneRecord)
    case closeReply(SceneRecord, Bool)
    case interruption(SceneRecord)
    case checkShown(SceneRecord)
    case checkLaunch
    case checkLastScene
    case terminate(status: Int32)
  }

  package let platform: any Platform
  unowned let application: Application
  let trace: TraceRecorder
  package private(set) var identity = ApplicationIdentity(id: "", instance: "")
  var registry: SceneConfigurationRegistry?
  var law = ApplicationMachine.State()
  var records = SceneRecords()
  var owners: [WindowID: SceneRecord] = [:]
  var dirty: [SceneRecord] = []
  /// How many scenes stand in each state, by rank.
  var census = [0, 0, 0, 0]
  var windowManager = WindowManagerState.settled
  var isScreenSaverOn = false
  var holdTimes = HoldTimes()
  var deadlines: [DeadlineID: Deadline] = [:]
  var resignDeadline: DeadlineID?
  var outcomes: [RequestID: @MainActor (RequestOutcome) -> Void] = [:]
  var discarded: [SceneSession] = []
  /// The implicit scene of the app-based model.
  var implicitScene: WindowScene?
  var launchOptions = LaunchOptions()
  var exitStatus: Int32 = 0
  var activations = 0
  private var inbox = Inbox<Work>()
  private var numbers = 0
  private var deadlineNumbers = 0
  private var requestNumbers = 0

  init(application: Application, platform: any Platform, trace: TraceRecorder) {
    self.application = application
    self.platform = platform
    self.trace = trace
    platform.client = self
  }

  func identify(_ identity: ApplicationIdentity) { self.identity = identity }

  func makeNumber() -> Int {
    numbers += 1
    return numbers
  }

  func makeDeadline(_ deadline: Deadline, milliseconds: Int) -> DeadlineID {
    deadlineNumbers += 1
    let id = DeadlineID(rawValue: deadlineNumbers)
    deadlines[id] = deadline
    platform.perform(.setDeadline(id, milliseconds: milliseconds))
    return id
  }

  func cancel(_ id: DeadlineID) {
    deadlines[id] = nil
    platform.perform(.cancelDeadline(id))
  }

  func request(
    _ request: WindowRequest, of window: WindowID, _ completion: (@MainActor (RequestOutcome) -> Void)?
  ) {
    requestNumbers += 1
    let id = RequestID(rawValue: requestNumbers)
    let session = owners[window]?.session
    outcomes[id] = { [weak self] outcome in
      self?.traceRequest(request.traceName, session, outcome.traceName)
      completion?(outcome)
    }
    platform.perform(.request(id, window, request))
  }

  /// Puts something into the inbox.
  ///
  /// It is handled at the latest before the loop sleeps again.
  func post(_ work: Work) { inbox.post(work) }

  func markDirty(_ record: SceneRecord) {
    guard !record.isDirty else { return }
    record.isDirty = true
    dirty.append(record)
  }

  /// Handles what waits, until nothing is left.
  ///
  /// Does nothing while an item is being handled.
  private func drain() {
    while let work = inbox.next() {
      handle(work)
      inbox.done()
    }
  }

  /// One item, settled and dispatched to its end.
  private func handle(_ work: Work) {
    var afterwards: [Afterwards] = []
    switch work {
    case .batch(let events): afterwards = apply(events)
    case .activation(let request, let urls, let errorHandler):
      afterwards = activate(request, urls: urls, errorHandler)
    case .destruction(let session, let errorHandler): afterwards = destroy(session, errorHandler)
    case .disconnection(let session, let errorHandler): afterwards = disconnect(session, errorHandler)
    case .refresh(let session): refresh(session)
    case .reconnection(let record): reconnect(record)
    case .windowVisibility(let window, let record, let isHidden):
      afterwards = changeVisibility(of: window, in: record, isHidden: isHidden)
    case .makeKey(let window, let record): afterwards = makeKey(window, in: record)
    case .makeVisible(let record): makeVisible(record)
    case .factsChanged: break
    case .checkAttached(let window): checkAttached(window)
    case .showWaiting(let record): showWaiting(record)
    case .closeReply(let record, let closes): answerClose(record, closes: closes)
    case .interruption(let record): interrupt(record)
    case .checkShown(let record): checkShown(record)
    case .checkLaunch: checkLaunch()
    case .checkLastScene: checkLastScene()
    case .terminate(let status): terminate(status: status)
    }
    settle()
    for action in afterwards { action() }
    reportDiscards()
    if !dirty.isEmpty { post(.factsChanged) }
  }

  /// Something to call after the batch has been settled: input, key windows, completions.
  typealias Afterwards = @MainActor () -> Void
}

extension Stage: PlatformClient {
  package func handle(_ batch: [PlatformEvent]) {
    post(.batch(batch))
    turn()
  }

  package func turn() {
    drain()
    platform.flush()
  }
}
