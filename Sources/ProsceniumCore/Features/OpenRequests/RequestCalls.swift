import FoundationEssentials
import Glibc

/// What one call of a delegate for an open request is about.
enum RequestPart: Equatable {
  case urls([OpenURLContext])
  case shortcut(ApplicationShortcutItem)
  case announcement(String)
  case continuation(UserActivity)
  case failure(String, UserActivityError)

  /// The parts of a payload, in the order of their calls; all its URLs together, or one after the other.
  @MainActor static func parts(of payload: Payload, urlsTogether: Bool) -> [RequestPart] {
    let urls = urlsTogether && !payload.urls.isEmpty ? [payload.urls] : payload.urls.map { [$0] }
    var parts: [RequestPart] = urls.map { .urls($0) }
    if let item = payload.shortcut { parts.append(.shortcut(item)) }
    switch payload.continuation {
    case .whole(let activity, let isAnnounced)?:
      if isAnnounced { parts.append(.announcement(activity.activityType)) }
      parts.append(.continuation(activity))
    case .failed(let type, let error)?: parts += [.announcement(type), .failure(type, error)]
    case .announced?, nil: break
    }
    return parts
  }

  /// What is lost, the subject of an error; nil where there is nothing that could be.
  private var content: String? {
    switch self {
    case .urls(let urls): urls.count == 1 ? "A URL is" : "\(urls.count) URLs are"
    case .shortcut(let item): "The action \"\(item.type)\" is"
    case .continuation(let activity): "The user activity \"\(activity.activityType)\" is"
    case .announcement, .failure: nil
    }
  }

  /// The error of a program that has no method for the part's content, which is lost.
  @MainActor fileprivate func loss(
    in call: CallDescription, of delegate: AnyObject?, conformingTo name: String
  ) -> [FeatureAction] {
    content.map { [call.loss(of: $0, by: delegate, conformingTo: name)] } ?? []
  }
}

extension CallDescription {
  /// The error of a program that has no method for this call.
  fileprivate func loss(of content: String, by delegate: AnyObject?, conformingTo protocolName: String) -> FeatureAction
  {
    let owner = delegate.map { "\(type(of: $0))" } ?? "a scene without a delegate"
    return .report(
      "\(content) lost: \(owner) has no \(name). Write that method where the delegate's class conforms to "
        + "\(protocolName).")
  }
}

/// One call of a scene's delegate for an open request.
struct SceneRequestCall: ProgramCall {
  var part: RequestPart
  var scene: Scene

  var call: CallDescription {
    let name =
      switch part {
      case .urls: "scene(_:openURLContexts:)"
      case .shortcut: "windowScene(_:performActionFor:completionHandler:)"
      case .announcement: "scene(_:willContinueUserActivityWithType:)"
      case .continuation: "scene(_:continue:)"
      case .failure: "scene(_:didFailToContinueUserActivityWithType:error:)"
      }
    return CallDescription(name, scene: scene.session.persistentIdentifier)
  }

  func perform(for application: Application) -> [FeatureAction] {
    let (delegate, sessions) = (scene.delegate, [scene.session])
    let conductor = application.conductor
    switch part {
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
    return delegate == nil ? loss(of: nil) : []
  }

  /// Reports that the scene's delegate has no more than the method's default: an error of the program.
  func reportLoss(by delegate: AnyObject) { scene.record?.conductor?.perform(loss(of: delegate)) }

  private func loss(of delegate: AnyObject?) -> [FeatureAction] {
    let name = if case .shortcut = part { "WindowSceneDelegate" } else { "SceneDelegate" }
    return part.loss(in: call, of: delegate, conformingTo: name)
  }

  private func perform(_ item: ApplicationShortcutItem, _ conductor: Conductor?) -> [FeatureAction] {
    conductor?.traceApplication("performActionFor", sessions: [scene.session])
    guard let scene = scene as? WindowScene, let delegate = scene.delegate as? any WindowSceneDelegate else {
      return loss(of: scene.delegate)
    }
    let session = scene.session
    // The outcome of a shortcut item is traced, and not reported elsewhere.
    delegate.windowScene(scene, performActionFor: item) { [weak conductor] isDone in
      conductor?.traceRequest("performActionFor", session, isDone ? "done" : "denied")
    }
    return []
  }
}

/// One call of the application's delegate for an open request, in the app-based model.
struct ApplicationRequestCall: Notice {
  var part: RequestPart

