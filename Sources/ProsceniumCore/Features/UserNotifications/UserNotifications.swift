import ProsceniumJSON
import ProsceniumTrace

/// Brings the right scene forward for the user's response to a notice, and delivers it.
final class UserNotifications: FeatureBase, Feature {
  enum Message: Equatable {
    /// Opens the scene of a response, and delivers that.
    case deliver(UserNotificationResponse, isLaunch: Bool)
    /// Delivers a response once its scene has been opened.
    case call(UserNotificationResponse, SceneRecord?)
    /// Calls a completion of the program, never within the present call.
    case answer(FunctionCall)
  }

  final class SceneState: SceneFeatureState {
    /// The response that the scene was opened for, until that is delivered.
    var response: UserNotificationResponse?
  }

  /// The response for which the bus has started the program.
  private var launchResponse: UserNotificationResponse?

  // MARK: Launch

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .launchRequested(let request): launchResponse = request.response
    // Behind the scenes that the launch connects.
    case .launched: if let launchResponse { return [post(.deliver(launchResponse, isLaunch: true))] }
    default: break
    }
    return []
  }

  /// The first scene of the program is the one that is asked for.
  override func claimFirstScene() -> SceneContent? {
    launchResponse.flatMap { $0.opensScene ? SceneContent(target: $0.target, options: $0.options) : nil }
  }

  override func complete(_ options: inout Scene.ConnectionOptions, of record: SceneRecord) {
    state(of: record).response = options.notificationResponse
  }

  // MARK: Responses

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .request(let request) = event, let response = request.response else { return [] }
    return [send(.deliver(response, isLaunch: false))]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .deliver(let response, let isLaunch): return deliver(response, isLaunch: isLaunch)
    case .call(let response, let record):
      let record = record ?? (response.opensScene ? opened(for: response) : nil)
      record.map { state(of: $0).response = nil }
      return [.callAfterSettling(NotificationResponseCall(response: response, record: record))]
    case .answer(let answer): return [.callAfterSettling(answer)]
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
