import ProsceniumTrace

/// Performs the effects of the application machine: for each edge features, the delegate, observers, and features
/// again.
@MainActor struct Dispatcher {
  private let conductor: Conductor
  private var application: Application { conductor.application }

  init(_ conductor: Conductor) { self.conductor = conductor }

  func perform(_ effect: ApplicationMachine.Effect) {
    switch effect {
    case .assume(let state): application.applicationState = state
    case .scene(let number, let effect): if let record = conductor.roster[number] { perform(effect, of: record) }
    case .application(let edge): dispatch(edge)
    case .withholdInput(let number): conductor.roster[number].map { conductor.post(Input.self, .withhold($0)) }
    case .holdResign:
      conductor.set(.resign, after: application.holdTimes.application, AnyMessage(WindowFacts.self, .resignExpired))
    case .releaseResign: conductor.cancel(.resign)
    case .callLaunchPair: conductor.perform(.send(AnyMessage(Launch.self, .callLaunchPair)))
    case .conceal: conductor.perform(.send(AnyMessage(Termination.self, .conceal)))
    case .disconnect: conductor.perform(.send(AnyMessage(Termination.self, .disconnect)))
    case .terminate: conductor.perform(.send(AnyMessage(Termination.self, .terminate)))
    }
  }

  private func perform(_ effect: SceneMachine.Effect, of record: SceneRecord) {
    switch effect {
    case .edge(let edge): dispatch(edge, of: record)
    case .hold(let hold, let long): start(hold, long: long, of: record)
    case .release(let hold): conductor.cancel(Deadline(hold, record))
    }
  }

  /// A hold of no length ends within the same batch.
  private func start(_ hold: Hold, long: Bool, of record: SceneRecord) {
    let length = application.holdTimes.length(of: hold, long: long)
    if length > .zero {
      return conductor.set(Deadline(hold, record), after: length, AnyMessage(WindowFacts.self, .expired(hold, record)))
    }
    conductor.cancel(Deadline(hold, record))
    conductor.reduce(.scene(record.number, .expired(hold)))
  }

  // MARK: Edges of scenes

  /// Dispatches one edge of a scene.
  func dispatch(_ edge: SceneEdge, of record: SceneRecord) {
    record.activation = edge.to
    guard let scene = record.scene else { return }
    if edge == .sceneDidDisconnect {
      record.isListed = false
      record.session.scene = nil
    }
    conductor.announce(.before(edge, record))
    if !edge.isAnnouncement { scene.activationState = edge.to }
    conductor.trace(edge, of: record)
    conductor.timed(edge.call(record)) { call(scene, edge, record) }
    if edge.isAnnouncement { scene.activationState = edge.to }
    switch edge {
    case .sceneWillConnect: record.hasConnected = true
    case .sceneDidDisconnect: conductor.connector.tearDown(record)
    case .sceneWillEnterForeground: record.connection.hasBeenInForeground = true
    case .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground: break
    }
    conductor.announce(.after(edge, record))
    switch edge {
    // Not delivered again, and not retained with the scene.
    case .sceneWillConnect: record.connection.options = Scene.ConnectionOptions()
    case .sceneDidDisconnect: conductor.connector.finish(record, scene)
    // In the app-based model the application's delegate is called first.
    case .sceneDidEnterBackground: if conductor.machine.model == .sceneBased { leaveForeground(record) }
    case .sceneDidBecomeActive, .sceneWillResignActive, .sceneWillEnterForeground: break
    }
  }