  var call: CallDescription {
    switch part {
    case .urls: CallDescription("application(_:open:options:)")
    case .shortcut: CallDescription("application(_:performActionFor:completionHandler:)")
    case .announcement: CallDescription("application(_:willContinueUserActivityWithType:)")
    case .continuation: CallDescription("application(_:continue:restorationHandler:)")
    case .failure: CallDescription("application(_:didFailToContinueUserActivityWithType:error:)")
    }
  }

  func send(to application: Application) {
    let (delegate, conductor) = (application.delegate, application.conductor)
    switch part {
    case .urls(let contexts):
      conductor?.traceApplication("openURL")
      for context in contexts { _ = delegate?.application(application, open: context.url, options: context.options) }
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
  }

  /// Reports that the delegate has no more than the method's default: an error of the program.
  func reportLoss(by delegate: AnyObject, _ application: Application) {
    application.conductor?.perform(part.loss(in: call, of: delegate, conformingTo: "ApplicationDelegate"))
  }

  private func continueActivity(_ activity: UserActivity, _ application: Application) {
    let isContinued =
      application.delegate?.application(application, continue: activity) { responders in
        for responder in responders ?? [] { responder.restoreUserActivityState(activity) }
      } ?? false
    if isContinued { activity.delegate?.userActivityWasContinued(activity) }
    // The program does not go on with the activity: where it is about a page of the web, the user's browser does.
    guard !isContinued, let page = activity.webPage else { return }
    application.open(page) { [weak application] isOpened in
      if isOpened { return }
      application?.conductor?.report(
        "The page of the user activity \(activity.activityType) could not be opened. "
          + "Install a web browser, or choose it in the desktop's settings."
      )
    }
  }
}

/// `application(_:didReceiveSecondLaunch:)`.
struct SecondLaunchCall: Notice {
  var request: IncomingRequest
  var call: CallDescription { Self.call }
  private static let call = CallDescription("application(_:didReceiveSecondLaunch:)")

  /// Reports that the delegate has no more than the method's default, where that loses arguments.
  static func reportLoss(of launch: SecondLaunch, by delegate: AnyObject, _ application: Application) {
    guard let content = launch.contentForProgram(application) else { return }
    application.conductor?.perform([call.loss(of: content, by: delegate, conformingTo: "ApplicationDelegate")])
  }

  func send(to application: Application) {
    application.conductor?.traceApplication("didReceiveSecondLaunch")
    let launch = SecondLaunch(
      arguments: request.arguments, directory: request.directory, process: request.sender?.process,
      isBackground: request.isBackground)
    application.delegate?.application(application, didReceiveSecondLaunch: launch)
  }
}

extension SecondLaunch {
  /// What only the program can do something with, the subject of an error about its loss; nil for nothing.
  @MainActor package func contentForProgram(_ application: Application) -> String? {
    let own = LaunchOptions(
      arguments: arguments, openable: application.resolvedManifest.openable, directory: directory,
      fileExists: { access($0, F_OK) == 0 }
    ).programArguments
    guard !own.isEmpty else { return nil }
    let text = own.joined(separator: " ")
    return "\"\(text.prefix(100))\(text.count > 100 ? "..." : "")\" of a second start's command line is"
  }
}

/// `userActivityWasContinued(_:)` of an activity that a scene has connected with.
struct WasContinuedCall: Notice {
  var scene: SceneRecord
  var activity: UserActivity
  var call: CallDescription { CallDescription("userActivityWasContinued(_:)", scene: scene.identifier) }

  func send(to application: Application) { activity.delegate?.userActivityWasContinued(activity) }
}

extension UserActivity {
  /// The page that the user's web browser goes on with where the program does not.
  var webPage: URL? {
    webpageURL.flatMap { ["http", "https"].contains($0.scheme?.lowercased()) ? $0 : nil }
  }
}
