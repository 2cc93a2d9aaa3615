public import ProsceniumCore

/// The activities that programs of the developer continue from one another.
///
/// The offers of other programs last over a relaunch of this one.
extension HeadlessMachine {
  /// The type of the activity that the program offers to other programs; nil while it offers none.
  public var offeredActivityType: String? { parts.handoff.offer?.activityType }

  /// The title of the activity that the program offers; nil where it has none.
  public var offeredActivityTitle: String? { parts.handoff.offer?.title }

  /// Another program of the developer continues the activity that the program offers.
  ///
  /// The program brings the activity up to date, gives it, and hears that it has been continued.
  /// - Returns: The activity as the other program has it; nil where none is offered.
  public func continueOfferedActivity() -> UserActivity? { parts.handoff.ask().map { UserActivity($0) } }

  /// Another program of the developer offers an activity, in place of the one that it offered before.
  ///
  /// The program finds it in `HandoffCenter` where its manifest names the type.
  /// - Parameters:
  ///   - activity: The activity.
  ///   - application: The id of the other program.
  ///   - isGiven: Whether it gives the activity to a program that continues it; false for one that fails.
  public func offer(_ activity: UserActivity, from application: String, isGiven: Bool = true) {
    parts.handoff.add(activity.stored, of: application, isGiven: isGiven)
  }

  /// Another program offers nothing any more.
  /// - Parameter application: The id of the other program.
  public func withdrawOffer(from application: String) { parts.handoff.remove(application) }
}
