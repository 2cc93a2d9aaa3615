/// Makes scenes for sessions, and tears them down.
@MainActor struct Connector {
  private let conductor: Conductor
  private var application: Application { conductor.application }
  private var roster: Roster { conductor.roster }

  init(_ conductor: Conductor) { self.conductor = conductor }

  // MARK: Sessions

  /// A new session of a role, with the configuration that the delegate or the manifest gives it.
  func makeSession(role: SceneSession.Role, options: Scene.ConnectionOptions) throws(SceneError) -> SceneSession {
    guard let registry = application.registry, let delegate = application.delegate else {
      throw SceneError(.requestDenied, "The application has not been launched.")
    }
    let session = SceneSession(
      persistentIdentifier: SceneSession.makeIdentifier(), role: role,
      configuration: registry.find(role) ?? SceneConfiguration(name: nil, sessionRole: role))
    guard delegate.implements(.configurationForConnecting) else {
      session.configuration = try registry.first(for: role)
      return session
    }
    conductor.traceApplication("configurationForConnecting", sessions: [session])
    let call = CallDescription("application(_:configurationForConnecting:options:)")
    let answer: any OptionalConnectingConfiguration = conductor.timed(call) {
      delegate.application(application, configurationForConnecting: session, options: options)
    }
    guard let configuration = answer as? SceneConfiguration else {
      throw SceneError(
        .requestDenied, NotImplemented.report(call.name, of: delegate, "the session has no configuration"))
    }
    guard configuration.role == role else {
      throw SceneError(
        .requestDenied,
        "application(_:configurationForConnecting:options:) returned a configuration for the role "
          + "\(configuration.role.rawValue); the session's role is \(role.rawValue).")
    }
    session.configuration = try registry.resolve(configuration)
    return session
  }

  /// Adds a record for a session, which is open from then on.
  func insert(_ session: SceneSession) -> SceneRecord {
    let record = SceneRecord(number: roster.makeNumber(), session: session, conductor: conductor)
    roster.insert(record)
    return record
  }

  /// Removes the record of a session that is no longer open.
  func remove(_ record: SceneRecord) {
    roster.remove(record)
    conductor.removeScene(record)
  }

  /// Opens a new session with its scene.
  func openScene(
    role: SceneSession.Role, options: Scene.ConnectionOptions, inBackground: Bool = false
  ) throws(SceneError) -> SceneRecord {
    try checkRoom(for: role)
    let record = insert(try makeSession(role: role, options: options))
    guard connect(record, options: options, inBackground: inBackground) else {
      remove(record)
      throw SceneError(.requestDenied, "The new session cannot connect; the message before says why.")
    }
    return record
  }

  /// Whether another scene may connect.
  func hasRoom(for role: SceneSession.Role) -> Bool {
    conductor.machine.model != .sceneBased || application.resolvedManifest.supportsMultipleScenes
      || !roster.contains { $0.session.role == role && $0.scene != nil }
  }

  func checkRoom(for role: SceneSession.Role) throws(SceneError) {
    guard !hasRoom(for: role) else { return }
    throw SceneError(
      .multipleScenesNotSupported, "A scene is open already, and the manifest's supportsMultipleScenes is false.")
  }

  // MARK: Connecting

  /// Makes the scene of a session and its delegate; the edge itself is walked with the next settling.
  /// - Returns: Whether there is a scene now; if not, the reason has been reported.
  @discardableResult
  func connect(_ record: SceneRecord, options: Scene.ConnectionOptions, inBackground: Bool) -> Bool {
    // Its placement is needed before its first window is made.
    guard record.scene == nil, !conductor.machine.phase.isEnding, load(record) else { return false }
    var options = options
    options.isReconnect = record.hasConnected
    record.connection.isInBackground = inBackground
    if record.session.holdReason == .unknownConfiguration, !conductor.configureAgain(record) {
      conductor.report(
        "The session \(record.session.persistentIdentifier) cannot connect: there is no configuration named "
          + "\"\(record.session.configuration.name ?? "")\" for its role any more.")
      return false
    }
    options = conductor.complete(options, of: record)
    record.session.holdReason = nil
    conductor.announce(.connecting(record))
    do throws(SceneError) {
      let (scene, delegate) = try make(record, options)
      try conductor.prepare(record, delegate)
      scene.delegate = delegate
      record.mayRefuseClose = delegate?.implements(.shouldClose) ?? false
      prepare(record, scene, options: options, inBackground: inBackground)
      return true
    } catch {
      conductor.announce(.connectionFailed(record))
      conductor.report("The session \(record.session.persistentIdentifier) cannot connect: \(error.description)")
      return false
    }
  }

