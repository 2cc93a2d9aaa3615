/// The callbacks of a ``UserActivity``; UIKit's `NSUserActivityDelegate`.
///
/// All functions are called on the main thread.
@preconcurrency @MainActor public protocol UserActivityDelegate: AnyObject {
  /// Called right before the activity is saved, or given to another program that continues it, before its responders
  /// are called.
  /// - Parameter userActivity: The activity, which may still be changed.
  func userActivityWillSave(_ userActivity: UserActivity)
  /// Called when another scene or instance has continued the activity.
  /// - Parameter userActivity: The activity.
  func userActivityWasContinued(_ userActivity: UserActivity)
}

extension UserActivityDelegate {
  /// Does nothing.
  public func userActivityWillSave(_ userActivity: UserActivity) {}
  /// Does nothing.
  public func userActivityWasContinued(_ userActivity: UserActivity) {}
}
