import FoundationEssentials
import Glibc
import Proscenium

/// Plain text notes, one in each window, which are restored after any end of the program.
@main @MainActor final class NotesProgram: Responder {
  var manifest: ApplicationManifest {
    let configuration = SceneConfiguration(name: "Note", delegate: NoteScene.init)
    configuration.launchSize = Size(width: 520, height: 360)
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.Notes", sceneConfigurations: [configuration])
    manifest.suspensionPolicy = .whenAllInBackground
    manifest.openedFileExtensions = ["txt"]
    return manifest
  }
}

extension NotesProgram: ApplicationDelegate {
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    // Arguments that the framework does not open are ignored by it.
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

  /// The program ends without a question as long as the texts can be saved.
  func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    let notes = application.connectedScenes.compactMap { $0.delegate as? NoteScene }
    return notes.count { !$0.writeAutosave() } == 0 ? .now : .cancel
  }

  /// Discards the autosaves of discarded sessions; a document is never deleted.
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    for session in sceneSessions {
      guard let kept = try? Documents.autosave(of: session.persistentIdentifier) else { continue }
      Documents.remove(kept)
    }
  }

  /// The target content identifier of a document: the URL that opens it.
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
