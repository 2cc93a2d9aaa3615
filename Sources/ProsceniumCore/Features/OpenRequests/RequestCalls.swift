import FoundationEssentials
import ProsceniumPlatform

/// One call of a scene's delegate for an open request.
struct SceneRequestCall: ProgramCall {
  enum Kind: Equatable {
    case urls([OpenURLContext])
    case shortcut(ApplicationShortcutItem)
    case announcement(String)
    case continuation(UserActivity)
    case failure(String, UserActivityError)
  }

  var kind: Kind
  var scene: Scene
  var record: SceneRecord

  /// The calls for a payload, in order.
  static func calls(for payload: Payload, _ scene: Scene, _ record: SceneRecord) -> [SceneRequestCall] {
    var kinds: [Kind] = []
    if !payload.urls.isEmpty { kinds.append(.urls(payload.urls)) }
    if let item = payload.shortcut { kinds.append(.shortcut(item)) }
    switch payload.continuation {
    case .whole(let activity, let isAnnounced)?:
      if isAnnounced { kinds.append(.announcement(activity.activityType)) }
      kinds.append(.continuation(activity))
    case .failed(let type, let error)?: kinds += [.announcement(type), .failure(type, error)]
    case nil: break
    }
    return kinds.map { SceneRequestCall(kind: $0, scene: scene, record: record) }
  }

  var call: CallDescription {
    let name =
      switch kind {
      case .urls: "scene(_:openURLContexts:)"
      case .shortcut: "windowScene(_:performActionFor:completionHandler:)"
      case .announcement: "scene(_:willContinueUserActivityWithType:)"
      case .continuation: "scene(_:continue:)"
      case .failure: "scene(_:didFailToContinueUserActivityWithType:error:)"
      }
    return CallDescription(name, scene: record.identifier)
  }

  func perform(for application: Application) -> [FeatureAction] {
    let (delegate, sessions) = (scene.delegate, [record.session])
    let conductor = application.conductor
    switch kind {
    case .urls(let urls):
      conductor?.traceApplication("openURLContexts", sessions: sessions, urls: urls.count)
      delegate?.scene(scene, openURLContexts: Set(urls))
    case .shortcut(let item): return perform(item, conductor)
    case .announcement(let type):
      conductor?.traceApplication("willContinueUserActivityWithType", sessions: sessions)
      delegate?.scene(scene, willContinueUserActivityWithType: type)
    case .continuation(let activity):
      conductor?.traceApplication("continueUserActivity", sessions: sessions)
      delegate?.scene(scene, continue: activity)
      activity.delegate?.userActivityWasContinued(activity)
    case .failure(let type, let error):
      conductor?.traceApplication("didFailToContinueUserActivityWithType", sessions: sessions)
      delegate?.scene(scene, didFailToContinueUserActivityWithType: type, error: error)
    }
    return []
  }

  private func perform(_ item: ApplicationShortcutItem, _ conductor: Conductor?) -> [FeatureAction] {
    conductor?.traceApplication("performActionFor", sessions: [record.session])
    guard let scene = scene as? WindowScene, let delegate = scene.delegate as? any WindowSceneDelegate else {
      return [.report("The action \"\(item.type)\" was not performed: the scene has no WindowSceneDelegate.")]
    }
    let session = record.session
    // The outcome of a shortcut item is traced, and not reported elsewhere.
    delegate.windowScene(scene, performActionFor: item) { [weak conductor] isDone in
      conductor?.traceRequest("performActionFor", session, isDone ? "done" : "denied")
    }
    return []
  }
}

/// One call of the application's delegate for an open request, in the app-based model.
struct ApplicationRequestCall: ProgramCall {
  enum Kind: Equatable {
    case url(OpenURLContext)
    case shortcut(ApplicationShortcutItem)
    case announcement(String)
    case continuation(UserActivity)
    case failure(String, UserActivityError)
  }

  var kind: Kind

