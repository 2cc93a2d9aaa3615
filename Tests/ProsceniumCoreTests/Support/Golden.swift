import Glibc
import ProsceniumCore
import ProsceniumTesting
import ScenarioKit

/// The golden traces of the package, beside the tests.
enum Golden {
  static var directory: String {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/Golden"
  }

  /// Names of all scenarios.
  static let names: [String] = {
    guard let directory = opendir(directory) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".txt") { names.append(String(name.dropLast(4))) }
    }
    return names.sorted()
  }()

  static func read(_ name: String) -> String? {
    guard let file = fopen("\(directory)/\(name).txt", "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ name: String, _ text: String) {
    guard let file = fopen("\(directory)/\(name).txt", "w") else { return }
    defer { fclose(file) }
    _ = text.withCString { fputs($0, file) }
  }

  /// Whether the files are to be written from what happens, for a review by eye.
  static var isRecording: Bool { getenv("RECORD_GOLDEN") != nil }
}

/// A scenario's program on the headless platform.
@MainActor final class HeadlessScenario {
  let program = HeadlessProgram()
  let probe: Probe
  private let arguments: [String]

  init(arguments: [String]) {
    self.arguments = arguments
    probe = Probe(options: ScenarioOptions(arguments))
    Probe.current = probe
  }

  /// Does one step, and lets everything happen that follows; nil if the step is unknown.
  func perform(_ action: String) -> [String]? {
    let words = action.split(separator: " ").map(String.init)
    switch words.first {
    case "launch":
      let delegate: any ApplicationDelegate = probe.options.isAppBased ? AppBasedDelegate() : SceneBasedDelegate()
      program.launch(delegate, arguments: arguments)
    case "user": guard act(Array(words.dropFirst())) else { return nil }
    default: guard probe.perform(action) else { return nil }
    }
    program.platform.deliver()
    program.platform.advance(by: 3000)
    return program.newLines()
  }

  private func act(_ words: [String]) -> Bool {
    let platform = program.platform
    let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
    let window = number > 0 ? self.window(ofScene: number) : nil
    switch (words.first ?? "", window) {
    case ("focus", let window?): platform.focus(window)
    case ("focus", nil) where words.last == "none": platform.focus(nil)
    case ("focus", nil) where words.last == "panel": platform.focus(probe.panels.last?.id)
    case ("minimize", let window?): platform.minimize(window)
    case ("restore", let window?): platform.restore(window)
    case ("close", let window?): platform.requestClose(window)
    case ("grab", _):
      platform.grabKeyboard(true)
      platform.advance(by: number)
      platform.grabKeyboard(false)
    default: return false
    }
    return true
  }

  /// The primary or bare window of the N-th session.
  func window(ofScene number: Int) -> WindowID? {
    guard probe.sessions.indices.contains(number - 1) else { return nil }
    let role = probe.sessions[number - 1].persistentIdentifier
    return program.platform.windows.first { $0.value.description.role == role }?.key
  }
}
