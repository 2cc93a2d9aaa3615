import ProsceniumCore
import SceneLifecycle

// The invariants of a program between two steps.
extension HistoryRun {
  /// Checks the invariants.
  /// - Parameters:
  ///   - process: The process that runs.
  ///   - isAtRest: Whether every hold has run out since the last change.
  /// - Returns: The kind of the first failure, a colon, and the failure; nil where there is none.
  func check(_ process: HistoryProcess, isAtRest: Bool) -> String? {
    let program = process.program
    let application = program.application
    guard let run = checker.runs[process.number] else { return nil }
    let attached = run.scenes.identifiers { $0.state != .unattached }
    if program.exitStatus != nil {
      // A program that is ended while it is suspended is not called.
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
    for window in program.platform.windows.values where window.description.popUp == nil {
      let owner = String(window.description.role.prefix { $0 != "/" })
      if !open.contains(owner) { return "window: a window is left of a session that is not open" }
    }
    return isAtRest ? checkRest(process, run) : nil
  }

  /// Once every hold has ended every scene has the state that follows from its windows.
  private func checkRest(_ process: HistoryProcess, _ run: TraceRun) -> String? {
    let (application, platform) = (process.program.application, process.program.platform)
    let scenes = application.connectedScenes.compactMap { $0 as? WindowScene }
    for scene in scenes {
      let expected = state(of: scene, platform, run)
      guard scene.activationState != expected else { continue }
      // Only the program knows how often it has begun an interruption, and what it still restores.
      if scene.activationState == .foregroundInactive, scene.inactiveReason == .interrupted { continue }
      if scene.activationState == .background, process.mayBeRestoring || platform.now - process.lastConnection < 6 {
        continue
      }
      return "rest: a scene is \(scene.activationState), and its windows say \(expected)"
    }
    let most = scenes.map(\.activationState).max() ?? .unattached
    if run.application != nil, application.applicationState != ApplicationState(mostActive: most) {
      return "rest: the application is \(application.applicationState), and its most active scene \(most)"
    }
    return nil
  }

  private func state(of scene: WindowScene, _ platform: HeadlessPlatform, _ run: TraceRun) -> ActivationState {
    let levels = scene.windows.compactMap { $0.id.flatMap { platform.windows[$0]?.levels } }
    guard run.concealments.isEmpty, levels.contains(where: \.visible) else { return .background }
    if levels.contains(where: { $0.focused && $0.grabbed }) { return .foregroundInactive }
    switch scene.session.configuration.activationPolicy {
    case .whenVisible: return .foregroundActive
    case .whenFocused: return levels.contains(where: \.focused) ? .foregroundActive : .foregroundInactive
    }
  }
}
