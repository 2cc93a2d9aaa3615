import ProsceniumCore
import SceneLifecycle

/// What must be true of a program between two steps, whatever happened.
extension HistoryRun {
  /// The first thing that is not as it should be.
  /// - Parameter isAtRest: Every hold has run out since something happened last.
  /// - Returns: The kind of the failure, a colon, and what is wrong; nil where all is well.
  func check(isAtRest: Bool) -> String? {
    guard let program else { return nil }
    let application = program.application
    guard let run = checker.runs[process] else { return nil }
    let attached = run.scenes.identifiers { $0.state != .unattached }
    if program.exitStatus != nil {
      // What is ended while it is suspended hears of nothing.
      if !application.connectedScenes.isEmpty, run.phase != .ended {
        return "end: \(application.connectedScenes.count) scenes are connected after the end"
      }
      return nil
    }
    // Before the first step the state is that of the launch, which no line says.
    if let told = run.application, told.rawValue != "\(application.applicationState)" {
      return "property: the application is \(application.applicationState), and its steps led to \(told.rawValue)"
    }
    let connected = application.connectedScenes
    for scene in connected {
      let state = run.scenes[scene.session.persistentIdentifier].state.rawValue
      guard state != "\(scene.activationState)" else { continue }
      return "property: a scene is \(scene.activationState), and its steps led to \(state)"
    }
    if connected.count(where: { $0.activationState != .unattached }) != attached.count {
      return "property: \(connected.count) scenes are connected, and the steps of \(attached.count) say so"
    }
    let open = Set(application.openSessions.map(\.persistentIdentifier))
    for window in program.platform.windows.values {
      let owner = String(window.description.role.prefix { $0 != "/" })
      if !open.contains(owner) { return "window: a window is left of a session that is not open" }
    }
    return isAtRest ? checkRest(application, program.platform, run) : nil
  }

  /// Once every hold has run out every scene stands where its windows say.
  private func checkRest(
    _ application: Application, _ platform: HeadlessPlatform, _ run: TraceRun
  ) -> String? {
    let scenes = application.connectedScenes.compactMap { $0 as? WindowScene }
    for scene in scenes {
      let expected = standing(of: scene, platform, run)
      guard scene.activationState != expected else { continue }
      // Only the program knows how often it has begun what interrupts, and what it still restores.
      if scene.activationState == .foregroundInactive, scene.inactiveReason == .interrupted { continue }
      if scene.activationState == .background, mayBeRestoring || platform.now - lastConnection < 6 { continue }
      return "rest: a scene is \(scene.activationState), and its windows say \(expected)"
    }
    let most = scenes.map(\.activationState).max() ?? .unattached
    if run.application != nil, application.applicationState != ApplicationState(mostActive: most) {
      return "rest: the application is \(application.applicationState), and its most active scene \(most)"
    }
    return nil
  }

  private func standing(
    of scene: WindowScene, _ platform: HeadlessPlatform, _ run: TraceRun
  ) -> ActivationState {
    let levels = scene.windows.compactMap { $0.id.flatMap { platform.windows[$0]?.levels } }
    guard run.facts.concealments.isEmpty, levels.contains(where: \.visible) else { return .background }
    if levels.contains(where: { $0.focused && $0.grabbed }) { return .foregroundInactive }
    switch scene.session.configuration.activationPolicy {
    case .whenVisible: return .foregroundActive
    case .whenFocused: return levels.contains(where: \.focused) ? .foregroundActive : .foregroundInactive
    }
  }
}
