import FoundationEssentials
import Glibc
import Proscenium

/// Plain text notes, one in each window, which come back whatever ended the program.
@main @MainActor final class NotesProgram: Responder, ApplicationDelegate {
  var manifest: ApplicationManifest {
    let configuration = SceneConfiguration(name: "Note", delegate: NoteScene.init)
    configuration.launchSize = Size(width: 520, height: 360)
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.Notes", sceneConfigurations: [configuration])
    manifest.suspensionPolicy = .whenAllInBackground
    manifest.openedFileExtensions = ["txt"]
    return manifest
  }

  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    // What the framework does not open it passes over in silence.
    var rest = CommandLine.arguments.dropFirst().makeIterator()
    while let argument = rest.next() {
      if argument == "--session-id" {
        _ = rest.next()
      } else if !argument.hasPrefix("-"), !argument.hasSuffix(".txt") || access(argument, R_OK) != 0 {
        let text = "Notes: \(argument) is not opened, because it is no .txt file that can be read.\n"
        _ = text.withCString { write(2, $0, strlen($0)) }
      }
    }
    return true
  }

  /// Nothing is lost by ending, so nobody is asked, as long as the texts can be kept.
  func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    let notes = application.connectedScenes.compactMap { $0.delegate as? NoteScene }
    return notes.count { !$0.keep() } == 0 ? .now : .cancel
  }

  /// What the user has discarded is discarded; a document never is.
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    for session in sceneSessions {
      guard let kept = try? Documents.autosave(of: session.persistentIdentifier) else { continue }
      Documents.remove(kept)
    }
  }

  /// What a document is called where scenes are chosen: as the URL that opens it.
  static func target(of document: String) -> String { URL(filePath: document).absoluteString }

  /// The session that has a document already.
  static func session(for document: String, besides session: SceneSession) -> SceneSession? {
    Application.shared.openSessions.first {
      $0 !== session && $0.userInfo?["document"] as? String == document
    }
  }

  /// Brings a document's window forward, or opens one.
  static func open(_ document: String) {
    let activity = UserActivity(activityType: "org.proscenium.Notes.open")
    activity.targetContentIdentifier = target(of: document)
    activity.userInfo = ["document": document]
    Application.shared.activateSceneSession(for: SceneSessionActivationRequest(userActivity: activity))
  }
}
