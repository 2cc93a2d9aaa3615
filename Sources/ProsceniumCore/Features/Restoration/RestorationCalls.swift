import SceneLifecycle

/// `scene(_:restoreInteractionStateWith:)`: after `willConnect`, before the first foreground.
struct RestorationCall: ProgramCall {
  var scene: SceneRecord
  var call: CallDescription {
    CallDescription("scene(_:restoreInteractionStateWith:)", scene: scene.identifier)
  }

  func perform(for application: Application) -> [FeatureAction] {
    guard let conductor = scene.conductor, conductor.machine.model == .sceneBased, let object = scene.scene,
      let delegate = object.delegate, let activity = scene.session.stateRestorationActivity
    else { return [] }
    conductor.traceRequest("restoreInteractionState", scene.session, activity.activityType)
    delegate.scene(object, restoreInteractionStateWith: activity)
    return []
  }
}

/// `application(_:didDecodeRestorableStateWith:)`, where the application restores its state.
struct ApplicationRestorationCall: ProgramCall {
  var session: SceneSession
  var state: UserActivity
  var call: CallDescription {
    CallDescription("application(_:didDecodeRestorableStateWith:)", phase: .launch)
  }

  func perform(for application: Application) -> [FeatureAction] {
    guard let delegate = application.delegate,
      delegate.application(application, shouldRestoreSecureApplicationState: state)
    else { return [] }
    application.conductor?.traceRequest("restoreInteractionState", session, state.activityType)
    delegate.application(application, didDecodeRestorableStateWith: state)
    return []
  }
}

/// `application(_:didHoldBackSceneSessions:)`.
struct HeldBackCall: ProgramCall {
  var sessions: [SceneSession]
  var call: CallDescription { CallDescription("application(_:didHoldBackSceneSessions:)") }

  func perform(for application: Application) -> [FeatureAction] {
    application.conductor?.traceApplication("didHoldBackSceneSessions", sessions: sessions)
    application.delegate?.application(application, didHoldBackSceneSessions: Set(sessions))
    return []
  }
}
