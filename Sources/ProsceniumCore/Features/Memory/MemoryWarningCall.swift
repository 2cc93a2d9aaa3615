/// `applicationDidReceiveMemoryWarning(_:)`, the windows' contents, and the notification.
struct MemoryWarningCall: Notice {
  /// The connected scenes, those in the background first.
  var scenes: [SceneRecord]
  var call: CallDescription { CallDescription("applicationDidReceiveMemoryWarning(_:)") }

  func send(to application: Application) {
    application.delegate?.applicationDidReceiveMemoryWarning(application)
    for record in scenes {
      for window in record.windowScene?.windows ?? [] { window.content?.didReceiveMemoryWarning() }
    }
    Application.DidReceiveMemoryWarningMessage(application: application).post()
  }
}
