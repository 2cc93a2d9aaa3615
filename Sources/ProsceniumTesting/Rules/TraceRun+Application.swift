import ProsceniumTrace

extension TraceRun {
  mutating func check(_ app: TraceRecord.App) {
    let name = app.name
    guard let state = ApplicationState(rawValue: app.state) else {
      return fail(.applicationStep, "\(app.state) is no state of an application")
    }
    if phase == .terminated { fail(.terminated, "\(name) comes after it") }
    if isSuspended { fail(.silence, "it hears of \(name)") }
    checkAnnouncement(app)
    switch name {
    case "willFinishLaunchingWithOptions":
      if phase != .launching, phase != .copied { fail(.launchPair, "\(name) comes again, or too late") }
      phase = .launchingTwice
      return
    case "didFinishLaunchingWithOptions":
      if phase != .launchingTwice { fail(.launchPair, "\(name) does not follow the other one") }
      phase = .running
      return
    default: break
    }
    if phase < .running {
      fail(.launchPair, "\(name) comes before didFinishLaunchingWithOptions")
      phase = .running
    }
    if let step = Self.steps[name] { return check(step, state, name) }
    if let application, application != state {
      fail(.applicationStep, "\(name) says \(state.rawValue), and the last step led to \(application.rawValue)")
    }
    checkCall(app)
  }

  // MARK: Steps

  private typealias Step = (from: ApplicationState, to: ApplicationState)

  private static let steps: [String: Step] = [
    "applicationWillEnterForeground": (.background, .inactive),
    "applicationDidBecomeActive": (.inactive, .active),
    "applicationWillResignActive": (.active, .inactive),
    "applicationDidEnterBackground": (.inactive, .background),
  ]

  private mutating func check(_ step: Step, _ state: ApplicationState, _ name: String) {
    if state != step.to { fail(.applicationStep, "\(name) says \(state.rawValue), and leads to \(step.to.rawValue)") }
    // The app-based model begins with the launch's own state, which may be either.
    let isFirst = application == nil && isSceneBased != true
    let from = application ?? .background
    if !isFirst, from != step.from {
      fail(.applicationStep, "\(name) begins in \(step.from.rawValue), and the application is \(from.rawValue)")
    }
    let most = scenes.mostActive.application
    if step.to > step.from ? most < step.to : most > step.to {
      fail(.aggregate, "\(name) comes while the most active scene is in \(scenes.mostActive.rawValue)")
    }
    if application == .background, step.to != .background { checkScreenModes() }
    application = step.to
  }

  // MARK: Calls

  private mutating func checkCall(_ app: TraceRecord.App) {
    switch app.name {
    case "applicationWillTerminate": terminate()
    case "didDiscardSceneSessions": app.sessions?.forEach { discard($0) }
    case "applicationProtectedDataWillBecomeUnavailable":
      if isProtected { fail(.protectedData, "it was said before") }
      if !isAway { fail(.protectedData, "the user is there") }
      failInForeground(.protectedScenes)
      isProtected = true
    case "applicationProtectedDataDidBecomeAvailable":
      if !isProtected { fail(.protectedData, "it was available") }
      if isAway { fail(.protectedData, "the user is away") }
      isProtected = false
    case "openURLContexts":
      urls.delivered += app.urls.atMostPlausible
      checkReceivers(app)
    case "openURL": urls.delivered += 1
    case "continueUserActivity", "didFailToContinueUserActivityWithType", "willContinueUserActivityWithType":
      checkReceivers(app)
    default: break
    }
    countURLs()
  }

  private var isAway: Bool { !concealments.isDisjoint(with: ["locked", "switchedAway"]) }

  mutating func countURLs() {
    guard urls.delivered > urls.received, isSceneBased != nil else { return }
    fail(.exactlyOnce, "\(urls.delivered) URLs have been handed over, and \(urls.received) came")
    urls.received = urls.delivered
  }

  private mutating func discard(_ session: String) {
    if scenes[session].isDiscarded { fail(.discard, session, "it was discarded before") }
    if scenes[session].state != .unattached { fail(.discard, session, "its scene is connected") }
    scenes[session].isDiscarded = true
    scenes[session].isClosed = false
  }

