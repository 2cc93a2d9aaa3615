/// What every trace has to obey, whatever happened: said once more, apart from the code that writes it.
extension [TraceLine] {
  private static var steps: [String: (from: String, to: String)] {
    [
      "sceneWillConnect": ("unattached", "background"),
      "sceneWillEnterForeground": ("background", "foregroundInactive"),
      "sceneDidBecomeActive": ("foregroundInactive", "foregroundActive"),
      "sceneWillResignActive": ("foregroundActive", "foregroundInactive"),
      "sceneDidEnterBackground": ("foregroundInactive", "background"),
      "sceneDidDisconnect": ("background", "unattached"),
    ]
  }

  /// What is wrong with the edges: unknown names, names that do not fit their states, skipped states, time that runs
  /// backwards, more than one active scene.
  package var violations: [String] {
    var result: [String] = []
    var states: [String: String] = [:]
    var time = -Double.infinity
    for line in self {
      if line.t < time { result.append("time runs backwards: \(line)") }
      time = line.t
      guard line.kind == "edge" else { continue }
      guard let scene = line.scene, let name = line.name, let step = Self.steps[name] else {
        result.append("not an edge: \(line)")
        continue
      }
      if (line.from, line.to) != (step.from, step.to) { result.append("not what its name says: \(line)") }
      if line.from != states[scene, default: "unattached"] { result.append("a skipped state: \(line)") }
      states[scene] = line.to
      if states.values.count(where: { $0 == "foregroundActive" }) > 1 { result.append("two active scenes: \(line)") }
    }
    return result
  }
}
