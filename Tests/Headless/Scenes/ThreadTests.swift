import Glibc
import ProsceniumCore
import ProsceniumLoop
import ProsceniumTesting
import ScenarioKit
import Testing

@MainActor @Suite("On another thread than the main one") struct ThreadTests {
  /// A key path writes as Swift 5 mode does: the compiler checks no isolation where it is used.
  @Test("A request ends a debug build, which says what to do", arguments: ["title", "isHidden"])
  func request(_ property: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [property = property as String] in
      await ThreadTests.write(property)
    }
    let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(said.contains("Use windows, scenes and the application on the main thread"), "\(said)")
  }

  private static func write(_ property: String) {
    let program = HeadlessProgram()
    program.launch(HistoryProgram(.plain))
    program.advance(by: 1000)
    let window = (program.application.connectedScenes.first as? WindowScene)?.windows.first
    nonisolated(unsafe) let (title, isHidden) = (\Window.title, \Window.isHidden)
    let isRunning = DetachedThread.run {
      if property == "title" { window?[keyPath: title] = "another" } else { window?[keyPath: isHidden] = true }
      exit(0)
    }
    while isRunning { pause() }
  }
}
