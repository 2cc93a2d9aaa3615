import FoundationEssentials
package import ProsceniumJSON

/// What a notice to the user says, and what it is about (UserNotifications' `UNNotificationContent`).
public struct UserNotificationContent: Hashable, Sendable {
  /// How urgent a notice is.
  public enum InterruptionLevel: String, Hashable, Sendable, CaseIterable {
    /// It can be read later.
    case passive
    /// It is shown at once, unless the user does not want to be disturbed.
    case active
    /// It stays until the user has seen it.
    case timeSensitive
  }

  /// The title, one line.
  public var title: String
  /// The text below it: plain, also where the desktop's notices have markup.
  public var body: String
  /// Whether a sound is played, where the desktop plays sounds for notices; false by default.
  public var playsSound: Bool
  /// How urgent it is.
  public var interruptionLevel: InterruptionLevel
  /// The category, which has the buttons: see ``UserNotificationCategory``; nil for none.
  public var categoryIdentifier: String?
  /// The content by which the scene is chosen that comes forward (``Scene/activationConditions``); nil for the scene
  /// that was used last.
  public var targetContentIdentifier: String?
  /// Values for the program, which gets them back with the response.
  public var userInfo: [String: String]

  /// Makes content.
  /// - Parameters:
  ///   - title: The title.
  ///   - body: The text below it.
  ///   - playsSound: Whether a sound is played.
  ///   - interruptionLevel: How urgent it is.
  ///   - categoryIdentifier: The category, which has the buttons.
  ///   - targetContentIdentifier: The content by which the scene is chosen.
  ///   - userInfo: Values for the program.
  public init(
    title: String, body: String = "", playsSound: Bool = false, interruptionLevel: InterruptionLevel = .active,
    categoryIdentifier: String? = nil, targetContentIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.title = title
    self.body = body
    self.playsSound = playsSound
    self.interruptionLevel = interruptionLevel
    self.categoryIdentifier = categoryIdentifier
    self.targetContentIdentifier = targetContentIdentifier
    self.userInfo = userInfo
  }
}

/// A notice to the user (UserNotifications' `UNNotificationRequest`).
public struct UserNotificationRequest: Hashable, Sendable {
  /// The notice's name: one of the same name is replaced.
  public var identifier: String
  /// What it says.
  public var content: UserNotificationContent
  /// The ``SceneSession/persistentIdentifier`` of the scene that comes forward; nil where the content chooses it.
  ///
  /// The content chooses it, too, where that session has been discarded.
  public var sessionIdentifier: String?
  /// When it is shown; nil for at once, and in the response to a notice.
  public var trigger: UserNotificationTrigger?

  /// Makes a request.
  /// - Parameters:
  ///   - identifier: The notice's name.
  ///   - content: What it says.
  ///   - trigger: When it is shown; nil for at once.
  ///   - sessionIdentifier: The session of the scene that comes forward.
  public init(
    identifier: String, content: UserNotificationContent, trigger: UserNotificationTrigger? = nil,
    sessionIdentifier: String? = nil
  ) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
    self.sessionIdentifier = sessionIdentifier
  }
}

/// A button of a notice (UserNotifications' `UNNotificationAction`).
public struct UserNotificationAction: Hashable, Sendable {
  /// The button's name, which the response has.
  public var identifier: String
  /// The title that the user reads.
  public var title: String
  /// Whether a scene comes forward; false for what needs no window.
  public var opensScene: Bool

  /// Makes a button.
  /// - Parameters:
  ///   - identifier: The button's name.
  ///   - title: The title.
  ///   - opensScene: Whether a scene comes forward.
  public init(identifier: String, title: String, opensScene: Bool = true) {
    self.identifier = identifier
    self.title = title
    self.opensScene = opensScene
  }
}

/// A kind of notices that have the same buttons (UserNotifications' `UNNotificationCategory`).
public struct UserNotificationCategory: Hashable, Sendable {
  /// The category's name: see ``UserNotificationContent/categoryIdentifier``.
  public var identifier: String
  /// The buttons, in their order.
  public var actions: [UserNotificationAction]

  /// Makes a category.
  /// - Parameters:
  ///   - identifier: The category's name.
  ///   - actions: The buttons.
  public init(identifier: String, actions: [UserNotificationAction]) {
    self.identifier = identifier
    self.actions = actions
  }
}

/// The user's response to a notice (UserNotifications' `UNNotificationResponse`).
public struct UserNotificationResponse: Hashable, Sendable {
  /// The ``actionIdentifier`` where the user has chosen the notice itself.
  public static let defaultActionIdentifier = "default"

  /// The notice.
  public var request: UserNotificationRequest
  /// The button, or ``defaultActionIdentifier``.
  public var actionIdentifier: String
  /// Whether the response brings a scene forward: not that of a button without ``UserNotificationAction/opensScene``.
  public var opensScene: Bool

