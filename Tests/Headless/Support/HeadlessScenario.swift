import ProsceniumCore
import ProsceniumTesting
import ScenarioKit

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

extension HeadlessProgram {
  /// The rules that the program's trace has broken so far, but for those that need the time.
  var violations: [TraceChecker.Violation] {
    var checker = TraceChecker()
    for (index, entry) in entries.enumerated() { checker.check(entry, number: index + 1, time: 0) }
    return checker.violations
  }
}