  /// The calls for a payload, in order: one URL after the other.
  static func calls(for payload: Payload) -> [ApplicationRequestCall] {
    var kinds: [Kind] = payload.urls.map { .url($0) }
    if let item = payload.shortcut { kinds.append(.shortcut(item)) }
    switch payload.continuation {
    case .whole(let activity, let isAnnounced)?:
      if isAnnounced { kinds.append(.announcement(activity.activityType)) }
      kinds.append(.continuation(activity))
    case .failed(let type, let error)?: kinds += [.announcement(type), .failure(type, error)]
    case nil: break
    }
    return kinds.map { ApplicationRequestCall(kind: $0) }
  }

  var call: CallDescription {
    switch kind {
    case .url: CallDescription("application(_:open:options:)")
    case .shortcut: CallDescription("application(_:performActionFor:completionHandler:)")
    case .announcement: CallDescription("application(_:willContinueUserActivityWithType:)")
    case .continuation: CallDescription("application(_:continue:restorationHandler:)")
    case .failure: CallDescription("application(_:didFailToContinueUserActivityWithType:error:)")
    }
  }

  func perform(for application: Application) -> [FeatureAction] {
    let (delegate, conductor) = (application.delegate, application.conductor)
    switch kind {
    case .url(let context):
      conductor?.traceApplication("openURL")
      _ = delegate?.application(application, open: context.url, options: context.options)
    case .shortcut(let item):
      conductor?.traceApplication("performActionFor")
      delegate?.application(application, performActionFor: item) { [weak conductor] isDone in
        conductor?.traceRequest("performActionFor", nil, isDone ? "done" : "denied")
      }
    case .announcement(let type):
      conductor?.traceApplication("willContinueUserActivityWithType")
      _ = delegate?.application(application, willContinueUserActivityWithType: type)
    case .continuation(let activity):
      conductor?.traceApplication("continueUserActivity")
      continueActivity(activity, application)
    case .failure(let type, let error):
      conductor?.traceApplication("didFailToContinueUserActivityWithType")
      delegate?.application(application, didFailToContinueUserActivityWithType: type, error: error)
    }
    return []
  }

  private func continueActivity(_ activity: UserActivity, _ application: Application) {
    let isContinued =
      application.delegate?.application(application, continue: activity) { responders in
        for responder in responders ?? [] { responder.restoreUserActivityState(activity) }
      } ?? false
    if isContinued {
      activity.delegate?.userActivityWasContinued(activity)
    } else {
      openPage(of: activity, application)
    }
  }

  /// The program does not go on with an activity: where it is about a page of the web, the user's browser does.
  private func openPage(of activity: UserActivity, _ application: Application) {
    guard let page = activity.webpageURL, ["http", "https"].contains(page.scheme?.lowercased()) else { return }
    application.open(page) { [weak application] isOpened in
      if isOpened { return }
      application?.conductor?.report("The page of the user activity \(activity.activityType) could not be opened.")
    }
  }
}

/// `application(_:didReceiveSecondLaunch:)`.
struct SecondLaunchCall: ProgramCall {
  var request: IncomingRequest
  var call: CallDescription { CallDescription("application(_:didReceiveSecondLaunch:)") }

  func perform(for application: Application) -> [FeatureAction] {
    application.conductor?.traceApplication("didReceiveSecondLaunch")
    let launch = SecondLaunch(
      arguments: request.arguments, directory: request.directory, process: request.sender?.process,
      isBackground: request.isBackground)
    application.delegate?.application(application, didReceiveSecondLaunch: launch)
    return []
  }
}

/// `userActivityWasContinued(_:)` of an activity that a scene has connected with.
struct WasContinuedCall: ProgramCall {
  var scene: SceneRecord
  var activity: UserActivity
  var call: CallDescription { CallDescription("userActivityWasContinued(_:)", scene: scene.identifier) }

  func perform(for application: Application) -> [FeatureAction] {
    activity.delegate?.userActivityWasContinued(activity)
    return []
  }
}

/// An answer to the program.
final class RequestAnswer: ProgramCall, Equatable {
  private let body: @MainActor () -> Void
  var call: CallDescription { CallDescription("completionHandler", phase: .event) }

  init(_ body: @escaping @MainActor () -> Void) { self.body = body }

  func perform(for application: Application) -> [FeatureAction] {
    body()
    return []
  }

  nonisolated static func == (left: RequestAnswer, right: RequestAnswer) -> Bool { left === right }
}