  /// Loads the session's record; a session whose record is damaged is not open any more.
  func load(_ record: SceneRecord) -> Bool {
    if record.session.loadStored() { return true }
    remove(record)
    return false
  }

  private func make(
    _ record: SceneRecord, _ options: Scene.ConnectionOptions
  ) throws(SceneError) -> (Scene, (any SceneDelegate)?) {
    let identifier = record.session.persistentIdentifier
    let sceneClass = record.session.configuration.sceneClass ?? WindowScene.self
    let sceneCall = CallDescription("Scene.init(session:connectionOptions:)", scene: identifier)
    let scene = conductor.timed(sceneCall) {
      ClassInstantiation.makeScene(sceneClass, session: record.session, options: options)
    }
    let delegateCall = CallDescription("the initialiser of the scene's delegate", scene: identifier)
    let delegate = try conductor.timed(delegateCall) { () throws(SceneError) in try makeDelegate(record) }
    return (scene, delegate)
  }

  private func makeDelegate(_ record: SceneRecord) throws(SceneError) -> (any SceneDelegate)? {
    if conductor.machine.model == .appBased { return nil }
    let configuration = record.session.configuration
    if let make = configuration.makeDelegate { return make(record.session) }
    let name = configuration.name ?? "(no name)"
    guard let type = configuration.delegateClass else {
      throw SceneError(
        .requestDenied,
        "The configuration \"\(name)\" has no delegate. Give it a factory (delegate:) or a delegateClass.")
    }
    let object: AnyObject
    do throws(ClassInstantiation.Failure) {
      object = try ClassInstantiation.make(type, role: "delegateClass of the configuration \"\(name)\"")
    } catch {
      throw SceneError(.requestDenied, error.description)
    }
    guard let delegate = object as? any SceneDelegate else {
      throw SceneError(
        .requestDenied, "delegateClass of the configuration \"\(name)\": \(type) does not conform to SceneDelegate.")
    }
    return delegate
  }

  /// Joins a scene object to its record, so that windows can be made for it.
  func prepare(_ record: SceneRecord, _ scene: Scene, options: Scene.ConnectionOptions, inBackground: Bool) {
    record.connection = SceneRecord.Connection(
      options: options, isInBackground: inBackground, keepsFocus: record.connection.keepsFocus)
    record.scene = scene
    record.isListed = true
    record.session.scene = scene
    scene.record = record
    conductor.setPolicy(record.isInteractive ? record.session.configuration.activationPolicy : .whenFocused, of: record)
    conductor.announce(.sceneMade(record))
    conductor.perform([.updateInterruption(record), .updateConcealment(record)])
    conductor.reduce(.scene(record.number, .connect))
    roster.markDirty(record)
  }

  // MARK: Disconnecting

  /// Disconnects a scene.
  func disconnect(_ record: SceneRecord, _ ending: SceneEnding) {
    record.connection.ending = ending
    record.scene?.disconnectionReason = ending.reason
    conductor.announce(.leaving(record))
    conductor.reduce(.scene(record.number, .disconnect))
    roster.markDirty(record)
  }

  /// Frees the resources of a scene; the session stays, with a bare window where it keeps its place.
  func tearDown(_ record: SceneRecord) {
    let discards = record.ending?.discards ?? false
    let keepsWindow = !discards && !conductor.machine.phase.isEnding && record.ending?.reason != .displayDisconnected
    conductor.announce(.tearingDown(record))
    removeKeyWindow(of: record)
    var adopted: [FeatureAction] = []
    // The one whose place is kept: a panel becomes primary when that is removed.
    let primary = record.windows.primary
    for window in record.windowScene?.windows ?? [] {
      guard let id = window.id else { continue }
      if keepsWindow, !window.isAdopted, id == primary, let state = record.windows[id] {
        record.windows.bare = SceneWindows.Bare(
          id: id, levels: state.levels, isShown: state.isShown, frame: window.knownFrame,
          scale: window.scale, isTransparent: !window.isOpaque)
        // The next scene's window need not have one.
        if window.cursor != .arrow { conductor.platform.perform(.setCursor(id, .arrow)) }
        conductor.platform.perform(.bare(id))
      } else {
        remove(id, of: record)
        conductor.platform.perform(.destroy(id))
        // At the program's end its owner ends, too.
        if !conductor.machine.phase.isEnding, let call = AdoptionCall(window, .destroy) { adopted.append(.call(call)) }
      }
      window.invalidate()
    }
    record.windows.removeAll()
    record.windowScene?.windows = []
    record.scene = nil
    conductor.performAfterSettling(adopted)
  }

