/// `scene(_:restoreInteractionStateWith:)`: after `willConnect`, before the first foreground.
struct RestorationCall: Notice {
  var scene: SceneRecord
  var call: CallDescription { CallDescription("scene(_:restoreInteractionStateWith:)", scene: scene.identifier) }

  func send(to application: Application) {
    guard let conductor = scene.conductor, conductor.machine.model == .sceneBased, let object = scene.scene,
      let delegate = object.delegate, let activity = scene.session.stateRestorationActivity
    else { return }
    conductor.traceRequest("restoreInteractionState", scene.session, activity.activityType)
    delegate.scene(object, restoreInteractionStateWith: activity)
  }
}

/// `application(_:didDecodeRestorableStateWith:)`, where the application restores its state.
struct ApplicationRestorationCall: Notice {
  var session: SceneSession
  var state: UserActivity
  var call: CallDescription { CallDescription("application(_:didDecodeRestorableStateWith:)", phase: .launch) }

  func send(to application: Application) {
    guard let delegate = application.delegate,
      delegate.application(application, shouldRestoreSecureApplicationState: state)
    else { return }
    application.conductor?.traceRequest("restoreInteractionState", session, state.activityType)
    delegate.application(application, didDecodeRestorableStateWith: state)
  }
}

/// `application(_:didHoldBackSceneSessions:)`.
struct HeldBackCall: Notice {
  var sessions: [SceneSession]
  var call: CallDescription { CallDescription("application(_:didHoldBackSceneSessions:)") }

  func send(to application: Application) {
    application.conductor?.traceApplication("didHoldBackSceneSessions", sessions: sessions)
    application.delegate?.application(application, didHoldBackSceneSessions: Set(sessions))
  }
}