  private func call(_ scene: Scene, _ edge: SceneEdge, _ record: SceneRecord) {
    let delegate = scene.delegate
    switch edge {
    case .sceneWillConnect:
      delegate?.scene(scene, willConnectTo: record.session, options: record.connection.options)
      Scene.WillConnectMessage(scene: scene).post()
    case .sceneWillEnterForeground:
      delegate?.sceneWillEnterForeground(scene)
      Scene.WillEnterForegroundMessage(scene: scene).post()
    case .sceneDidBecomeActive:
      delegate?.sceneDidBecomeActive(scene)
      // What the program answers to the focus is sent at once: what follows is a quarter of all that a change of the
      // focus costs (Tests/Benchmarks/instructions).
      conductor.platform.flush()
      Scene.DidActivateMessage(scene: scene).post()
    case .sceneWillResignActive:
      delegate?.sceneWillResignActive(scene)
      Scene.WillDeactivateMessage(scene: scene).post()
    case .sceneDidEnterBackground:
      delegate?.sceneDidEnterBackground(scene)
      Scene.DidEnterBackgroundMessage(scene: scene).post()
    case .sceneDidDisconnect:
      delegate?.sceneDidDisconnect(scene)
      Scene.DidDisconnectMessage(scene: scene).post()
    }
  }

  /// Announces that all receivers of a scene's entry to the background have been called.
  private func leaveForeground(_ record: SceneRecord) {
    conductor.announce(.leftForeground(record))
    conductor.announce(.unseen(record))
  }

  // MARK: Edges of the application

  private func dispatch(_ edge: ApplicationEdge) {
    if !edge.isAnnouncement { application.applicationState = edge.to }
    conductor.trace(.app(edge.rawValue, state: edge.to))
    conductor.timed(edge.call) { call(edge) }
    if edge == .applicationDidEnterBackground, conductor.machine.model == .appBased,
      let record = conductor.feature(Launch.self)?.implicitScene?.record
    {
      leaveForeground(record)
    }
    if edge.isAnnouncement { application.applicationState = edge.to }
    conductor.announce(.afterApplication(edge))
  }

  private func call(_ edge: ApplicationEdge) {
    let delegate = conductor.machine.model == .appBased ? application.delegate : nil
    switch edge {
    case .applicationWillEnterForeground:
      delegate?.applicationWillEnterForeground(application)
      Application.WillEnterForegroundMessage(application: application).post()
    case .applicationDidBecomeActive:
      delegate?.applicationDidBecomeActive(application)
      Application.DidBecomeActiveMessage(application: application).post()
    case .applicationWillResignActive:
      delegate?.applicationWillResignActive(application)
      Application.WillResignActiveMessage(application: application).post()
    case .applicationDidEnterBackground:
      delegate?.applicationDidEnterBackground(application)
      Application.DidEnterBackgroundMessage(application: application).post()
    }
  }
}

extension Deadline {
  /// The application's resign is held: the active scene left while another is visible.
  ///
  /// Not urgent: the focus that the hold waits for may be in the same batch.
  static let resign = Deadline("resign")

  /// A falling fact of a scene is held.
  @MainActor init(_ hold: Hold, _ record: SceneRecord) { self.init(hold.rawValue, record.number, isUrgent: true) }
}

extension SceneEdge {
  /// The call of the delegate's method.
  @MainActor fileprivate func call(_ record: SceneRecord) -> CallDescription {
    let scene = record.session.persistentIdentifier
    return switch self {
    case .sceneWillConnect: CallDescription("scene(_:willConnectTo:options:)", scene: scene)
    case .sceneWillEnterForeground: CallDescription("sceneWillEnterForeground(_:)", scene: scene)
    case .sceneDidBecomeActive: CallDescription("sceneDidBecomeActive(_:)", scene: scene)
    case .sceneWillResignActive: CallDescription("sceneWillResignActive(_:)", scene: scene)
    case .sceneDidEnterBackground: CallDescription("sceneDidEnterBackground(_:)", scene: scene, phase: .background)
    case .sceneDidDisconnect: CallDescription("sceneDidDisconnect(_:)", scene: scene)
    }
  }
}

extension ApplicationEdge {
  /// The call of the delegate's method.
  fileprivate var call: CallDescription {
    CallDescription(rawValue + "(_:)", phase: self == .applicationDidEnterBackground ? .background : .update)
  }
}
