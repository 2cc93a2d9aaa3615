import FoundationEssentials
import ProsceniumTrace
import SceneLifecycle

extension Stage {
  /// Whether the program ends, so that every connected scene belongs in the background.
  var isConcealing: Bool { law.isEnding }

  /// Gives one input to a scene's machine and performs its effects.
  func apply(_ input: SceneMachine.Input, to record: SceneRecord) { reduce(.scene(record.number, input)) }

  /// The most active state in which a scene stands.
  var mostActive: ActivationState {
    if census[3] > 0 { return .foregroundActive }
    if census[2] > 0 { return .foregroundInactive }
    return census[1] > 0 ? .background : .unattached
  }

  /// Ends a batch: observes what changed, and walks every scene to where it belongs.
  func settle() {
    guard !dirty.isEmpty else { return }
    let touched = dirty.count > 1 ? dirty.sorted { $0.number < $1.number } : dirty
    dirty = []
    var facts: [ApplicationMachine.Facts] = []
    for record in touched {
      record.isDirty = false
      guard record.scene != nil else { continue }
      facts.append(
        ApplicationMachine.Facts(
          record.number, visible: record.isVisible, focused: record.isFocused, grabbed: record.isGrabbed,
          isWithdrawn: record.isWithdrawn))
    }
    reduce(.observe(facts, changing: windowManager != .settled))
    for record in touched { notePresence(of: record) }
    reduce(.settle)
  }

  /// Gives one input to the application's machine and performs its effects in order.
  func reduce(_ input: ApplicationMachine.Input) {
    for effect in ApplicationMachine.reduce(&law, input) {
      switch effect {
      case .assume(let state): application.applicationState = state
      case .scene(let number, let edge):
        if let record = records[number] {
          record.activation = edge.to
          dispatch(edge, of: record)
        }
      case .application(let edge): dispatch(edge)
      case .hold(let number, let hold, let long):
        if let record = records[number] { setHold(hold, long: long, of: record) }
      case .release(let number, let hold):
        if let record = records[number] { releaseHold(hold, of: record) }
      // Releases are dropped from now on: what is pressed comes to no good end.
      case .withholdInput(let number):
        if let record = records[number] { post(.inputWithheld(record)) }
      case .holdResign: resignDeadline = makeDeadline(.resign, holdTimes.application)
      case .releaseResign:
        if let id = resignDeadline { cancel(id) }
        resignDeadline = nil
      case .callLaunchPair: callLaunchPair()
      case .conceal: conceal()
      case .disconnect: disconnectAll()
      case .terminate: finish()
      }
    }
  }

  private func dispatch(_ edge: SceneEdge, of record: SceneRecord) {
    guard let scene = record.scene else { return }
    if edge == .sceneDidBecomeActive { hand(parcelsOf: record) }
    if edge == .sceneDidDisconnect { record.isListed = false }
    if edge == .sceneDidDisconnect { record.session.scene = nil }
    if edge == .sceneDidBecomeActive { noteActivity(of: record) }
    if edge == .sceneDidDisconnect { collectStateBeforeDisconnect(of: record) }
    if !edge.isAnnouncement { scene.activationState = edge.to }
    trace(edge, of: record)
    let outer = beginWatch(edge.callbackName, record, edge.watchedPhase)
    let delegate = scene.delegate
    let center = NotificationCenter.default
    switch edge {
    case .sceneWillConnect:
      delegate?.scene(scene, willConnectTo: record.session, options: record.options)
      center.post(Scene.WillConnectMessage(scene: scene), subject: scene)
    case .sceneWillEnterForeground:
      // What was interrupted for want of time may go on in there.
      observeBackgroundTime()
      delegate?.sceneWillEnterForeground(scene)
      center.post(Scene.WillEnterForegroundMessage(scene: scene), subject: scene)
    case .sceneDidBecomeActive:
      delegate?.sceneDidBecomeActive(scene)
      center.post(Scene.DidActivateMessage(scene: scene), subject: scene)
    case .sceneWillResignActive:
      delegate?.sceneWillResignActive(scene)
      center.post(Scene.WillDeactivateMessage(scene: scene), subject: scene)
    case .sceneDidEnterBackground:
      delegate?.sceneDidEnterBackground(scene)
      center.post(Scene.DidEnterBackgroundMessage(scene: scene), subject: scene)
    case .sceneDidDisconnect:
      delegate?.sceneDidDisconnect(scene)
      center.post(Scene.DidDisconnectMessage(scene: scene), subject: scene)
    }
    endWatch(within: outer)
    if edge.isAnnouncement { scene.activationState = edge.to }
    switch edge {
    case .sceneWillConnect: connected(record)
    case .sceneDidDisconnect: disconnected(record, scene)
    case .sceneWillEnterForeground:
      record.hasBeenInForeground = true
      record.backgroundSince = nil
      sceneEnteredForeground()
      sceneMayHaveCompany(record)
      record.visibilityMayHaveChanged()
      unmarkConnecting(record)
      if record.connectsInBackground { post(.showWaiting(record)) }
    case .sceneWillResignActive:
      record.stopActiveWork()
      saveSoon(record)
    case .sceneDidEnterBackground: enteredBackground(record)
    case .sceneDidBecomeActive:
      // What was slow while the scene was inactive need not be.
      for window in record.windowScene?.windows ?? [] { window.display.requestFrame() }
      record.startActiveWork()
    }
  }

