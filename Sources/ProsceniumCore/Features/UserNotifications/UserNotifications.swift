import ProsceniumJSON
import ProsceniumStore
import ProsceniumTrace

/// Brings the right scene forward for the user's response to a notice, and delivers it; and shows notices at their
/// times.
final class UserNotifications: FeatureBase, Feature {
  enum Message: Equatable {
    /// Opens the scene of a response, and delivers that.
    case deliver(UserNotificationResponse, isLaunch: Bool)
    /// Delivers a response once its scene has been opened.
    case call(UserNotificationResponse, SceneRecord?)
    /// Calls a completion of the program, never within the present call.
    case answer(FunctionCall)
    /// A notice may be due: the notices with triggers have changed, or their times.
    case observe
    /// A notice with a trigger is shown; where it is not, why.
    case shown(String, failure: String?)
    /// The disk may give, or take, the file of notices with triggers.
    case tryFileAgain
  }

  final class SceneState: SceneFeatureState {
    /// The response that the scene was opened for, until that is delivered.
    var response: UserNotificationResponse?
  }

  /// The response for which the bus has started the program.
  private var launchResponse: UserNotificationResponse?
  /// How far the launch has come, for notices with triggers.
  private var stage = NoticeTriggers.Stage.before
  /// The notices that wait for their times; nil while the program has used none, and none is stored.
  private var used: NoticeTriggers?

  /// The notices that wait for their times; from now on they are looked at.
  var triggers: NoticeTriggers {
    if let used { return used }
    let triggers = NoticeTriggers(application, stage)
    used = triggers
    return triggers
  }

  /// The notices that wait for their times; nil where there are none.
  var knownTriggers: NoticeTriggers? { conductor.store?.has(.notices) == true ? triggers : used }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, .complete, .takesRunBack, .claimFirstScene, by: self)
  }

  /// A crash before a run of which nobody has seen anything is still one.
  override var takesRunBack: Bool { used?.endsAfterNotices == true }

  // MARK: Launch

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .launchRequested(let request): launchResponse = request.response
    // Behind the scenes that the launch connects.
    case .launched: if let launchResponse { return [post(.deliver(launchResponse, isLaunch: true))] }
    case .storeOpened: return storeOpened()
    case .started: return started()
    case .executionChanged: used?.checkEnd()
    case .suspended: knownTriggers?.suspended()
    case .resumed: return used == nil ? [] : [post(.observe)]
    case .terminating:
      stage = .over
      used?.end()
    default: break
    }
    return []
  }

  private func storeOpened() -> [FeatureAction] {
    let isLate = stage == .ready
    stage = max(stage, .opened)
    used?.storeOpened()
    return isLate && knownTriggers != nil ? [NoticeTriggers.later] : []
  }

  private func started() -> [FeatureAction] {
    stage = max(stage, .ready)
    let isMeant = conductor.feature(Launch.self)?.options.scheduledTask == WorkStart.notice
    guard isMeant, application.applicationState == .background else {
      return knownTriggers == nil ? [] : [NoticeTriggers.later]
    }
    triggers.startedForNotice()
    return [post(.observe)]
  }

  /// The first scene of the program is the one that is asked for.
  override func claimFirstScene() -> SceneContent? {
    launchResponse.flatMap { $0.opensScene ? SceneContent(target: $0.target, options: $0.options) : nil }
  }

  override func complete(_ options: inout Scene.ConnectionOptions, of record: SceneRecord) {
    if let response = options.notificationResponse {
      state(of: record).response = response
    } else {
      knownState(of: record)?.response = nil
    }
  }

  // MARK: Responses

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    switch event {
    case .noticesDue: return used?.observe() ?? []
    case .time: used?.updateTimes()
    case .request(let request):
      if let response = request.response { return [send(.deliver(response, isLaunch: false))] }
    default: break
    }
    return []
  }

  /// A suspended program runs for a notice that is due.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    guard case .noticesDue = event else { return nil }
    return used?.isDue == true ? .wakes : .handledAsleep
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .deliver(let response, let isLaunch): return deliver(response, isLaunch: isLaunch)
    case .call(let response, let record):
      let record = record ?? (response.opensScene ? opened(for: response) : nil)
      record.map { state(of: $0).response = nil }
      return [.callAfterSettling(NotificationResponseCall(response: response, record: record))]
    case .answer(let answer): return [.callAfterSettling(answer)]
    case .observe: return triggers.observe()
    case .shown(let identifier, let failure): return used?.showed(identifier, failure: failure) ?? []
    case .tryFileAgain: return used?.tryFileAgain() ?? []
    }
  }

  private func deliver(_ response: UserNotificationResponse, isLaunch: Bool) -> [FeatureAction] {
    launchResponse = nil
    application.value(CenterKey.self)?.answered(response.request.identifier)
    guard response.opensScene else { return [post(.call(response, target(of: response)))] }
    // The launch has opened a scene for it.
    if isLaunch, let record = opened(for: response) { return [post(.call(response, record))] }
    // A launch into the background has left the sessions for now.
    if conductor.feature(Restoration.self)?.takeSessionsLeft().isEmpty == false {
      return [.send(AnyMessage(Restoration.self, .restoreSessions)), send(.deliver(response, isLaunch: false))]
    }
    let record = target(of: response)
    let request = record.map { SceneSessionActivationRequest(session: $0.session) } ?? SceneSessionActivationRequest()
    let content = SceneContent(target: response.target, options: response.options)
    let activation = SessionRequests.Message(request: .activate(request, content))
    return [.send(AnyMessage(SessionRequests.self, activation)), post(.call(response, record))]
  }

  /// The session that a response is about; nil where a new one is needed, or none was meant.
  private func target(of response: UserNotificationResponse) -> SceneRecord? {
    guard conductor.machine.model == .sceneBased else { return roster.ordered.first }
    let candidates = conductor.candidates(role: .windowApplication)
    let named = candidates.first { $0.identifier == response.request.sessionIdentifier }
    if let named { return named }
    guard let target = response.target else { return candidates.first }
    return conductor.best(for: target, among: candidates)
  }

  /// The scene that was opened for a response.
  private func opened(for response: UserNotificationResponse) -> SceneRecord? {
    roster.ordered.last { $0.scene != nil && state(of: $0).response == response }
  }
}

extension UserNotificationResponse {
  fileprivate var target: String? { request.content.targetContentIdentifier }

  @MainActor fileprivate var options: Scene.ConnectionOptions {
    var options = Scene.ConnectionOptions()
    options.notificationResponse = self
    return options
  }
}

/// `userNotificationCenter(_:didReceive:targetScene:)`.
private struct NotificationResponseCall: ProgramCall {
  var response: UserNotificationResponse
  var record: SceneRecord?
  var call: CallDescription {
    CallDescription("userNotificationCenter(_:didReceive:targetScene:)", scene: record?.identifier)
  }

  func perform(for application: Application) -> [FeatureAction] {
    let center = UserNotificationCenter.of(application)
    guard let delegate = center.delegate else {
      return [
        .report(
          "A response to the notice \"\(response.request.identifier.prefix(100))\" is lost: UserNotificationCenter.current "
            + "has no delegate. Set one in a launch callback, and hold it.")
      ]
    }
    application.conductor?.trace(
      .system(
        "notificationResponse",
        ["action": .string(response.actionIdentifier), "session": record.map { .string($0.identifier) }]))
    delegate.userNotificationCenter(center, didReceive: response, targetScene: record?.scene)
    return []
  }
}
