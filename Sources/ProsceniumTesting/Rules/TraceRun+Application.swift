extension TraceRun {
  mutating func app(_ line: TraceChecker.Line) {
    guard let name = line.text("name"), let state = line.text("state").flatMap(ApplicationStanding.init) else {
      return fail(.applicationStep, line, "the name or the state is missing")
    }
    if phase == .terminated { fail(.terminated, line, "\(name) comes after it") }
    if isSuspended { fail(.silence, line, "it hears of \(name)") }
    checkAnnouncement(line, name)
    switch name {
    case "willFinishLaunchingWithOptions":
      if phase != .launching { fail(.launchPair, line, "\(name) comes again, or too late") }
      phase = .launchingTwice
      return
    case "didFinishLaunchingWithOptions":
      if phase != .launchingTwice { fail(.launchPair, line, "\(name) does not follow the other one") }
      phase = .running
      return
    default: break
    }
    if phase < .running {
      fail(.launchPair, line, "\(name) comes before didFinishLaunchingWithOptions")
      phase = .running
    }
    if let step = Self.steps[name] { return take(step, state, line, name) }
    if let application, application != state {
      fail(.applicationStep, line, "\(name) says \(state.rawValue), and the last step led to \(application.rawValue)")
    }
    tell(line, name)
  }

  // MARK: Steps

  private static let steps: [String: (from: ApplicationStanding, to: ApplicationStanding)] = [
    "applicationWillEnterForeground": (.background, .inactive),
    "applicationDidBecomeActive": (.inactive, .active),
    "applicationWillResignActive": (.active, .inactive),
    "applicationDidEnterBackground": (.inactive, .background),
  ]

  private mutating func take(
    _ step: (from: ApplicationStanding, to: ApplicationStanding), _ state: ApplicationStanding,
    _ line: TraceChecker.Line, _ name: String
  ) {
    if state != step.to {
      fail(.applicationStep, line, "\(name) says \(state.rawValue), and leads to \(step.to.rawValue)")
    }
    // The app-based model begins with the launch's own state, which may be either.
    let isFirst = application == nil && isSceneBased != true
    let from = application ?? .background
    if !isFirst, from != step.from {
      fail(.applicationStep, line, "\(name) begins in \(step.from.rawValue), and the application is \(from.rawValue)")
    }
    let most = mostActive.application
    if step.to > step.from ? most < step.to : most > step.to {
      fail(.aggregate, line, "\(name) comes while the most active scene is in \(mostActive.rawValue)")
    }
    application = step.to
  }

  // MARK: What the application is told

  private mutating func tell(_ line: TraceChecker.Line, _ name: String) {
    switch name {
    case "applicationWillTerminate": terminate(line)
    case "didDiscardSceneSessions":
      for session in line.sessions {
        if !discarded.insert(session).inserted { fail(.discard, line, session, "it was discarded before") }
        if scenes[session]?.standing ?? .unattached != .unattached {
          fail(.discard, line, session, "its scene is connected")
        }
        closedByUser.remove(session)
      }
    case "applicationProtectedDataWillBecomeUnavailable":
      if isProtected { fail(.protectedData, line, "it was said before") }
      if absences.isDisjoint(with: ["locked", "switchedAway"]) { fail(.protectedData, line, "the user is there") }
      if mostActive > .background { fail(.protectedScenes, line, "a scene is in \(mostActive.rawValue)") }
      isProtected = true
    case "applicationProtectedDataDidBecomeAvailable":
      if !isProtected { fail(.protectedData, line, "it was available") }
      if !absences.isDisjoint(with: ["locked", "switchedAway"]) { fail(.protectedData, line, "the user is away") }
      isProtected = false
    case "openURLContexts":
      urlsDelivered += line.urls
      checkReceivers(line, name)
    case "openURL": urlsDelivered += 1
    case "continueUserActivity", "didFailToContinueUserActivityWithType", "willContinueUserActivityWithType":
      checkReceivers(line, name)
    default: break
    }
    countURLs(line)
  }

  mutating func countURLs(_ line: TraceChecker.Line) {
    guard urlsDelivered > urlsReceived, isSceneBased != nil else { return }
    fail(.exactlyOnce, line, "\(urlsDelivered) URLs have been handed over, and \(urlsReceived) came")
    urlsReceived = urlsDelivered
  }

  private mutating func terminate(_ line: TraceChecker.Line) {
    phase = .terminated
    for (identifier, scene) in scenes.sorted(by: { $0.key < $1.key }) where scene.standing != .unattached {
      fail(.ending, line, identifier, "it is in \(scene.standing.rawValue) when applicationWillTerminate comes")
    }
    for identifier in closedByUser.sorted() {
      fail(.closedIsDiscarded, line, identifier, "the program ends before didDiscardSceneSessions")
    }
    // The app-based model's launch callbacks may say that nothing is to be opened.
    if isSceneBased == true, urlsDelivered < urlsReceived, !hasLostURLs {
      fail(.exactlyOnce, line, "\(urlsReceived) URLs came, and \(urlsDelivered) have been handed over")
    }
  }

  private mutating func checkReceivers(_ line: TraceChecker.Line, _ name: String) {
    for session in line.sessions where scenes[session]?.standing ?? .unattached == .unattached {
      fail(.receiver, line, session, "\(name) goes to a scene that is not connected")
    }
  }

  /// What is announced comes next; and what fails has been announced.
  private mutating func checkAnnouncement(_ line: TraceChecker.Line, _ name: String) {
    let isEnd = name == "continueUserActivity" || name == "didFailToContinueUserActivityWithType"
    if announced == nil, name == "didFailToContinueUserActivityWithType" {
      fail(.activity, line, line.sessions.first, "\(name) was not announced")
    } else if !isEnd || announced != line.sessions {
      failAnnouncement(line, name)
    }
    announced = name == "willContinueUserActivityWithType" ? line.sessions : nil
  }

  /// Something else comes where an activity's end is due.
  mutating func failAnnouncement(_ line: TraceChecker.Line, _ name: String) {
    guard let announced else { return }
    fail(.activity, line, announced.first, "\(name) comes where the activity's end is due")
    self.announced = nil
  }

  // MARK: The system

  mutating func system(_ line: TraceChecker.Line) {
    switch line.text("name") {
    case "suspended":
      if isSuspended || phase == .ended { fail(.suspension, line, "it is suspended already") }
      if mostActive > .background { fail(.suspension, line, "a scene is in \(mostActive.rawValue)") }
      failAnnouncement(line, "suspended")
      isSuspended = true
    case "resumed":
      if !isSuspended || phase == .ended { fail(.suspension, line, "it is not suspended") }
      isSuspended = false
    case "ended":
      if !isSuspended || phase == .ended { fail(.suspension, line, "it is not suspended") }
      phase = .ended
    case "backgroundTaskExpires":
      if mostActive > .background { fail(.expiration, line, "a scene is in \(mostActive.rawValue)") }
    case "request": urlsReceived += line.urls
    default: break
    }
  }
}
