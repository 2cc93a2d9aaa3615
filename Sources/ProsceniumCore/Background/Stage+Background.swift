import SceneLifecycle

/// What happens to a scene in the background, in this order: its delegate has returned, its state is asked for and
/// saved, its picture is taken, what it held is given back; and later the program may be suspended.
extension Stage {
  /// The delegate's `sceneDidEnterBackground` has returned.
  func enteredBackground(_ record: SceneRecord) {
    // In the app-based model the application delegate hears of it first.
    if law.model == .sceneBased { collectState(of: record) }
    saveSoon(record)
    takeSnapshot(of: record)
    purge(record)
  }

  /// Whether a background task holds the program: it does not end with its last scene, and is not suspended.
  var holdsBackgroundTask: Bool { false }

  /// Draws the picture that stands for the scene until it is seen again.
  func takeSnapshot(of record: SceneRecord) {}

  /// Gives back what the scene's windows hold and can make again.
  func purge(_ record: SceneRecord) { record.visibilityMayHaveChanged() }

  /// Memory is short.
  func memoryPressure(_ pressure: MemoryPressure) {}
}
