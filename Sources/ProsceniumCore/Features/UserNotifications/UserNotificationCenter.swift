/// Shows notices to the user, and receives what the user chooses (UserNotifications' `UNUserNotificationCenter`).
///
/// ```swift
/// let center = UserNotificationCenter.current
/// center.delegate = self
/// center.categories = [UserNotificationCategory(identifier: "mail", actions: [
///   UserNotificationAction(identifier: "reply", title: "Reply"),
///   UserNotificationAction(identifier: "archive", title: "Archive", opensScene: false),
/// ])]
/// let content = UserNotificationContent(
///   title: "Ada", body: "Shall we meet?", categoryIdentifier: "mail", targetContentIdentifier: "mail://42")
/// center.add(UserNotificationRequest(identifier: "42", content: content))
/// ```
///
/// For the main thread. On Linux a notice goes to the portal (`org.freedesktop.portal.Notification`) where the program
/// is in a sandbox, or where the desktop has started it under its own id, so that the portal knows which one it is;
/// else to the desktop's service (`org.freedesktop.Notifications`); and to the other one where the first is missing. A
/// portal's notice outlasts the program: a choice starts it over the bus (`<program> --install-desktop-entry`), and
/// ``LaunchOptions/notificationResponse`` has the response. One of the service is of use as long as the program runs;
/// most desktops take it down then. The user's permission is the desktop's own setting, and is not asked for.
@MainActor public final class UserNotificationCenter {
  /// The center of ``Application/shared``.
  public static var current: UserNotificationCenter { of(Application.shared) }

  static func of(_ application: Application) -> UserNotificationCenter {
    if let center = application.value(CenterKey.self) { return center }
    let center = UserNotificationCenter(application)
    application.setValue(center, CenterKey.self)
    return center
  }

  /// Nil once the process is dead, in a test.
  private weak var application: Application?
  /// The notices that have been added in this run, as far as they have not been taken back, closed or answered.
  private(set) var delivered = RecentNames()

  init(_ application: Application) { self.application = application }

  /// The receiver of responses; held weakly.
  ///
  /// Set it before the launch callbacks return: the program may have been started for a response.
  public weak var delegate: (any UserNotificationCenterDelegate)? { didSet { assertMainThread() } }

  /// The categories of notices, which have their buttons; none at first.
  ///
  /// A notice has the buttons that its category has when it is added.
  public var categories: Set<UserNotificationCategory> = [] { didSet { assertMainThread() } }

  /// Shows a notice, in place of an earlier one of its identifier, that of an earlier run included; one with a
  /// ``UserNotificationRequest/trigger`` at its time.
  ///
  /// A notice with a trigger is on disk on return, and in ``pendingNotificationRequests``. A program that runs,
  /// suspended or not, shows it at its time. Where the program does not run, systemd's user manager starts it then, in
  /// the background as for a scheduled task, and it ends when the notice is shown; without systemd, which is said once
  /// on standard error, and with ``InstancePolicy/separateStores``, it is shown at the next launch. What was missed
  /// meanwhile is shown once. A notice counts as shown when the desktop has answered: a process that is killed before
  /// that is started again within a minute, and shows it in place of itself. A notice may so be shown twice, and is not
  /// lost. One that cannot be shown is reported, and tried again a quarter of an hour later.
  ///
  /// Desktops show notices of programs in the foreground, too; ask ``Application/applicationState`` where that is not
  /// wanted.
  /// - Parameters:
  ///   - request: The notice.
  ///   - errorHandler: Called on the main thread with why it is not shown, or not kept: later, or at once where the
  ///     application is not launched; without a handler the error is written to standard error.
  public func add(
    _ request: UserNotificationRequest, errorHandler: (@MainActor (UserNotificationError) -> Void)? = nil
  ) {
    assertMainThread()
    let category = request.content.categoryIdentifier
    let actions = categories.first { $0.identifier == category }?.actions ?? []
    let notice = UserNotice(request: request, actions: actions)
    let fail: @MainActor (UserNotificationError) -> Void = { error in
      if let errorHandler { return errorHandler(error) }
      Application.report("The notice \"\(request.identifier.prefix(100))\" is not shown: \(error.description).")
    }
    if let problem = notice.problem { return later { fail(.invalid(problem)) } }
    if request.trigger != nil {
      do throws(UserNotificationError) {
        guard let feature else { throw .unavailable("the program has not been launched") }
        try feature.triggers.add(notice)
      } catch {
        later { fail(error) }
      }
      return
    }
    feature?.knownTriggers?.remove { $0 == request.identifier }
    show(notice) { failure in if let failure { fail(.unavailable(failure)) } }
  }