  /// A key window that goes, or whose scene does, is key no longer.
  func removeKeyWindow(of record: SceneRecord) {
    guard let scene = record.windowScene, let window = scene.keyWindow else { return }
    scene.keyWindow = nil
    conductor.post(WindowVisibility.self, .keyLeft(window, record))
  }

  /// Completes a disconnection, after the features' moment.
  func finish(_ record: SceneRecord, _ scene: Scene) {
    scene.record = nil
    scene.finishStates()
    let ending = record.ending
    if ending?.discards == true { discard(record) }
    record.connection.ending = nil
    // A program that disconnects its last scene, and keeps its session, goes on: also without a bare window.
    guard record.isInteractive, ending != SceneEnding(reason: .requested, discards: false) else { return }
    conductor.perform(.send(AnyMessage(Closing.self, .checkLastScene)))
  }

  /// Removes a window that is gone or is being destroyed.
  func remove(_ id: WindowID, of record: SceneRecord) {
    if let state = record.windows.remove(id) { conductor.traceDestroyed(id, state.levels, record) }
    roster[id] = nil
    // In another scene, or none, it is the program's to show.
    record.windows.hiddenByClose.removeAll { $0.id == id }
    if record.windows.primary == id { replacePrimary(of: record, id) }
  }

  /// The panels that are left are above the one that becomes primary, and not above a window that is gone.
  private func replacePrimary(of record: SceneRecord, _ gone: WindowID) {
    let primary = record.windowScene?.windows.first { $0.id != nil && $0.id != gone }?.id
    record.windows.primary = primary
    guard let primary, record.isAttached else { return }
    for state in record.windows.states {
      conductor.platform.perform(.setTransient(state.id, for: state.id == primary ? nil : primary))
    }
  }

  /// Destroys the bare window of a session.
  func destroyBareWindow(of record: SceneRecord) {
    guard let bare = record.windows.bare else { return }
    roster[bare.id] = nil
    conductor.traceDestroyed(bare.id, bare.levels, record)
    conductor.platform.perform(.destroy(bare.id))
    record.windows.bare = nil
    conductor.announce(.bareWindowGone(record))
  }

  /// Discards a session permanently.
  /// - Parameters:
  ///   - record: Its record.
  ///   - loads: Whether its state is loaded before, because the delegate may read it; otherwise that is read from the
  ///     tombstone, as long as it is there.
  func discard(_ record: SceneRecord, loads: Bool = true) {
    destroyBareWindow(of: record)
    // Its record becomes a tombstone, so that the delegate receives the discard even if the program is killed now.
    if loads { record.session.loadStored() }
    remove(record)
    conductor.announce(.discarded(record))
  }
}

extension SceneSession {
  /// A random identifier: a UUID (RFC 9562, version 4).
  ///
  /// `UUID()` opens, reads and closes a file for each, and its text is printed by `snprintf`, 6,000 instructions.
  static func makeIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    let high: UInt64 = generator.next() & ~0xF000 | 0x4000
    let low: UInt64 = generator.next() & ~(0xC000 << 48) | 0x8000 << 48
    return String(unsafeUninitializedCapacity: 36) { buffer in
      var digits = 0
      for place in 0..<36 {
        if place == 8 || place == 13 || place == 18 || place == 23 {
          buffer.initializeElement(at: place, to: UInt8(ascii: "-"))
          continue
        }
        let digit = UInt8((digits < 16 ? high : low) >> UInt64(60 - digits % 16 * 4) & 15)
        buffer.initializeElement(at: place, to: digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10))
        digits += 1
      }
      return 36
    }
  }
}

extension Conductor {
  /// What makes and tears down its scenes.
  var connector: Connector { Connector(self) }
}
