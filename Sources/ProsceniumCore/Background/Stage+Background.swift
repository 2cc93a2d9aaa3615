import SceneLifecycle

/// What happens to a scene in the background, in this order: its delegate has returned, its state is asked for and
/// saved, its picture is taken, what it held is given back; and later the program may be suspended.
extension Stage {
  /// The delegate's `sceneDidEnterBackground` has returned.
  func enteredBackground(_ record: SceneRecord) {
    // In the app-based model the application delegate hears of it first.
    guard law.model == .sceneBased else { return saveSoon(record) }
    leaveForeground(record)
  }

  /// Whoever hears of it has heard: the delegate of the scene, or the application's in the app-based model.
  func leaveForeground(_ record: SceneRecord) {
    collectState(of: record)
    sessionChanged(record)
    // With the writer before anything is drawn: a drawing that hangs costs the picture, and not the state.
    saveSessions()
    watched("the drawing of the scene's picture", record) { takeSnapshot(of: record) }
    purge(record)
  }
}
