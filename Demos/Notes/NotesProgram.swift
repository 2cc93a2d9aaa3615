import FoundationEssentials
import Glibc
import Proscenium

/// Plain text notes, one in each window, which are restored after any end of the program.
@main @MainActor final class NotesProgram: Responder {
  override init() {
    super.init()
    for argument in CommandLine.arguments.dropFirst() where !argument.hasPrefix("-") { Note.makeFile(at: argument) }
  }

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
      } else if !argument.hasPrefix("-"), !Self.isOpened(argument, launchOptions?.urls ?? []) {
        let text = "Notes: \(argument) is not opened, because it is no .txt file that can be read.\n"
        _ = text.withCString { write(2, $0, strlen($0)) }
      }
    }
    return true
  }

  /// Whether the framework opens an argument: a URL that it has taken, or the name of a file that can be read.
  private static func isOpened(_ argument: String, _ urls: [URL]) -> Bool {
    if argument.lowercased().hasPrefix("file:") { return URL(string: argument).map(urls.contains) == true }
    return argument.lowercased().hasSuffix(".txt") && access(argument, R_OK) == 0
  }

  /// The program ends without a question as long as the texts can be saved, or kept.
  func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    let scenes = application.connectedScenes.compactMap { $0.delegate as? NoteScene }.filter(\.isWithoutFile)
    let notes = DocumentController.shared.documents.filter(\.hasUnsavedChanges)
    guard !notes.isEmpty || !scenes.isEmpty else { return .now }
    Task {
      var isSaved = true
      for note in notes where !(await note.autosave()) { isSaved = false }
      for scene in scenes where isSaved { isSaved = await scene.mayEnd() }
      // What has been given up is not said to be lost.
      if isSaved { for scene in scenes where scene.isWithoutFile { scene.note?.updateChangeCount(.cleared) } }
      application.reply(toApplicationShouldTerminate: isSaved)
    }
    return .later
  }

  /// Discards the new notes of discarded sessions; a document is never deleted.
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    for session in sceneSessions {
      guard let file = try? Note.fileOfNewNote(of: session),
        !DocumentController.shared.documents.contains(where: { $0.fileURL == file })
      else { continue }
      try? FileManager.default.removeItem(at: file)
    }
  }
}
