import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace

@testable import ProsceniumCore

/// A document of one text.
class Letter: Document {
  struct Unreadable: Error {}

  var text = ""
  var loads = 0
  var refuses = false
  var understands: (String) -> Bool = { _ in true }
  private(set) var errors: [DocumentError.Reason] = []
  private(set) var takes = 0

  override func contents(forType typeName: String) throws -> Data {
    if refuses { throw Unreadable() }
    takes += 1
    return Data(text.utf8)
  }
  override func load(fromContents contents: Data, ofType typeName: String) throws {
    guard let text = String(validating: contents, as: UTF8.self), understands(text) else { throw Unreadable() }
    self.text = text
    loads += 1
  }
  override func handleError(_ error: DocumentError) { errors.append(error.reason) }

  func write(_ text: String) {
    self.text = text
    updateChangeCount(.done)
  }
  func replace(_ new: String) {
    let old = text
    undoManager.registerUndo(withTarget: self) { $0.replace(old) }
    text = new
  }
}

/// A program without a display whose scenes show letters, which are real files.
@MainActor final class DocumentRun {
  let home: RealHome
  let program: HeadlessProgram
  var platform: HeadlessPlatform { program.platform }
  var controller: DocumentController { DocumentController(program.application) }

  /// The letters that the scenes show.
  var letters: [Letter] { program.scenes.compactMap { ($0.delegate as? LetterScene)?.letter } }

  init(
    _ home: RealHome, suspends: Bool = false, settings: LetterSettings = LetterSettings(),
    disk: HeadlessDisk = HeadlessDisk(), launches: Bool = true
  ) {
    self.home = home
    program = HeadlessProgram(delegate: { LetterProgram(suspends: suspends, settings) }, disk: disk)
    disk.home = home.path
    if launches {
      program.launch()
      platform.advance(by: 3000)
    }
  }

  func url(_ name: String) -> URL { URL(filePath: home.path + "/" + name) }

  /// A letter of this program, also where another test has another one meanwhile.
  func letter(_ name: String) -> Letter {
    let letter = Letter(fileURL: url(name))
    letter.application = program.application
    return letter
  }

  /// Opens a letter, in no scene.
  func open(_ name: String = "letter.txt", _ text: String? = nil) async throws -> Letter {
    if let text { try home.write(name, text) }
    let letter = letter(name)
    _ = await letter.open()
    return letter
  }

  /// Lets files and threads have their say until a condition is true, or ten seconds are over; lets no time pass.
  func waits(until condition: () -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(20)
    var turns = 0
    // Other tests may occupy the main actor for a long while.
    while turns < 1000 || ContinuousClock.now < limit {
      platform.pollSources()
      platform.deliver()
      if condition() { return true }
      turns += 1
      try? await Task.sleep(for: .milliseconds(2))
    }
    return false
  }

  /// The same, while the program's time passes.
  func passes(until condition: () -> Bool) async -> Bool {
    await waits {
      platform.advance(by: 20)
      return condition()
    }
  }

  func minimize() { for window in platform.windows.keys { platform.minimize(window) } }
  func restore() { for window in platform.windows.keys { platform.restore(window) } }

  /// The events of documents in the trace.
  var events: [String] {
    program.entries.compactMap { record in
      guard case .system(let system) = record, system.name == "document" else { return nil }
      return system.details["event"]?.text
    }
  }

  var errors: [String] {
    program.entries.compactMap { if case .error(let message) = $0 { message } else { nil } }
  }

  /// The files of kept versions, without what tells their paths from others.
  var versions: [String] {
    let folder = home.path + "/.local/state/org.example.letters/documents"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in name.firstIndex(of: "-").map { String(name[$0...].dropFirst()) } }.sorted()
  }

  /// The kept version of a letter; nil where there is none.
  func kept(_ name: String = "letter.txt") -> String? {
    let folder = home.path + "/.local/state/org.example.letters/documents"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard let file = names.first(where: { $0.hasSuffix("-\(name).kept") }) else { return nil }
    let text = home.read(".local/state/org.example.letters/documents/" + file) ?? ""
    return text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).last.map { String($0) }
  }
}

/// What a test changes from one process to the next.
@MainActor final class LetterSettings {
  var configuration = "Letter"
  var supportsMultipleScenes: Bool
  init(supportsMultipleScenes: Bool = true) { self.supportsMultipleScenes = supportsMultipleScenes }
}

@MainActor final class LetterProgram: Responder, ApplicationDelegate {
  var manifest: ApplicationManifest
  init(suspends: Bool, _ settings: LetterSettings) {
    manifest = ApplicationManifest(
      applicationIdentifier: "org.example.letters",
      sceneConfigurations: [SceneConfiguration(name: settings.configuration, delegate: { LetterScene() })],
      supportsMultipleScenes: settings.supportsMultipleScenes)
    #if !WITHOUT_OpenRequests
      manifest.openedFileExtensions = ["txt"]
    #endif
    #if !WITHOUT_Suspension
      manifest.suspensionPolicy = suspends ? .whenAllInBackground : .never
    #endif
  }
}

@MainActor final class LetterScene: Responder, WindowSceneDelegate {
  var window: Window?
  var letter: Letter?
  /// The document that the session named when it connected.
  private(set) var asked: URL?
  private(set) var restorations = 0

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    asked = session.documentURL(options)
    #if !WITHOUT_OpenRequests
      asked = options.urlContexts.first?.url ?? asked
    #endif
    // One without a letter is not the place to open one in.
    if asked == nil { scene.activationConditions.canActivateForTargetContentIdentifier = .none }
    if let asked, !scene.claimDocument(at: asked) { return }
    if let asked {
      let letter = Letter(fileURL: asked)
      (self.letter, scene.document) = (letter, letter)
      Task { await letter.open() }
    }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
  func scene(_ scene: Scene, continue userActivity: UserActivity) {}
  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) { restorations += 1 }
}
