import FoundationEssentials

/// `applicationDidReceiveMemoryWarning(_:)`, the windows' contents, and the notification.
struct MemoryWarningCall: ProgramCall {
  /// The connected scenes, those in the background first.
  var scenes: [SceneRecord]
  var call: CallDescription { CallDescription("applicationDidReceiveMemoryWarning(_:)") }

  func perform(for application: Application) -> [FeatureAction] {
    application.delegate?.applicationDidReceiveMemoryWarning(application)
    for record in scenes {
      for window in record.windowScene?.windows ?? [] { window.content?.didReceiveMemoryWarning() }
    }
    NotificationCenter.default.post(
      Application.DidReceiveMemoryWarningMessage(application: application), subject: application)
    return []
  }
}
