extension TraceRun {
  private static let steps: [String: (from: Standing, to: Standing)] = [
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

  mutating func edge(_ line: TraceChecker.Line) {
    guard let identifier = line.text("scene"), let name = line.text("name"), let step = Self.steps[name] else {
      return fail(.step, line, line.text("scene"), "\(line.text("name") ?? "a step without a name") is no scene's step")
    }
    let (from, to) = (line.text("from") ?? "nowhere", line.text("to") ?? "nowhere")
    if from != step.from.rawValue || to != step.to.rawValue {
      fail(
        .step, line, identifier,
        "\(name) leads from \(from) to \(to), and not from \(step.from.rawValue) to \(step.to.rawValue)")
    }
    var scene = scenes.removeValue(forKey: identifier) ?? Scene()
    if scene.standing.rawValue != from {
      fail(.order, line, identifier, "\(name) begins in \(from), and the scene is in \(scene.standing.rawValue)")
    }
    checkMoment(line, identifier, name)
    failAnnouncement(line, name)
    count(scene, -1)
    scene.standing = step.to
    switch name {
    case "sceneWillConnect":
      scene.needsNoFocus = line.text("policy") == "whenVisible"
      urlsDelivered += line.urls
      countURLs(line)
    case "sceneDidDisconnect": disconnect(&scene, line, identifier)
    default: break
    }
    if name != "sceneDidDisconnect", let reason = line.text("reason") {
      fail(.disconnectionReason, line, identifier, "\(name) has the reason \(reason)")
    }
    count(scene, 1)
    scenes[identifier] = scene
    if name == "sceneDidBecomeActive", !scene.needsNoFocus, activeWithFocus > 1 {
      let others = scenes.filter { $0.value.standing == .foregroundActive && $0.key != identifier }.keys.sorted()
      fail(.oneActive, line, identifier, "\(others.joined(separator: ", ")) is active too")
    }
  }

  /// Whether a scene may take a step now.
  private mutating func checkMoment(_ line: TraceChecker.Line, _ scene: String, _ name: String) {
    let rises = name == "sceneWillEnterForeground" || name == "sceneDidBecomeActive"
    if phase < .running { fail(.launchPair, line, scene, "\(name) comes before the two launch callbacks") }
    if phase == .terminated { fail(.terminated, line, scene, "\(name) comes after it") }
    if isSuspended { fail(.silence, line, scene, "it hears of \(name)") }
    if discarded.contains(scene) { fail(.discard, line, scene, "\(name) comes after didDiscardSceneSessions") }
    if closedByUser.contains(scene) {
      fail(.closedIsDiscarded, line, scene, "\(name) comes before didDiscardSceneSessions")
    }
    if isExiting, phase != .terminated, name != "sceneDidDisconnect" {
      fail(.ending, line, scene, "\(name) comes after scenes have been disconnected because of applicationExit")
    }
    if rises, !absences.isEmpty {
      fail(.away, line, scene, "\(name) while \(absences.sorted().joined(separator: ", "))")
    }
    if rises, isProtected { fail(.protectedScenes, line, scene, "\(name) while protected data is unavailable") }
  }

  private mutating func disconnect(_ scene: inout Scene, _ line: TraceChecker.Line, _ identifier: String) {
    let reason = line.text("reason")
    if reason.map(Self.reasons.contains) != true {
      fail(.disconnectionReason, line, identifier, "the reason is \(reason ?? "missing")")
    }
    if reason == "closedByUser" { closedByUser.insert(identifier) }
    if reason == "applicationExit" {
      isExiting = true
      if mostActive > .background {
        fail(.ending, line, identifier, "another scene is in \(mostActive.rawValue) when this one is disconnected")
      }
    }
    // Otherwise a bare window stays, and what is true of it.
    if reason != "requested", reason != "reclaimed" { (scene.visible, scene.focused) = ([], []) }
  }

  private mutating func count(_ scene: Scene, _ change: Int) {
    census[scene.standing.rank] += change
    if scene.standing == .foregroundActive, !scene.needsNoFocus { activeWithFocus += change }
  }

  // MARK: Facts

  mutating func fact(_ line: TraceChecker.Line) {
    guard let name = line.text("name"), let value = line["to"], line.text("cause") != nil else {
      return fail(.fact, line, line.text("scene"), "the name, the value or the cause is missing")
    }
    let window = line.text("window")
    let key = (window ?? "") + " " + name
    if (facts[key] ?? Self.firstValue(name)) == value {
      fail(.fact, line, line.text("scene"), "\(name)\(window.map { " of \($0)" } ?? "") has this value already")
    }
    facts[key] = value
    guard case .flag(let isOn) = value else { return }
    guard let window, let scene = line.text("scene") else {
      if isOn { absences.insert(name) } else { absences.remove(name) }
      return
    }
    func change(_ set: inout Set<String>) { if isOn { set.insert(window) } else { set.remove(window) } }
    switch name {
    case "visible": change(&scenes[scene, default: Scene()].visible)
    case "focused": change(&scenes[scene, default: Scene()].focused)
    default: break
    }
  }

  private static func firstValue(_ name: String) -> TraceChecker.Value {
    name == "windowManager" ? .text("settled") : .flag(false)
  }

  // MARK: What should not last

  /// Longer than every hold.
  private static let patience = 5.0

  /// Looks whether something that should not last still does after a while.
  mutating func settleDoubts(_ line: TraceChecker.Line) {
    guard !doubts.isEmpty else { return }
    for (key, doubt) in doubts where line.time >= doubt.since + Self.patience {
      guard let seen = doubt.seen else {
        doubts[key]?.seen = line.time
        continue
      }
      guard line.time >= seen + 1 else { continue }
      doubts[key] = Doubt(since: .infinity)
      let scene = String(key.dropFirst(2))
      if key.hasPrefix("a") {
        let state = application?.rawValue ?? "unknown"
        fail(.aggregateAtRest, line, "it is \(state), and the most active scene is in \(mostActive.rawValue)")
      } else if key.hasPrefix("v") {
        fail(.foregroundIsVisible, line, scene, "no window of it has been visible since \(doubt.since)")
      } else {
        fail(.activeHasFocus, line, scene, "no window of it has had the focus since \(doubt.since)")
      }
    }
  }

  mutating func raiseDoubts(_ line: TraceChecker.Line) {
    guard line.kind == "edge" || line.kind == "fact" || line.kind == "app" else { return }
    func note(_ key: String, _ isDoubtful: Bool) {
      if !isDoubtful { doubts[key] = nil } else if doubts[key] == nil { doubts[key] = Doubt(since: line.time) }
    }
    // Before the first step the application's state is that of the launch, which no line says.
    let isOff = application.map { $0 != mostActive.application } ?? (mostActive == .foregroundActive)
    note("a", isOff)
    guard let identifier = line.text("scene"), let scene = scenes[identifier] else { return }
    note("v " + identifier, scene.standing >= .foregroundInactive && scene.visible.isEmpty)
    note("f " + identifier, scene.standing == .foregroundActive && !scene.needsNoFocus && scene.focused.isEmpty)
  }
}
