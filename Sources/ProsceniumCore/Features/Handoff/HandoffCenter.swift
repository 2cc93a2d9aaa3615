import ProsceniumPlatform

/// The activities of the user in other programs of the developer, which this one can continue.
///
/// ```swift
/// for activity in await HandoffCenter.shared.activities() {
///   try await HandoffCenter.shared.continueActivity(activity)
/// }
/// ```
///
/// A program offers its current activity (``UserActivity/becomeCurrent()``) while that is eligible
/// (``UserActivity/isEligibleForHandoff``), has not expired, and is in front: a scene is in the foreground to whose
/// responders it belongs, or any scene where it belongs to none. A program in the background, or suspended, offers
/// nothing. Another program of the developer that names the type in ``ApplicationManifest/userActivityTypes`` finds it
/// here and continues it; so can a panel of the desktop, which starts that program where it does not run.
///
/// When it is continued the offering program brings it up to date (``UserActivityDelegate/userActivityWillSave(_:)``,
/// the responders, ``SceneLifecycleDelegate/scene(_:didUpdate:)``); the other one receives it as from any program, in
/// the scene that fits best: ``OpenRequestsSceneDelegate/scene(_:willContinueUserActivityWithType:)``, then either
/// ``OpenRequestsSceneDelegate/scene(_:continue:)`` or
/// ``OpenRequestsSceneDelegate/scene(_:didFailToContinueUserActivityWithType:error:)``. Then the first one's
/// ``UserActivityDelegate/userActivityWasContinued(_:)`` is called; where it is suspended by then, when it runs again.
///
/// On Linux by the session bus: see <doc:ContinuingElsewhere>. Without a bus nothing is offered and nothing is found.
/// For the main thread, after the launch.
@MainActor public final class HandoffCenter {
  /// The center of ``Application/shared``.
  public static var shared: HandoffCenter { of(Application.shared) }

  /// The center of a program.
  static func of(_ application: Application) -> HandoffCenter {
    if let center = application.value(HandoffCenterKey.self) { return center }
    let center = HandoffCenter(application)
    application.setValue(center, HandoffCenterKey.self)
    return center
  }

  /// Nil once the process is dead, in a test.
  private weak var application: Application?

  init(_ application: Application) { self.application = application }

  private var service: (any HandoffService)? { application?.host.services.handoff }

  /// Asks which activities other programs of the developer offer now, of the types that the manifest names.
  ///
  /// Asked once for each call: nothing is observed. Programs that do not answer within two seconds are left out.
  /// - Parameter completion: Called once, later, on the main thread, with the activities, in the order of the programs'
  ///   names on the bus.
  public func activities(completionHandler completion: @escaping @MainActor ([HandoffActivity]) -> Void) {
    assertMainThread()
    let answer: @MainActor ([HandoffListing]) -> Void = { [self] listings in
      answerLater { completion(listings.map { HandoffActivity($0) }) }
    }
    let types = application?.resolvedManifest.userActivityTypes ?? []
    guard let service, !types.isEmpty else { return answer([]) }
    service.list(types, completion: answer)
  }

  /// Asks which activities other programs of the developer offer now; the asynchronous form of
  /// ``activities(completionHandler:)``.
  /// - Returns: The activities, in the order of the programs' names on the bus.
  public func activities() async -> [HandoffActivity] {
    await withMainActorContinuation { continuation in
      activities(completionHandler: { continuation.resume(returning: $0) })
    }
  }

  /// Continues an activity of another program, which is asked for it now.
  ///
  /// Delivered to the scene that fits best by its ``UserActivity/targetContentIdentifier``, as
  /// ``OpenRequestsSceneDelegate/scene(_:continue:)`` says. Where the other program has ended, does not answer within
  /// five seconds, or gives something else, the delegate is told, too.
  /// - Parameters:
  ///   - activity: One of ``activities(completionHandler:)``.
  ///   - completion: Called once, later, on the main thread, with nil where the activity is delivered or about to be,
  ///     or with a ``UserActivityError``.
  public func continueActivity(
    _ activity: HandoffActivity, completionHandler completion: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    assertMainThread()
    let type = activity.activityType
    let answer: @MainActor (DesktopFailure?) -> Void = { [self] failure in
      let error = failure.map { UserActivityError("The user activity \(type) cannot be continued: \($0)") }
      answerLater { completion?(error) }
    }
    guard let service else { return answer(DesktopFailure("there is no bus, by which other programs can be reached")) }
    service.take(activity.listing) { result in
      if case .failure(let failure) = result { answer(failure) } else { answer(nil) }
    }
  }

  /// Continues an activity of another program; the asynchronous form of ``continueActivity(_:completionHandler:)``.
  /// - Parameter activity: One of ``activities()``.
  /// - Throws: ``UserActivityError`` if the other program does not give it.
  public func continueActivity(_ activity: HandoffActivity) async throws {
    let error = await withMainActorContinuation { continuation in
      continueActivity(activity, completionHandler: { continuation.resume(returning: $0) })
    }
    if let error { throw error }
  }

  /// Calls a function on the main thread, never within the present call.
  private func answerLater(_ body: @escaping @MainActor () -> Void) {
    if let conductor = application?.conductor {
      conductor.post(HandoffFeature.self, .answer(FunctionCall(body)))
    } else {
      Task { @MainActor in body() }
    }
  }
}

/// An activity of the user in another program, which this one can continue: see ``HandoffCenter``.
public struct HandoffActivity: Hashable, Sendable, Identifiable {
  let listing: HandoffListing

  init(_ listing: HandoffListing) { self.listing = listing }

  /// Tells the activity from all others that are offered.
  public var id: String { listing.name + " " + listing.offer.identifier }
  /// The type of the activity: one of ``ApplicationManifest/userActivityTypes``.
  public var activityType: String { listing.offer.activityType }
  /// The name of the activity for the user; nil where the other program gives it none.
  public var title: String? { listing.offer.title }
  /// The id of the application that the other program's process belongs to, as
  /// ``Scene/ConnectionOptions/sourceApplication`` has it; nil where that is unknown.
  public var sourceApplication: String? { listing.application }
}

extension ApplicationManifest {
  /// The types of the activities that the program continues for other programs of its developer; UIKit's
  /// `NSUserActivityTypes`.
  ///
  /// Empty by default. Programs are of one developer if their ids (``applicationIdentifier``) differ in the last
  /// element alone, have three elements or more, and can be names on the bus: `org.example.Notes` and
  /// `org.example.Reader`. The types that a program offers need not be named. See ``HandoffCenter``.
  public var userActivityTypes: Set<String> {
    get { openable.activityTypes }
    set { openable.activityTypes = newValue }
  }
}

private enum HandoffCenterKey: ValueKey { static var initial: HandoffCenter? { nil } }
