import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

extension PreferenceKey where Value == Int {
  static var size: Self { Self("size", default: 12) }
}
extension PreferenceKey where Value == String {
  static var name: Self { Self("name", default: "nobody") }
}

/// A folder of the user's, which goes with this object.
final class ConfigurationFolder: Sendable {
  let path: String
  init() throws {
    var template = Array("/tmp/proscenium-preferences.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError.system(errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where a program with this id has its file.
  var folder: String { path + "/org.example.preferences" }
  var file: String { folder + "/preferences.json" }
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  var text: String { FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? "" }
  var values: [String: JSONValue] { (try? JSONValue.object(in: Array(text.utf8))) ?? [:] }

  /// Writes the file as an editor does: another one takes its place.
  func edit(_ text: String) throws {
    mkdir(folder, 0o700)
    try Data(text.utf8).write(to: URL(filePath: folder + "/.edited"))
    guard rename(folder + "/.edited", file) == 0 else { throw FileError.system(errno) }
  }
}

/// One run of a program without a display, with preferences in a real folder.
@MainActor final class PreferencesRun {
  let program = HeadlessProgram(store: .none)
  private let delegate: PreferencesProgram
  /// The keys of each notification.
  private(set) var changes: [Set<String>] = []
  private var token: NotificationCenter.ObservationToken?
  var platform: HeadlessPlatform { program.platform }
  var preferences: Preferences { program.application.preferences }

  init(_ folder: ConfigurationFolder, suspends: Bool = false, isObserved: Bool = true) {
    delegate = PreferencesProgram(suspends: suspends)
    program.application.host.environment = ["XDG_CONFIG_HOME": folder.path]
    program.launch(delegate)
    platform.advance(by: 3000)
    if isObserved {
      token = NotificationCenter.default.addObserver(of: preferences, for: .didChange) { [weak self] message in
        self?.changes.append(message.changedKeys)
      }
    }
  }

  /// Lets files and threads have their say until a condition is true, or a minute and many turns are over.
  func wait(until condition: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    var turns = 0
    // Other tests may occupy the main actor for a long while.
    while turns < 2000 || ContinuousClock.now < end {
      turns += 1
      turn()
      if try condition() { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  /// Time passes, and what was said is heard.
  func turn() {
    platform.pollSources()
    platform.advance(by: 20)
  }

  func minimize() {
    for window in platform.windows.keys { platform.minimize(window) }
    platform.advance(by: 6000)
    #expect(platform.isSuspended)
  }

  func restore() {
    for window in platform.windows.keys { platform.restore(window) }
    platform.deliver()
    #expect(!platform.isSuspended)
  }

  /// How often the end of a trouble was told.
  var resumptions: Int { program.entries.count { $0.text("name") == "savingResumed" } }

  var errors: [String] { program.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") } }
}

@MainActor private final class PreferencesProgram: Responder, ApplicationDelegate {
  var manifest = ApplicationManifest(
    applicationIdentifier: "org.example.preferences",
    sceneConfigurations: [SceneConfiguration(name: "Main", delegate: { PreferencesScene() })])
  init(suspends: Bool) {
    #if !WITHOUT_Suspension
      manifest.suspensionPolicy = suspends ? .whenAllInBackground : .never
    #endif
  }
}

@MainActor private final class PreferencesScene: Responder, WindowSceneDelegate {
  var window: Window?
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
}
