import SceneLifecycle

/// What a program has chosen for itself.
///
/// The application's own, and not the stage's: a subclass chooses in its initialiser, when there is no stage yet.
@MainActor struct ApplicationChoices {
  var holdTimes = HoldTimes()
  var reclaimPolicy = ReclaimPolicy()
  var backgroundTimes = BackgroundTimes()
  var isIdleTimerDisabled = false
  /// What is closed and opened around a suspension.
  var resources = SuspendableResources()
}