  /// Makes a response.
  /// - Parameters:
  ///   - request: The notice.
  ///   - actionIdentifier: The button.
  ///   - opensScene: Whether it brings a scene forward.
  public init(
    request: UserNotificationRequest, actionIdentifier: String = defaultActionIdentifier, opensScene: Bool = true
  ) {
    self.request = request
    self.actionIdentifier = actionIdentifier
    self.opensScene = opensScene
  }
}

/// A notice with its buttons.
package struct UserNotice: Hashable, Sendable {
  package var request: UserNotificationRequest
  package var actions: [UserNotificationAction]

  package init(request: UserNotificationRequest, actions: [UserNotificationAction]) {
    self.request = request
    self.actions = actions
  }

  /// The response to a button, or to the notice itself; nil where it has no such button.
  package func response(to action: String) -> UserNotificationResponse? {
    if action == UserNotificationResponse.defaultActionIdentifier { return UserNotificationResponse(request: request) }
    return actions.first { $0.identifier == action }.map {
      UserNotificationResponse(request: request, actionIdentifier: action, opensScene: $0.opensScene)
    }
  }

  /// Why the notice cannot be shown; nil where it can.
  package var problem: String? {
    if request.identifier.isEmpty { return "it has no identifier" }
    if let problem = request.trigger?.problem { return problem }
    var names: Set = [UserNotificationResponse.defaultActionIdentifier]
    for action in actions where action.identifier.isEmpty || !names.insert(action.identifier).inserted {
      return "it has two buttons of the name \"\(action.identifier)\", or one without a name"
    }
    let longest = actions.map(\.identifier.utf8.count).max() ?? 0
    guard let text = UserNotificationResponse(request: request).text, text.utf8.count + longest <= Self.longest else {
      return "it has more than \(Self.longest) bytes"
    }
    return nil
  }

  /// The longest text of a response, which other programs carry.
  package static let longest = 1 << 15
}

extension UserNotificationResponse {
  /// The response as a text that another program carries to this one: JSON.
  package var text: String? { (try? JSONValue.bytes(of: members)).map { String(decoding: $0, as: UTF8.self) } }

  /// The members of that text.
  package var members: [String: JSONValue] {
    let content = request.content
    var members: [String: JSONValue] = [
      "action": .string(actionIdentifier), "opensScene": .bool(opensScene), "identifier": .string(request.identifier),
      "title": .string(content.title), "body": .string(content.body), "sound": .bool(content.playsSound),
      "level": .string(content.interruptionLevel.rawValue),
      "userInfo": .object(content.userInfo.mapValues { .string($0) }),
    ]
    members["session"] = request.sessionIdentifier.map { .string($0) }
    members["category"] = content.categoryIdentifier.map { .string($0) }
    members["target"] = content.targetContentIdentifier.map { .string($0) }
    return members
  }

  /// Reads such a text; nil for any other one.
  package init?(text: String) {
    guard text.utf8.count <= UserNotice.longest, let members = try? JSONValue.object(in: text.utf8),
      let identifier = members["identifier"]?.text, !identifier.isEmpty, let action = members["action"]?.text,
      case .bool(let opensScene)? = members["opensScene"], let title = members["title"]?.text,
      let body = members["body"]?.text
    else { return nil }
    let content = UserNotificationContent(
      title: title, body: body, playsSound: members["sound"] == .bool(true),
      interruptionLevel: members["level"]?.text.flatMap { .init(rawValue: $0) } ?? .active,
      categoryIdentifier: members["category"]?.text, targetContentIdentifier: members["target"]?.text,
      userInfo: members["userInfo"]?.members?.compactMapValues(\.text) ?? [:])
    self.init(
      request: UserNotificationRequest(
        identifier: identifier, content: content, sessionIdentifier: members["session"]?.text),
      actionIdentifier: action, opensScene: opensScene)
  }
}

/// Shows notices to the user.
///
/// What the user chooses is posted as a request with a ``IncomingRequest/response``.
@MainActor package protocol NoticeService: AnyObject {
  /// Shows a notice, in place of an earlier one of its name.
  /// - Parameters:
  ///   - notice: The notice, which has no ``UserNotice/problem``.
  ///   - completion: Called later, once, with why it is not shown; nil where it is.
  func show(_ notice: UserNotice, completion: @escaping @MainActor (DesktopFailure?) -> Void)

  /// Takes notices back that are shown.
  /// - Parameter identifiers: Their names; unknown ones are ignored.
  func remove(_ identifiers: [String])

  /// Called with the name of a notice that is not shown any more: the user has closed it, or the desktop has.
  ///
  /// Not for one that is taken back or replaced; not every desktop says it.
  var onClosed: (@MainActor (_ identifier: String) -> Void)? { get set }
}
