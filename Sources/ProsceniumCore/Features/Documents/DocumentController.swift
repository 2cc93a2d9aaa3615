public import FoundationEssentials

/// The program's documents as a whole.
///
/// Used on the main thread.
@MainActor public struct DocumentController {
  private let application: Application

  init(_ application: Application) { self.application = application }

  /// The documents of the program.
  public static var shared: DocumentController { DocumentController(Application.shared) }

  /// The documents that are open, in the order in which they were opened.
  public var documents: [Document] { application.conductor?.feature(Documents.self)?.documents ?? [] }

  /// The program's part of the desktop's list of recent files.
  ///
  /// In tests it is empty, unless the test gives the program a home.
  public var recentDocuments: RecentDocuments { RecentDocuments(application: application) }

  /// Brings the scene forward that shows a document, or requests a new one for it.
  ///
  /// A new scene has the URL in ``SceneSession/documentURL(_:)``. A scene without a document that accepts any content
  /// (``Scene/activationConditions``) gets it in `scene(_:continue:)` in place of a new one. Returns at once.
  /// - Parameter url: The document's file.
  public func openDocument(at url: URL) {
    let activity = UserActivity(activityType: Document.activityType)
    activity.documentURL = url
    activity.targetContentIdentifier = Document.contentIdentifier(of: url)
    application.activateSceneSession(for: SceneSessionActivationRequest(userActivity: activity))
  }
}