  private func trace(_ edge: SceneEdge, of record: SceneRecord) {
    guard trace.isOn else { return }
    var fields: [(key: String, value: TraceEntry.Value)] = [("scene", .text(record.session.persistentIdentifier))]
    if let primary = record.primary { fields.append(("window", .text(primary.description))) }
    fields.append(("name", .text(edge.rawValue)))
    fields.append(("from", .text(edge.from.traceName)))
    fields.append(("to", .text(edge.to.traceName)))
    if edge == .sceneWillConnect {
      if record.machine.policy == .whenVisible { fields.append(("policy", .text("whenVisible"))) }
      let urls = record.options.urlContexts.count
      if urls > 0 { fields.append(("urls", .number(urls))) }
    }
    if edge == .sceneDidDisconnect, let reason = record.scene?.disconnectionReason {
      fields.append(("reason", .text(reason.rawValue)))
    }
    trace.record("edge", fields)
  }

  private func dispatch(_ edge: ApplicationEdge) {
    if !edge.isAnnouncement { application.applicationState = edge.to }
    traceApplication(edge.rawValue, state: edge.to)
    let outer = beginWatch(edge.callbackName, nil, edge.watchedPhase)
    let delegate = law.model == .appBased ? application.delegate : nil
    let center = NotificationCenter.default
    switch edge {
    case .applicationWillEnterForeground:
      delegate?.applicationWillEnterForeground(application)
      center.post(Application.WillEnterForegroundMessage(application: application), subject: application)
    case .applicationDidBecomeActive:
      delegate?.applicationDidBecomeActive(application)
      center.post(Application.DidBecomeActiveMessage(application: application), subject: application)
    case .applicationWillResignActive:
      delegate?.applicationWillResignActive(application)
      center.post(Application.WillResignActiveMessage(application: application), subject: application)
    case .applicationDidEnterBackground:
      delegate?.applicationDidEnterBackground(application)
      center.post(Application.DidEnterBackgroundMessage(application: application), subject: application)
      if law.model == .appBased, let record = implicitScene?.record { leaveForeground(record) }
      applicationEnteredBackground()
    }
    endWatch(within: outer)
    if edge.isAnnouncement { application.applicationState = edge.to }
  }

  /// A line for a call or notification of the application.
  func traceApplication(
    _ name: String, state: ApplicationState? = nil, sessions: [SceneSession]? = nil, urls: Int? = nil
  ) {
    guard trace.isOn else { return }
    var fields: [(key: String, value: TraceEntry.Value)] = [
      ("name", .text(name)), ("state", .text((state ?? application.applicationState).traceName)),
    ]
    if let sessions { fields.append(("sessions", .list(sessions.map(\.persistentIdentifier)))) }
    if let urls { fields.append(("urls", .number(urls))) }
    trace.record("app", fields)
  }
}

extension ActivationState {
  var traceName: String {
    switch self {
    case .unattached: "unattached"
    case .background: "background"
    case .foregroundInactive: "foregroundInactive"
    case .foregroundActive: "foregroundActive"
    }
  }
}

extension ApplicationState {
  var traceName: String {
    switch self {
    case .active: "active"
    case .inactive: "inactive"
    case .background: "background"
    }
  }
}
