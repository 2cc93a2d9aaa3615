import ProsceniumStore
import SceneLifecycle

/// `stateRestorationActivity(for:)`, or in the app-based model the application's encoding of its state.
struct StateCall: ProgramCall {
  var scene: SceneRecord
  /// The number of the item of the inbox in which the state is asked for.
  var item: Int
  private var isAppBased: Bool { scene.conductor?.law.model == .appBased }
  var call: CallDescription {
    let name =
      isAppBased ? "application(_:willEncodeRestorableStateWith:)" : "stateRestorationActivity(for:)"
    return CallDescription(name, scene: scene.identifier)
  }

  func perform(for application: Application) -> [FeatureAction] {
    let state = scene.state(of: Saving.self)
    // Also what the delegate says while it is being asked is in its answer.
    defer { state.isStateChanged = false }
    if isAppBased { return encode(application, state) }
    guard let object = scene.scene, let delegate = object.delegate, delegate.implements(.stateRestorationActivity)
    else { return [] }
    state.stateAskedIn = item
    let activity = delegate.askState(of: object)
    activity?.collect {
      if let activity { delegate.scene(object, didUpdate: activity) }
    }
    scene.session.stateRestorationActivity = activity
    return [.traceRequest("stateRestorationActivity", scene.session, activity?.activityType ?? "none")]
  }

  private func encode(_ application: Application, _ state: Saving.SceneState) -> [FeatureAction] {
    guard let delegate = application.delegate else { return [] }
    state.stateAskedIn = item
    let activity = UserActivity(activityType: application.identifier)
    let saves = delegate.application(application, shouldSaveSecureApplicationState: activity)
    if saves { delegate.application(application, willEncodeRestorableStateWith: activity) }
    scene.session.stateRestorationActivity = saves ? activity : nil
    return [.traceRequest("stateRestorationActivity", scene.session, saves ? activity.activityType : "none")]
  }
}

/// `application(_:didFailToSaveSceneSessions:)`.
struct StoreFailureCall: ProgramCall {
  var failure: StoreFailure
  var call: CallDescription { CallDescription("application(_:didFailToSaveSceneSessions:)") }

  func perform(for application: Application) -> [FeatureAction] {
    application.delegate?.application(application, didFailToSaveSceneSessions: failure)
    return []
  }
}

/// `application(_:didDiscardSceneSessions:)`.
struct DiscardCall: ProgramCall {
  var sessions: [SceneSession]
  var call: CallDescription { CallDescription("application(_:didDiscardSceneSessions:)") }

  func perform(for application: Application) -> [FeatureAction] {
    application.conductor?.traceApplication("didDiscardSceneSessions", sessions: sessions)
    application.conductor?.store?.flush()
    application.delegate?.application(application, didDiscardSceneSessions: Set(sessions))
    return []
  }
}
