import FoundationEssentials

/// The calls by which the program hears what others ask of it.
extension Stage {
  func call(_ record: SceneRecord, _ parcel: Parcel) {
    guard law.model == .sceneBased else { return callApplication(parcel) }
    guard let scene = record.scene else { return redirect(parcel) }
    let sessions = [record.session]
    if !parcel.urls.isEmpty {
      traceApplication("openURLContexts", sessions: sessions, urls: parcel.urls.count)
      watched("scene(_:openURLContexts:)", record) {
        scene.delegate?.scene(scene, openURLContexts: Set(parcel.urls))
      }
    }
    if let item = parcel.shortcut { perform(item, in: scene, record) }
    switch parcel.continuation {
    case .whole(let activity, let isAnnounced)?:
      if isAnnounced { announce(activity.activityType, record, scene) }
      traceApplication("continueUserActivity", sessions: sessions)
      watched("scene(_:continue:)", record) {
        scene.delegate?.scene(scene, continue: activity)
        activity.delegate?.userActivityWasContinued(activity)
      }
    case .failed(let type, let error)?:
      announce(type, record, scene)
      traceApplication("didFailToContinueUserActivityWithType", sessions: sessions)
      watched("scene(_:didFailToContinueUserActivityWithType:error:)", record) {
        scene.delegate?.scene(scene, didFailToContinueUserActivityWithType: type, error: error)
      }
    case nil: break
    }
  }

  private func perform(_ item: ApplicationShortcutItem, in scene: Scene, _ record: SceneRecord) {
    traceApplication("performActionFor", sessions: [record.session])
    guard let scene = scene as? WindowScene, let delegate = scene.delegate as? any WindowSceneDelegate else {
      return report("The action \"\(item.type)\" was not performed: the scene has no WindowSceneDelegate.")
    }
    watched("windowScene(_:performActionFor:completionHandler:)", record) {
      delegate.windowScene(scene, performActionFor: item, completionHandler: whenPerformed(record.session))
    }
  }

  /// What came of an action is in the trace, and told to nobody else.
  private func whenPerformed(_ session: SceneSession?) -> @MainActor (Bool) -> Void {
    { [weak self] isDone in self?.traceRequest("performActionFor", session, isDone ? "done" : "denied") }
  }

  private func announce(_ type: String, _ record: SceneRecord, _ scene: Scene) {
    traceApplication("willContinueUserActivityWithType", sessions: [record.session])
    watched("scene(_:willContinueUserActivityWithType:)", record) {
      scene.delegate?.scene(scene, willContinueUserActivityWithType: type)
    }
  }

  /// In the app-based model the application's delegate hears of everything, one URL after the other.
  func callApplication(_ parcel: Parcel) {
    let delegate = application.delegate
    for context in parcel.urls {
      traceApplication("openURL")
      watched("application(_:open:options:)") {
        _ = delegate?.application(application, open: context.url, options: context.options)
      }
    }
    if let item = parcel.shortcut {
      traceApplication("performActionFor")
      watched("application(_:performActionFor:completionHandler:)") {
        delegate?.application(application, performActionFor: item, completionHandler: whenPerformed(nil))
      }
    }
    switch parcel.continuation {
    case .whole(let activity, let isAnnounced)?:
      if isAnnounced { announceToApplication(activity.activityType) }
      traceApplication("continueUserActivity")
      let isContinued = watched("application(_:continue:restorationHandler:)") {
        let isContinued =
          delegate?.application(application, continue: activity) { responders in
            for responder in responders ?? [] { responder.restoreUserActivityState(activity) }
          } ?? false
        if isContinued { activity.delegate?.userActivityWasContinued(activity) }
        return isContinued
      }
      if !isContinued { openPage(of: activity) }
    case .failed(let type, let error)?:
      announceToApplication(type)
      traceApplication("didFailToContinueUserActivityWithType")
      watched("application(_:didFailToContinueUserActivityWithType:error:)") {
        delegate?.application(application, didFailToContinueUserActivityWithType: type, error: error)
      }
    case nil: break
    }
  }

  /// The program does not go on with an activity: where it is about a page of the web, whoever opens those does.
  private func openPage(of activity: UserActivity) {
    guard let page = activity.webpageURL, ["http", "https"].contains(page.scheme?.lowercased()) else { return }
    application.open(page) { [weak self] isOpened in
      if !isOpened { self?.report("The page of the user activity \(activity.activityType) could not be opened.") }
    }
  }

  private func announceToApplication(_ type: String) {
    traceApplication("willContinueUserActivityWithType")
    watched("application(_:willContinueUserActivityWithType:)") {
      _ = application.delegate?.application(application, willContinueUserActivityWithType: type)
    }
  }
}
