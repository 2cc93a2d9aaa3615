import ProsceniumJSON
import ProsceniumTrace

extension TraceRun {
  private static let steps: [String: (from: SceneState, to: SceneState)] = [
    "sceneWillConnect": (.unattached, .background),
    "sceneWillEnterForeground": (.background, .foregroundInactive),
    "sceneDidBecomeActive": (.foregroundInactive, .foregroundActive),
    "sceneWillResignActive": (.foregroundActive, .foregroundInactive),
    "sceneDidEnterBackground": (.foregroundInactive, .background),
    "sceneDidDisconnect": (.background, .unattached),
  ]
  private static let reasons: Set<String> = [
    "closedByUser", "reclaimed", "requested", "applicationExit", "windowLost", "displayDisconnected",
  ]

  mutating func check(_ edge: TraceRecord.Edge) {
    let name = edge.name
    guard let step = Self.steps[name] else { return fail(.step, edge.scene, "\(name) is no scene's step") }
    if edge.from != step.from.rawValue || edge.to != step.to.rawValue {
      fail(
        .step, edge.scene,
        "\(name) leads from \(edge.from) to \(edge.to), and not from \(step.from.rawValue) to \(step.to.rawValue)")
    }
    var scene = scenes[edge.scene]
    if scene.state.rawValue != edge.from {
      fail(.order, edge.scene, "\(name) begins in \(edge.from), and the scene is in \(scene.state.rawValue)")
    }
    checkMoment(edge, scene)
    failAnnouncement(name)
    // Whatever a disconnection says of the others is said without this one.
    scenes[edge.scene].state = .unattached
    scene.state = step.to
    switch name {
    case "sceneWillConnect":
      scene.hasNewInterface = false
      scene.needsNoFocus = edge.policy == "whenVisible"
      urls.delivered += edge.urls.atMostPlausible
      countURLs()
    case "sceneDidDisconnect": disconnect(&scene, edge)
    case "sceneWillResignActive": checkShake(isOverIn: edge.scene)
    default: break
    }
    if name != "sceneDidDisconnect", let reason = edge.reason {
      fail(.disconnectionReason, edge.scene, "\(name) has the reason \(reason)")
    }
    scenes[edge.scene] = scene
    if name == "sceneDidBecomeActive", !scene.needsNoFocus, scenes.activeWithFocus > 1 {
      let others = scenes.identifiers { $0.state == .foregroundActive }.filter { $0 != edge.scene }
      fail(.oneActive, edge.scene, "\(others.joined(separator: ", ")) is active too")
    }
  }

  /// Checks whether a scene may take a step now.
  private mutating func checkMoment(_ edge: TraceRecord.Edge, _ scene: TraceScenes.Scene) {
    let (identifier, name) = (edge.scene, edge.name)
    let rises = name == "sceneWillEnterForeground" || name == "sceneDidBecomeActive"
    if phase < .running { fail(.launchPair, identifier, "\(name) comes before the two launch callbacks") }
    if phase == .terminated { fail(.terminated, identifier, "\(name) comes after it") }
    if isSuspended { fail(.silence, identifier, "it hears of \(name)") }
    if scene.isDiscarded { fail(.discard, identifier, "\(name) comes after didDiscardSceneSessions") }
    if scene.isClosed { fail(.closedIsDiscarded, identifier, "\(name) comes before didDiscardSceneSessions") }
    if isExiting, phase != .terminated, name != "sceneDidDisconnect" {
      fail(.ending, identifier, "\(name) comes after scenes have been disconnected because of applicationExit")
    }
    if rises, !concealments.isEmpty {
      fail(.away, identifier, "\(name) while \(concealments.sorted().joined(separator: ", "))")
    }
    if name == "sceneDidBecomeActive", isSaverOn { fail(.lockers, identifier, "\(name) while a screen saver is on") }
    if rises, isProtected { fail(.protectedScenes, identifier, "\(name) while protected data is unavailable") }
  }

  private mutating func disconnect(_ scene: inout TraceScenes.Scene, _ edge: TraceRecord.Edge) {
    let reason = edge.reason
    if reason.map(Self.reasons.contains) != true {
      fail(.disconnectionReason, edge.scene, "the reason is \(reason ?? "missing")")
    }
    if reason == "closedByUser" { scene.isClosed = true }
    if reason == "applicationExit" {
      isExiting = true
      if scenes.mostActive > .background {
        fail(.ending, edge.scene, "another scene is in \(scenes.mostActive.rawValue) when this one is disconnected")
      }
    }
    // Otherwise a bare window stays, and what is true of it.
    if reason != "requested", reason != "reclaimed" { (scene.visible, scene.focused) = ([], []) }
  }

  mutating func checkInterface(_ details: TraceDetails) {
    guard let identifier = details["scene"]?.text, details["file"]?.text != nil else {
      return fail(.interface, "it has no scene or no file")
    }
    if scenes[identifier].state != .unattached { fail(.interface, identifier, "the scene is connected") }
    if scenes[identifier].hasNewInterface { fail(.interface, identifier, "it has one already") }
    let isAppBased = isSceneBased == false
    if isAppBased ? phase >= .launchingTwice : phase != .running { fail(.interface, identifier, "not at this point") }
    scenes[identifier].hasNewInterface = true
  }

  mutating func check(_ fact: TraceRecord.Fact) {
    let key = (fact.window ?? "") + " " + fact.name
    let first: TraceRecord.Fact.Value = fact.name == "windowManager" ? .text("settled") : .flag(false)
    if (facts[key] ?? first) == fact.to {
      fail(.fact, fact.scene, "\(fact.name)\(fact.window.map { " of \($0)" } ?? "") has this value already")
    }
    facts[key] = fact.to
    guard case .flag(let isOn) = fact.to else { return }
    func change(_ set: inout Set<String>, _ element: String) {
      if isOn { set.insert(element) } else { set.remove(element) }
    }
    guard let window = fact.window, let scene = fact.scene else {
      if let problem = MachineTrace.problem(with: fact.cause, of: fact.name) { fail(.lockers, problem) }
      return change(&concealments, fact.name)
    }
    switch fact.name {
    case "visible": change(&scenes[scene].visible, window)
    case "focused": change(&scenes[scene].focused, window)
    default: break
    }
  }
}
