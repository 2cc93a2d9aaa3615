import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

/// A program with one window for the tests of the kit.
@MainActor final class KitProgram: RecordingDelegate {
  override init() {
    super.init()
    numbersScenes = false
    recordedNames = [
      "applicationShouldTerminate", "didReceiveSecondLaunch", "applicationSignificantTimeChange", "openURLContexts",
      "applicationDidReceiveMemoryWarning", "performActionFor", "key",
    ]
    #if !WITHOUT_OpenRequests
      manifest.openedURLSchemes = ["kit"]
      manifest.shortcutItems = [ApplicationShortcutItem(type: "greet", localizedTitle: "Greet")]
    #endif
  }
  override func handle(_ event: Event) -> Bool {
    if case .key(let key) = event.kind { record("key", nil, key.characters) }
    return true
  }

  /// Launched, with every hold run out.
  static func launched(on disk: HeadlessDisk = HeadlessDisk()) throws -> (HeadlessProgram, Window) {
    let program = HeadlessProgram(delegate: KitProgram.init, disk: disk)
    program.launch()
    program.advance(by: .seconds(1))
    program.ignoreLines()
    return (program, try #require(program.windows.first))
  }
}

extension HeadlessProgram {
  /// The delegate of the present process.
  var kit: KitProgram? { application.delegate as? KitProgram }
}
