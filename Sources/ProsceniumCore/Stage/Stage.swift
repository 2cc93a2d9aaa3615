import FoundationEssentials
package import ProsceniumLoop
import ProsceniumStore
import ProsceniumTrace
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
    case activation(SceneSessionActivationRequest, (@MainActor (any Error) -> Void)?)
    case destruction(SceneSession, SceneDestructionRequestOptions, (@MainActor (any Error) -> Void)?)
    case disconnection(SceneSession, (@MainActor (any Error) -> Void)?)
    case refresh(SceneSession, (@MainActor (any Error) -> Void)?)
    case reconnection(SceneRecord)
    case windowVisibility(Window, SceneRecord, isHidden: Bool)
    case makeKey(Window, SceneRecord)
    case makeVisible(SceneRecord)
    /// Nothing but a settling: facts have changed while nothing was being handled, or after it was settled.
    case factsChanged
    case checkAttached(Window)
    case detached(Window)
    case attached(Window)
    case inputWithheld(SceneRecord)
    case showWaiting(SceneRecord)
    case closeReply(SceneRecord, Bool)
    case interruption(SceneRecord)
    case externalDisplays
    case checkShown(SceneRecord)
    case checkLaunch
    case checkLastScene
    case restorationCompleted(SceneRecord)
    case connectSuspect
    case storeFailed(StoreFailure)
    case terminate(TerminationCause, status: Int32)
    case terminateReply(Bool)
    case sessionSave(SessionSave)
    case sessionContinues
    case system(SystemEvent)
    /// What was for a scene that is gone now.
    case parcel(Parcel)
    case startupComplete
    /// An answer to the program.
    case answer(@MainActor () -> Void)
    /// The end, which has waited for what had been asked for before.
    case end
    case reclaim
    case tasksChanged
    case tasksHurried
    case tasksDone
    /// Happened while the program was suspended.
    case missed(MissedEvents.Event)
  }

  package let platform: any Platform
  unowned let application: Application
  let trace: TraceRecorder
  let sources: [any SystemSource]
  package internal(set) var identity = ApplicationIdentity(id: "", instance: "")
  var registry: SceneConfigurationRegistry?
  var law = ApplicationMachine.State()
  var records = SceneRecords()
  var owners: [WindowID: SceneRecord] = [:]
  var dirty: [SceneRecord] = []
  /// How many scenes stand in each state, by rank.
  var census = [0, 0, 0, 0]
  var windowManager = WindowManagerState.settled
  // See Displays/Stage+Screens.
  /// Scenes around which something may have changed.
  var surroundingsDue: [SceneRecord] = []
  /// The platform says what panels leave of screens.
  var followsScreens = false
  /// It is asked to, as soon as nobody waits for anything: no launch takes longer because of it.
  var owesScreens = false
  /// Who says that a screen saver is on, without a lock.
  var screenSavers: Set<String> = []
  var isScreenSaverOn: Bool { !screenSavers.isEmpty }
  /// Something keeps every scene from being active.
  var interruptsAll: Bool { isScreenSaverOn || isFirstWordAwaited }
  // See System/Stage+Settings.
  var desktopSettings: [DesktopSettings.Origin: DesktopSettings] = [:]
  var knownRegion: String?
  // See System/Stage+Absence.
  /// Who says so.
  var absences: [Absence: Set<String>] = [:]
  /// Who has gone without taking back what they said.
  var silentSources: Set<String> = []
  /// Whether the user is there is being asked, at the launch.
  var isFirstWordAwaited = false
  var protectedData = ProtectedDataMachine.State.available
  var protectedDataDeadline: DeadlineID?
  var holdTimes: HoldTimes { application.choices.holdTimes }
  var deadlines: [DeadlineID: Deadline] = [:]
  var resignDeadline: DeadlineID?
  var outcomes: [RequestID: @MainActor (RequestOutcome) -> Void] = [:]
  var discarded: [SceneSession] = []
  /// The implicit scene of the app-based model.
  var implicitScene: WindowScene?
  var launchOptions = LaunchOptions()
  var exitStatus: Int32 = 0
  var activations = 0

  // Sessions on disk; see Stage+Sessions and Stage+Restore.
  var store: SessionStore?
  let storeSource: StoreSource
  /// What the store had at launch, until it has been judged.
  var contents = SessionStore.Contents()
  var restorationReason = RestorationReason.launch
  var changedSessions: [SceneRecord] = []
  var saveDeadline: DeadlineID?
  /// What has changed is saved before the loop sleeps, without waiting for the debounce.
  var savesAtRest = false
  /// The latest time of activity, in seconds since 1970, so that the order holds whatever the clock does.
  var latestActivity = 0.0
  /// Sessions that were connecting when the last run died: connected one after the other.
  var suspects: [SceneRecord] = []
  var suspectUnderWay: SceneRecord?
  /// How many sessions the journal says are connecting.
  var connectingCount = 0
  /// Those that were marked of late, and those of half the limit ago; some may have come through meanwhile.
  var connecting: [SceneRecord] = []
  var connectingLong: [SceneRecord] = []
  var connectingDeadline: DeadlineID?
  var hasSeenManager = false
  /// No batch has been handled since the launch callbacks.
  var isLaunchWatched = false
  /// The number of the item of the inbox that is being handled.
  private(set) var item = 0

  // The question before the end; see Stage+Ending.
  var termination = TerminationMachine.State.running
  var terminationCause: TerminationCause?
  var terminationDeadline: DeadlineID?
  /// While an answer is to come later.
  var waitingTask = BackgroundTaskIdentifier.invalid
  var terminationStatus: [TerminationCause: Int32] = [:]
  var isSessionAsking = false

  // What other programs ask for; see Stage+Requests.
  /// What the program was launched with and nobody has been given yet.
  var launchParcel = Parcel()
  /// Scenes that something waits for.
  var expecting: [SceneRecord] = []
  /// How many requests and parcels are in the inbox.
  var requestsWaiting = 0

  // Memory; see Background/Stage+Memory and Stage+Reclaim.
  var reclaimPolicy: ReclaimPolicy { application.choices.reclaimPolicy }
  var reclaimDeadline: DeadlineID?
  var pressureLimit = PressureLimit()
  /// The policy is asked once everything has been done, for all scenes that were purged meanwhile.
  var isReclaimDue = false
  /// There is memory to give back to the system once everything has been done.
  var isTrimDue = false
  /// Background tasks; see Stage+BackgroundTasks.
  var backgroundTime = BackgroundTime()
  package var conduct = BackgroundConduct()
  var restraint = ForegroundRestraint()
  // Whether code runs; see Stage+Suspension.
  var suspensionPolicy = SuspensionPolicy.never
  var suspension = SuspensionMachine.State.running
  var suspensionDeadline: DeadlineID?
  var missed = MissedEvents()
  /// What wakes the program, for the trace.
  var wakeCause: String?

  private var inbox = Inbox<Work>()
  private var numbers = 0
  private var deadlineNumbers = 0
  private var requestNumbers = 0

  init(
    application: Application, platform: any Platform, trace: TraceRecorder, store: StoreSource,
    sources: [any SystemSource]
  ) {
    storeSource = store
    self.sources = sources
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

  func makeDeadline(_ deadline: Deadline, _ length: Duration) -> DeadlineID {
    makeDeadline(deadline, milliseconds: length.milliseconds)
  }

  func makeDeadline(_ deadline: Deadline, milliseconds: Int) -> DeadlineID {
    deadlineNumbers += 1
    let id = DeadlineID(rawValue: deadlineNumbers)
    deadlines[id] = deadline
    platform.perform(.setDeadline(id, milliseconds: milliseconds))
    return id
  }

  package func cancel(_ id: DeadlineID) {
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

  /// Puts something before all that waits.
  func postFirst(_ work: [Work]) { inbox.postFirst(work) }

  /// Nothing waits, and nothing is being handled.
  var isInboxIdle: Bool { inbox.isIdle }

  func markDirty(_ record: SceneRecord) {
    guard !record.isDirty else { return }
    record.isDirty = true
    dirty.append(record)
  }

  /// Handles what waits, until nothing is left.
  ///
  /// Does nothing while an item is being handled, nor once a suspended program has been ended: it hears of nothing more.
  private func drain() {
    while suspension != .ended, let work = inbox.next() {
      if case .missed(let event) = work { measure(event) { handle(work) } } else { handle(work) }
      inbox.done()
      noticeBackgroundTasks()
    }
  }

  /// One item, settled and dispatched to its end.
  private func handle(_ work: Work) {
    var afterwards: [Afterwards] = []
    item += 1
    switch work {
    case .batch(let events): afterwards = apply(events)
    case .missed(.platform(let event)): afterwards = apply([event])
    case .missed(.system(let event)): afterwards = handle(event)
    case .activation(let request, let errorHandler): afterwards = activate(request, errorHandler)
    case .destruction(let session, let options, let errorHandler):
      afterwards = destroy(session, options, errorHandler)
    case .disconnection(let session, let errorHandler): afterwards = disconnect(session, errorHandler)
    case .refresh(let session, let errorHandler): afterwards = refresh(session, errorHandler)
    case .reconnection(let record): reconnect(record)
    case .windowVisibility(let window, let record, let isHidden):
      afterwards = changeVisibility(of: window, in: record, isHidden: isHidden)
    case .makeKey(let window, let record): afterwards = makeKey(window, in: record)
    case .makeVisible(let record): makeVisible(record)
    case .factsChanged: break
    case .checkAttached(let window): checkAttached(window)
    case .detached(let window): afterwards = [{ window.display.detached() }]
    case .attached(let window): afterwards = [{ window.content?.attached() }]
    case .inputWithheld(let record):
      let windows = record.windowScene?.windows ?? []
      afterwards = windows.map { window in { window.content?.inputWithheld() } }
    case .showWaiting(let record): showWaiting(record)
    case .closeReply(let record, let closes): answerClose(record, closes: closes)
    case .interruption(let record): interrupt(record)
    case .externalDisplays: matchExternalDisplays()
    case .checkShown(let record): checkShown(record)
    case .checkLaunch: checkLaunch()
    case .checkLastScene: checkLastScene()
    case .restorationCompleted(let record): restorationCompleted(record)
    case .connectSuspect: connectSuspect()
    case .storeFailed(let failure):
      application.delegate?.application(application, didFailToSaveSceneSessions: failure)
    case .terminate(let cause, let status): askToTerminate(cause, status: status)
    case .sessionSave(let save): sessionSave(save)
    case .sessionContinues: sessionContinues()
    case .terminateReply(let terminates): decide(.replied(terminates))
    case .system(let event): afterwards = handle(event)
    case .parcel(let parcel): hand(again: parcel)
    case .startupComplete: platform.perform(.startupComplete)
    case .answer(let body): afterwards = [body]
    case .end: endWhenAsked()
    case .reclaim: reclaim()
    case .tasksChanged: tasksChanged()
    case .tasksHurried: applyToBackgroundTime(.hurry)
    case .tasksDone: tasksDone()
    }
    settle()
    handToForeground()
    for action in afterwards { action() }
    tellSurroundings()
    reportDiscards()
    if !dirty.isEmpty { post(.factsChanged) }
  }

  /// Something to call after the batch has been settled: input, key windows, completions.
  typealias Afterwards = @MainActor () -> Void
}

extension Stage: PlatformClient {
  package func handle(_ batch: [PlatformEvent]) {
    if isSuspended { takeSuspended(batch) } else { post(.batch(batch)) }
    turn()
    if isLaunchWatched { firstBatchHandled() }
  }

  package func turn() {
    noticeBackgroundTasks()
    // What has come into the inbox wakes a suspended program.
    if isSuspended { executionChanged() }
    drain()
    executionChanged()
    platform.flush()
    application.callbackWatch?.rest()
  }

  package var hasIdleWork: Bool { savesAtRest || owesScreens }

  /// Whoever resigned has been followed by whoever became active, and the server has been told: time to save.
  package func performIdleWork() {
    if savesAtRest { saveSessions() }
    if owesScreens { platform.perform(.followScreens) }
    owesScreens = false
  }
}
