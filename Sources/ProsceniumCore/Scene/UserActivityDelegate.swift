/// Hears of a ``UserActivity``; stands for `NSUserActivityDelegate`.
///
/// All functions are called on the main thread.
@preconcurrency @MainActor public protocol UserActivityDelegate: AnyObject {
  /// Called right before the activity is saved, before its responders are asked.
  /// - Parameter userActivity: The activity, which may still be changed.
  func userActivityWillSave(_ userActivity: UserActivity)
  /// Called when something else has gone on with the activity.
  /// - Parameter userActivity: The activity.
  func userActivityWasContinued(_ userActivity: UserActivity)
}

extension UserActivityDelegate {
  /// Does nothing.
  public func userActivityWillSave(_ userActivity: UserActivity) {}
  /// Does nothing.
  public func userActivityWasContinued(_ userActivity: UserActivity) {}
}