  /// Shows a notice now.
  /// - Parameters:
  ///   - notice: The notice.
  ///   - completion: Called later, once, with why it is not shown; nil where it is.
  func show(_ notice: UserNotice, completion: @escaping @MainActor (String?) -> Void) {
    guard let service = application?.host.services.notices else {
      return later { completion("there is no desktop to show it") }
    }
    service.onClosed = { [weak self] in self?.delivered.remove($0) }
    let identifier = notice.request.identifier
    delivered.insert(identifier)
    service.show(notice) { [weak self] failure in
      // The notice that it replaces may have been closed meanwhile, which has removed the name.
      if failure == nil { self?.delivered.insert(identifier) }
      completion(failure?.description)
    }
  }

  private var feature: UserNotifications? { application?.conductor?.feature(UserNotifications.self) }

  /// The requests with triggers whose times have not come, in the order of these; those that repeat stay.
  public var pendingNotificationRequests: [UserNotificationRequest] { feature?.knownTriggers?.pending ?? [] }

  /// Removes requests that wait for their times; what is shown stays.
  /// - Parameter identifiers: Their identifiers; unknown ones are ignored.
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    assertMainThread()
    feature?.knownTriggers?.remove { identifiers.contains($0) }
  }

  /// Removes all requests that wait for their times.
  public func removeAllPendingNotificationRequests() {
    assertMainThread()
    feature?.knownTriggers?.remove { _ in true }
  }

  /// Takes notices back.
  /// - Parameter identifiers: Their identifiers, those of an earlier run, too; unknown ones are ignored.
  public func removeDelivered(withIdentifiers identifiers: [String]) {
    assertMainThread()
    for identifier in identifiers { delivered.remove(identifier) }
    application?.host.services.notices?.remove(identifiers)
  }

  /// Takes back all notices that have been added in this run, and that the user has not closed or answered.
  ///
  /// Of more than a thousand, the last thousand at least.
  public func removeAllDelivered() { removeDelivered(withIdentifiers: delivered.all) }

  /// The user has answered a notice, which the desktop takes down then.
  func answered(_ identifier: String) { delivered.remove(identifier) }

  private func later(_ body: @escaping @MainActor () -> Void) {
    guard let application else { return }
    guard let conductor = application.conductor else { return body() }
    conductor.post(UserNotifications.self, .answer(FunctionCall(body)))
  }
}

/// The receiver of the user's responses.
@preconcurrency @MainActor public protocol UserNotificationCenterDelegate: AnyObject {
  /// The user has chosen a notice, or a button of it.
  ///
  /// Called on the main thread, once for each choice, after the launch callbacks and never while the program is
  /// suspended: it wakes it. Where the choice opens a scene, that is connected and coming forward; a scene that is
  /// connected for it has the response in ``Scene/ConnectionOptions/notificationResponse`` as well.
  /// - Parameters:
  ///   - center: The center.
  ///   - response: The response.
  ///   - targetScene: The scene that the notice is about; nil where the response opens none and none is connected for
  ///     it, or it could not be connected.
  func userNotificationCenter(
    _ center: UserNotificationCenter, didReceive response: UserNotificationResponse, targetScene: Scene?)
}

/// Why a notice is not shown.
public enum UserNotificationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The request cannot be shown as it is: why.
  case invalid(String)
  /// There is nothing that shows notices, or it has refused this one: why.
  case unavailable(String)

  /// The reason, as a part of a sentence.
  public var description: String {
    switch self {
    case .invalid(let reason), .unavailable(let reason): reason
    }
  }
}

extension Scene.ConnectionOptions {
  /// The user's response to a notice for which the scene is opened; nil where it is opened for another reason.
  ///
  /// ``UserNotificationCenterDelegate/userNotificationCenter(_:didReceive:targetScene:)`` follows.
  public var notificationResponse: UserNotificationResponse? {
    get { values[ResponseKey.self] }
    set { values[ResponseKey.self] = newValue }
  }
}

private enum ResponseKey: FeatureValueKey { static var initial: UserNotificationResponse? { nil } }

/// The center, once it has been asked for.
enum CenterKey: ValueKey { static var initial: UserNotificationCenter? { nil } }