  private mutating func terminate() {
    phase = .terminated
    failUnsavedDocuments("applicationWillTerminate comes")
    for identifier in scenes.identifiers(where: { $0.state != .unattached }) {
      fail(.ending, identifier, "it is in \(scenes[identifier].state.rawValue) when applicationWillTerminate comes")
    }
    for identifier in scenes.identifiers(where: \.isClosed) {
      fail(.closedIsDiscarded, identifier, "the program ends before didDiscardSceneSessions")
    }
    // The app-based model's launch callbacks may say that nothing is to be opened.
    if isSceneBased == true, urls.delivered < urls.received, !urls.hasLost {
      fail(.exactlyOnce, "\(urls.received) URLs came, and \(urls.delivered) have been handed over")
    }
  }

  private mutating func checkReceivers(_ app: TraceRecord.App) {
    for session in app.sessions ?? [] where scenes[session].state == .unattached {
      fail(.receiver, session, "\(app.name) goes to a scene that is not connected")
    }
  }

  /// Checks that an announced activity ends next, and that one that fails was announced.
  private mutating func checkAnnouncement(_ app: TraceRecord.App) {
    let isEnd = app.name == "continueUserActivity" || app.name == "didFailToContinueUserActivityWithType"
    if announced == nil, app.name == "didFailToContinueUserActivityWithType" {
      fail(.activity, app.sessions?.first, "\(app.name) was not announced")
    } else if !isEnd || announced != (app.sessions ?? []) {
      failAnnouncement(app.name)
    }
    announced = app.name == "willContinueUserActivityWithType" ? app.sessions ?? [] : nil
  }

  /// Reports that something else comes where an activity's end is due.
  mutating func failAnnouncement(_ name: String) {
    guard let announced else { return }
    fail(.activity, announced.first, "\(name) comes where the activity's end is due")
    self.announced = nil
  }

  // MARK: The system

  mutating func check(_ system: TraceRecord.System) {
    switch system.name {
    case "suspended":
      if isSuspended || phase == .ended { fail(.suspension, "it is suspended already") }
      failInForeground(.suspension)
      failAnnouncement("suspended")
      checkWork()
      failUnsavedDocuments("it is suspended")
      checkOffer()
      checkScreenModes()
      isSuspended = true
    case "resumed", "ended":
      if !isSuspended || phase == .ended { fail(.suspension, "it is not suspended") }
      if system.name == "ended" { phase = .ended } else { isSuspended = false }
    case "firstLaunch":
      if phase == .launching { phase = .copied } else { fail(.firstLaunch, "it comes again, or too late") }
    case "protectedData":
      if isProtected || !isAway { fail(.protectedData, "it is unavailable from the launch on while the user is there") }
      isProtected = true
    case "backgroundTaskExpires": failInForeground(.expiration)
    case "executionBegan", "executionEnded": checkExecution(system)
    case "taskBegan", "taskExpires", "taskEnded": checkTask(system)
    case "shake": checkShake(system.details)
    case "screenMode": checkScreenMode(system.details)
    case "interface": checkInterface(system.details)
    case "cachesShouldShrink": checkCaches(system.details)
    case "remoteControl": checkRemoteControl(system.details)
    case "handoff": checkHandoff(system.details)
    case "notificationResponse", "remoteNotification", "noticeShown":
      if isSuspended || phase != .running { fail(.notificationResponse, "the program does not run") }
    case "request": urls.received += system.details["urls"]?.count.atMostPlausible ?? 0
    default: break
    }
    var machine = MachineTrace(
      facts: exchange(&facts, with: [:]), isAway: isSuspended || phase == .ended,
      isInBackground: application ?? .background == .background, isProtected: isProtected)
    machine.check(system)
    facts = machine.facts
    for (rule, detail) in machine.violations { fail(rule, detail) }
  }

  private mutating func failInForeground(_ rule: TraceRule) {
    if scenes.mostActive > .background { fail(rule, "a scene is in \(scenes.mostActive.rawValue)") }
  }
}
