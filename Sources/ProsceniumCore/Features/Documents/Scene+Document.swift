public import FoundationEssentials
import ProsceniumStore

extension Scene {
  /// The document that the scene shows; nil at first.
  ///
  /// A scene with a document is the one that is activated for the document's URL (``activationConditions``), its
  /// ``SceneSession/stateRestorationActivity`` names the document from the beginning
  /// (``UserActivity/documentURL``), its ``WindowScene/representedURL`` is the document's file
  /// (``Document/isNotedAsRecent``), and the document is saved when the scene resigns, and closed when the scene is
  /// disconnected and no other one shows it.
  public var document: Document? {
    get { record?.state(of: Documents.self).document }
    set {
      assertMainThread()
      guard let record else { return }
      record.state(of: Documents.self).document = newValue
      newValue?.application = record.conductor?.application
      guard let newValue else {
        activationConditions = SceneActivationConditions()
        (self as? WindowScene)?.representedURL = nil
        return
      }
      if newValue.protection != .none { record.conductor?.feature(Documents.self)?.protectionChanged(newValue) }
      bind(to: newValue)
    }
  }

  /// Makes this the scene of a document's URL, in place of one that is to be opened for it.
  ///
  /// For `scene(_:willConnectTo:options:)`, where a URL has come under another name, through a link, say. Where another
  /// session has the document, that one is brought forward, and this scene's session is destroyed.
  /// - Parameter url: The document's file.
  /// - Returns: Whether the scene may show the document.
  public func claimDocument(at url: URL) -> Bool {
    let identifier = Document.contentIdentifier(of: url)
    let application = record?.conductor?.application ?? Application.shared
    let other = application.openSessions.first {
      $0 !== session && $0.canHaveDocument
        && $0.activationConditions.prefersToActivateForTargetContentIdentifier.accepts(identifier)
    }
    guard let other else {
      claim(url)
      return true
    }
    // The other one, which may connect before both requests are handled, must not yield to this one in its turn.
    record?.state(of: Documents.self).hasYielded = true
    // In this order, because there may be room for one scene.
    application.requestSceneSessionDestruction(session)
    application.activateSceneSession(for: SceneSessionActivationRequest(session: other))
    return false
  }

  private func claim(_ url: URL) {
    var conditions = SceneActivationConditions()
    // By the name that was given, too: that is what the next request has.
    let identifiers: Set<String> = [Document.contentIdentifier(of: url), url.absoluteString]
    conditions.canActivateForTargetContentIdentifier = .oneOf(identifiers)
    conditions.prefersToActivateForTargetContentIdentifier = .oneOf(identifiers)
    if activationConditions != conditions { activationConditions = conditions }
  }

  /// The scene's session knows its document.
  func bind(to document: Document) {
    claim(document.fileURL)
    // A file that the user is not to see in lists is none of theirs.
    (self as? WindowScene)?.representedURL = document.isNotedAsRecent ? document.fileURL : nil
    // Not before the scene has been restored: there would be something to restore in every new one.
    guard record?.state(of: Documents.self).isConnected == true else { return forgetOther(document) }
    if session.stateRestorationActivity?.documentURL != document.fileURL {
      session.stateRestorationActivity = document.restorationActivity()
    }
  }

  /// What the session has kept of another document is not restored in this one.
  private func forgetOther(_ document: Document) {
    guard let other = session.stateRestorationActivity?.documentURL,
      Document.contentIdentifier(of: other) != Document.contentIdentifier(of: document.fileURL)
    else { return }
    session.stateRestorationActivity = nil
  }
}

extension SceneSession {
  /// Whether the session has a scene for a document, or may have one: not while it is held back or about to go.
  fileprivate var canHaveDocument: Bool {
    guard holdReason == nil, let record, record.ending == nil else { return false }
    return record.knownState(of: Documents.self)?.hasYielded != true
  }

  /// The document that the session is to show when it connects: the one of the activities that it connects with, else
  /// of its restoration activity; nil for none.
  ///
  /// What is asked for comes before what is restored: so do the URLs of the options, which need not be documents.
  /// - Parameter options: The options of the connection.
  /// - Returns: The URL of the file.
  public func documentURL(_ options: Scene.ConnectionOptions) -> URL? {
    options.userActivities.compactMap(\.documentURL).first ?? stateRestorationActivity?.documentURL
  }
}

extension UserActivity {
  /// The key of ``documentURL`` in ``userInfo``; UIKit's `NSUserActivityDocumentURLKey`.
  public nonisolated static let documentURLKey = "NSUserActivityDocumentURL"

  /// The document that the activity is about; stored in ``userInfo``.
  public var documentURL: URL? {
    get {
      let values: [String: any Sendable]? = userInfo
      switch values?[Self.documentURLKey] {
      case let url as URL: return url
      case let text as String: return URL(string: text)
      default: return nil
      }
    }
    set {
      if let newValue {
        addUserInfoEntries(from: [Self.documentURLKey: newValue])
      } else {
        userInfo = userInfo?.filter { $0.key != Self.documentURLKey }
      }
    }
  }
}

extension Document {
  /// The type of ``restorationActivity(_:)`` where the program names none.
  public nonisolated static let activityType = "org.proscenium.document"

  /// What a document's content is called in ``UserActivity/targetContentIdentifier`` and
  /// ``Scene/activationConditions``: the URL of the file when all links have been followed.
  /// - Parameter url: The file.
  /// - Returns: The identifier.
  public nonisolated static func contentIdentifier(of url: URL) -> String {
    guard let place = try? DocumentPlace(following: url.path) else { return url.absoluteString }
    return URL(filePath: place.path).absoluteString
  }

  /// An activity that brings the document back: for `stateRestorationActivity(for:)`.
  ///
  /// It has the title and the URL of the document; the program adds what it needs of the view.
  /// - Parameter activityType: The type of the activity.
  /// - Returns: A new activity.
  public func restorationActivity(_ activityType: String = Document.activityType) -> UserActivity {
    let activity = UserActivity(activityType: activityType)
    activity.title = localizedName
    activity.documentURL = fileURL
    activity.targetContentIdentifier = Self.contentIdentifier(of: fileURL)
    return activity
  }
}
