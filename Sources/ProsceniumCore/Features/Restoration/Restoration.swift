import ProsceniumLoop
import ProsceniumStore

/// Restores stored scene sessions at launch, and conceals scenes during a longer restoration.
final class Restoration: FeatureBase, Feature {
  enum Message: Equatable {
    /// Judges the stored sessions, once the delegate has been launched.
    case judge
    /// Reads the sessions again that could not be read.
    case readAgain
    /// They have been read, or not yet.
    case useRead
    /// Restores the open sessions.
    case restoreSessions
    /// Restores those whose records were too much to be read at once.
    case restoreRest
    /// The windows of the rest are shown.
    case raiseFocused
    /// Connects one session of an earlier run.
    case restore(SceneRecord)
    /// The last extension of a scene's restoration has been completed, or its time is over.
    case completed(SceneRecord)
    /// The time for a scene's restoration is over.
    case expired(SceneRecord)
    /// Checks whether a connected scene has a visible window.
    case checkShown(SceneRecord)
  }

  final class SceneState: SceneFeatureState {
    /// The record on disk, of a session of an earlier run; decoded at its first use.
    var stored: SessionStore.Record?
    /// The number of extensions of the restoration that have not been completed.
    var extensions = 0
    var tasks: [Task<Void, Never>] = []
    /// The session could not be read at the launch: it comes back with the next request that shows the program.
    var isLate = false
    /// The session's record was too much to be read with those of the others: it comes back a moment later.
    var isRest = false
    /// When the time for the restoration is over, in seconds of the platform's clock.
    var end = 0.0
  }

  /// The time limit of an extended restoration.
  static let limit = Duration.seconds(5)
  /// The time after which sessions follow that were too much to be read with the others.
  private static let restDelay = Duration.seconds(1)

  /// The reason for the launch of the program, for its sessions.
  private(set) var reason = RestorationReason.launch
  /// The store's contents at launch, until they have been judged.
  private var contents = SessionStore.Contents()
  /// Whether the launch has left the sessions unrestored, and no request has shown the program since.
  private var isLeft = false
  /// The sessions that such a request restores; all closed ones where nil.
  private var taken: [SceneRecord]?
  /// How often sessions have been read again, and what that has come to.
  var rereading = Rereading()

  override func conceals(_ record: SceneRecord) -> Bool { isRestoring(record) }
  override func keepsConnected(_ record: SceneRecord) -> Bool { isRestoring(record) }
  override func keepsRunning(_ record: SceneRecord) -> Bool { isRestoring(record) }

  /// Whether a scene's state is being restored by more than a callback.
  func isRestoring(_ record: SceneRecord) -> Bool { (knownState(of: record)?.extensions ?? 0) > 0 }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.conceals, .keepsConnected, .keepsRunning, by: self)
    lists.observe(after: [.sceneWillConnect, .sceneDidDisconnect], by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .storeOpened: return loadStoredSessions()
    case .launching: return contents.messages.map { .report($0) }
    case .launched: return readLater
    case .betweenLaunchCallbacks: return restoreApplicationState()
    case .launchedInBackground, .sessionsLeft: isLeft = true
    case .after(.sceneWillConnect, let record):
      let state = knownState(of: record)
      state?.isLate = false
      state?.isRest = false
      var actions: [FeatureAction] = []
      // A new session has none.
      if record.session.stateRestorationActivity != nil { actions.append(.call(RestorationCall(scene: record))) }
      if needsCheck(record) { actions.append(post(.checkShown(record))) }
      return actions
    case .after(.sceneDidDisconnect, let record): return end(record)
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .judge: judge(unconnected)
    case .readAgain: readAgain()
    case .useRead: useRead()
    case .restoreSessions: restoreSessions()
    case .restoreRest: restoreRest()
    case .raiseFocused: raiseFocused()
    case .restore(let record): restore(record)
    case .completed(let record): completed(record)
    case .expired(let record): expired(record)
    case .checkShown(let record): checkShown(record)
    }
  }

  // MARK: The stored sessions

  /// Makes sessions of the store's contents, and determines the restoration reason.
  ///
  /// After the launch the sessions are judged at once, and left to the first request that shows the program.
  private func loadStoredSessions() -> [FeatureAction] {
    guard let store = conductor.store, let saving = conductor.feature(Saving.self) else { return [] }
    contents = store.load()
    let isLate = conductor.machine.phase.isLaunched
    if !isLate {
      reason =
        switch contents.lastRun {
        case .died: .recover
        case .none, .quit, .sessionEnded: contents.sessions.isEmpty ? .launch : .restore
        }
    }
    adopt(contents, saving)
    saving.savesWhatLastRunLeft()
    guard isLate else { return [] }
    let reports = contents.messages.map { FeatureAction.report($0) }
    return reports + judge(unconnected)
      + (conductor.machine.model == .sceneBased ? [.announce(.sessionsLeft)] : []) + readLater
  }

  /// Makes sessions of records.
  /// - Returns: The open ones.
  @discardableResult func adopt(_ contents: SessionStore.Contents, _ saving: Saving) -> [SceneRecord] {
    for stored in contents.discarded {
      let session = makeSession(stored)
      session.load = { try? stored.decode() }
      saving.adoptDiscarded(session)
    }
    return contents.sessions.map { stored in
      let session = makeSession(stored)
      let record = conductor.connector.insert(session)
      record.hasConnected = true
      state(of: record).stored = stored
      saving.adopt(record, presence: stored.presence, lastActive: stored.lastActive)
      session.load = loading(stored, of: record)
      conductor.announce(.sessionStored(record))
      return record
    }
  }

  /// Reads the rest of a session; that of one that has been discarded from its tombstone.
  func loading(_ stored: SessionStore.Record, of record: SceneRecord) -> () -> StoredSession? {
    { [weak self, weak record] in record.map { self?.decode($0) } ?? (try? stored.decode()) }
  }

  /// The sessions of earlier runs that have no scene.
  private var unconnected: [SceneRecord] {
    roster.ordered.filter { state(of: $0).stored != nil && $0.scene == nil }
  }

  /// Whether there are sessions with a stored placement on a screen.
  var hasStoredSessions: Bool { !contents.sessions.isEmpty }

  private func makeSession(_ stored: SessionStore.Record) -> SceneSession {
    let role = SceneSession.Role(rawValue: stored.role)
    return SceneSession(
      persistentIdentifier: stored.identifier, role: role,
      configuration: SceneConfiguration(name: stored.configuration, sessionRole: role))
  }

  /// The rest of a stored session; nil where its record is damaged, which is reported.
  private func decode(_ record: SceneRecord) -> StoredSession? {
    guard let stored = state(of: record).stored else { return nil }
    do {
      let session = try stored.decode()
      let kept = record.state(of: Saving.self)
      kept.placement = session.placement
      kept.title = session.title
      kept.unknown = session.unknown
      return session
    } catch {
      conductor.report("\(error)")
      readSoon()
      return nil
    }
  }

  // MARK: Restored scenes

  /// Decides which stored sessions are restored: the others are discarded by their policy, or held back.
  func judge(_ records: [SceneRecord]) -> [FeatureAction] {
    // How the last run ended counts for those, too, that cannot be read before later.
    defer { (contents.sessions, contents.discarded, contents.messages) = ([], [], []) }
    guard conductor.machine.model == .sceneBased else { return [.announce(.sessionsJudged)] + reportHeldBack(records) }
    var discarded: [SceneRecord] = []
    for record in records {
      guard configure(record) else {
        record.session.holdReason = .unknownConfiguration
        continue
      }
      let comesBack =
        switch record.session.configuration.restorePolicy {
        case .always: true
        case .afterCrashOrSessionEnd: contents.lastRun != .quit
        case .never: false
        }
      if comesBack {
        conductor.announce(.judging(record, deaths: contents.suspects[record.identifier] ?? 0))
      } else {
        discarded.append(record)
      }
    }
    let readable = Set(conductor.readable(discarded.reversed()).map(\.number))
    for record in discarded { conductor.connector.discard(record, loads: readable.contains(record.number)) }
    return [.announce(.sessionsJudged)] + reportHeldBack(records)
  }

  /// Finds a stored session's configuration by its name, which is all that is stored of it.
  ///
  /// One that the delegate has made itself is not in the manifest, or one of another role has its name there: the
  /// delegate is asked again.
  /// - Returns: Whether there is one.
  func configure(_ record: SceneRecord) -> Bool {
    let session = record.session
    guard let registry = application.registry, let delegate = application.delegate else { return false }
    if registry.isEmpty || !registry.has(session.configuration) && delegate.implements(.configurationForConnecting) {
      return ask(delegate, for: session, registry)
    }
    guard let found = try? registry.resolve(session.configuration) else { return false }
    session.configuration = found
    return true
  }

  private func ask(
    _ delegate: any ApplicationDelegate, for session: SceneSession, _ registry: SceneConfigurationRegistry
  ) -> Bool {
    conductor.traceApplication("configurationForConnecting", sessions: [session])
    var options = Scene.ConnectionOptions()
    options.isReconnect = true
    options.restorationReason = reason
    let call = CallDescription("application(_:configurationForConnecting:options:)")
    let answer = conductor.timed(call) {
      delegate.application(application, configurationForConnecting: session, options: options)
    }
    if answer is NotImplemented, !registry.isEmpty {
      conductor.report(NotImplemented.report(call.name, of: delegate, "the manifest decides"))
      guard let found = try? registry.resolve(session.configuration) else { return false }
      session.configuration = found
      return true
    }
    guard let configuration = answer as? SceneConfiguration, configuration.role == session.role,
      let found = try? registry.resolve(configuration)
    else { return false }
    session.configuration = found
    return true
  }

  /// Reports those of the sessions that are held back.
  private func reportHeldBack(_ records: [SceneRecord]) -> [FeatureAction] {
    let held = records.filter { $0.session.holdReason != nil }
    guard !held.isEmpty else { return [] }
    return held.map { record in
      let explanation =
        conductor.explainHold(of: record)
        ?? "there is no configuration \"\(record.session.configuration.name ?? "")\" of the role "
        + "\(record.session.role.rawValue). Add it to sceneConfigurations, or destroy the session."
      return .report("The session \(record.identifier) is held back: \(explanation)")
    } + [.call(HeldBackCall(sessions: held.map(\.session)))]
  }

  /// Restores the open sessions: scenes that were visible are connected, the others return as bare windows.
  ///
  /// In the order of last activity, which restores the stacking order; the last one alone requests
  /// the focus.
  private func restoreSessions() -> [FeatureAction] {
    let open = exchange(&taken, with: nil) ?? closedSessions
    guard !open.isEmpty else { return [] }
    let claim = conductor.claimLaunch(of: open)
    var (shown, hidden) = split(open.filter { claim?.sessions.contains($0) != true })
    shown += claim?.sessions ?? []
    // A launch by the user shows a window: the session that was used last, rather than a new one.
    if shown.isEmpty, claim == nil { shown = lastUsed(of: open, hidden: &hidden) }
    if !application.resolvedManifest.supportsMultipleScenes, shown.count + hidden.count > 1 {
      shown = [shown.last ?? hidden[hidden.count - 1]]
      hidden = []
    }
    let left = leaveRest(&shown, &hidden)
    for record in shown { record.connection.keepsFocus = claim?.opensNew == true || record !== shown.last }
    conductor.announce(.restoring(shown))
    var actions = restore(shown, hidden) + [.announce(.sessionsRestored), .announce(.launchClaimDue)] + left
    if !left.isEmpty {
      actions.append(
        .report(
          "Not all sessions are restored at once: together the records of \(open.count) have more than the "
            + "\(ReadingBudget.most >> 20) MB that are read at a time. The others follow in a moment. Keep large content "
            + "in files, not in the session."))
    }
    return actions
  }

  /// Those of some sessions whose scenes are connected, and those that come back as bare windows.
  private func split(_ records: [SceneRecord]) -> (shown: [SceneRecord], hidden: [SceneRecord]) {
    // Without a window manager no window is iconic, or on another workspace.
    let hasManager = conductor.platform.hasWindowManager
    func presence(_ record: SceneRecord) -> StoredSession.Presence { record.state(of: Saving.self).presence }
    return (
      records.filter { presence($0) == .shown || (presence($0) == .background && !hasManager) },
      records.filter { presence($0) == .background && hasManager }
    )
  }

  private func restore(_ shown: [SceneRecord], _ hidden: [SceneRecord]) -> [FeatureAction] {
    shown.filter { !conductor.defersRestoration(of: $0) }.map { send(.restore($0)) }
      + hidden.map { .send(AnyMessage(WindowFacts.self, .restoreBare($0))) }
  }

  /// Leaves those sessions for later whose records are too much to be read at once, the oldest ones first.
  private func leaveRest(_ shown: inout [SceneRecord], _ hidden: inout [SceneRecord]) -> [FeatureAction] {
    let all = shown.reversed() + hidden.reversed()
    let readable = Set(conductor.readable(all).map(\.number))
    guard readable.count < all.count else { return [] }
    for record in all where !readable.contains(record.number) { state(of: record).isRest = true }
    shown.removeAll { !readable.contains($0.number) }
    hidden.removeAll { !readable.contains($0.number) }
    return [set(.rest, after: Self.restDelay, .restoreRest)]
  }

  /// Restores of the rest what can be read at once; the focus stays where it is.
  private func restoreRest() -> [FeatureAction] {
    let rest = closedSessions.filter { knownState(of: $0)?.isRest == true }
    guard !conductor.machine.phase.isEnding else { return [] }
    // Suspects come one after the other: these first.
    guard !conductor.opensScenesLater else { return [set(.rest, after: Self.restDelay, .restoreRest)] }
    for record in rest { state(of: record).isRest = false }
    var (shown, hidden) = split(rest)
    let left = leaveRest(&shown, &hidden)
    for record in shown { record.connection.keepsFocus = true }
    conductor.announce(.restoring(shown))
    return restore(shown, hidden) + [.announce(.sessionsRestored)] + (shown.isEmpty ? [] : [post(.raiseFocused)])
      + (left.isEmpty ? [.post(AnyMessage(Closing.self, .checkLastScene))] : left)
  }

  /// Whether sessions come back by themselves that were too much to be read with the others.
  var hasRest: Bool { closedSessions.contains { knownState(of: $0)?.isRest == true } }

  /// Brings the window with the focus above those of the rest: not every window manager puts a window below it that
  /// comes without the focus.
  private func raiseFocused() -> [FeatureAction] {
    roster.ordered.flatMap { $0.windows.states }.filter { $0.isShown && $0.levels.focused }
      .map { .command(.show($0.id, .activated)) }
  }

  /// The stored sessions that a launch restores; those of external displays wait for one.
  private var closedSessions: [SceneRecord] {
    roster.ordered.filter {
      state(of: $0).stored != nil && $0.scene == nil && $0.session.holdReason == nil && $0.isInteractive
    }
  }

  /// Takes the sessions that a launch into the background has left, or that could not be read at the launch, for the
  /// first request that shows the program; none after that.
  func takeSessionsLeft() -> [SceneRecord] {
    let areAll = exchange(&isLeft, with: false)
    let records = closedSessions.filter { areAll || state(of: $0).isLate }
    for record in records { state(of: record).isLate = false }
    taken = records.isEmpty ? nil : records
    return records
  }

  /// The last used session where none was visible, unless the user minimised it.
  private func lastUsed(of open: [SceneRecord], hidden: inout [SceneRecord]) -> [SceneRecord] {
    guard let last = hidden.last else { return open.suffix(1) }
    // Hidden without being minimised: the desktop was shown, or another workspace.
    guard conductor.connector.load(last), last.state(of: Saving.self).placement?.isMinimized == false else {
      return []
    }
    hidden.removeLast()
    return [last]
  }

  private func restore(_ record: SceneRecord) -> [FeatureAction] {
    var options = Scene.ConnectionOptions()
    options.restorationReason = reason
    conductor.announce(.restoringSession(record))
    let isConnected = conductor.connector.connect(record, options: options, inBackground: false)
    return (isConnected ? [] : [.announce(.notRestored(record))]) + [.settle]
  }

  /// The session that the app-based model had in its last run.
  func storedImplicitSession() -> SceneRecord? {
    let stored = roster.ordered.filter { state(of: $0).stored != nil }
    let implicit = stored.last { $0.session.configuration.name == nil && $0.session.role == .windowApplication }
    for record in stored where record !== implicit { record.session.holdReason = .unknownConfiguration }
    guard let implicit, conductor.connector.load(implicit) else { return nil }
    return implicit
  }

  /// In the app-based model, between the two launch callbacks.
  private func restoreApplicationState() -> [FeatureAction] {
    guard conductor.machine.model == .appBased, let session = conductor.feature(Launch.self)?.implicitScene?.session,
      let state = session.stateRestorationActivity
    else { return [] }
    return [.call(ApplicationRestorationCall(session: session, state: state))]
  }

  // MARK: Longer restorations

  /// Conceals a scene; whether it can still be concealed.
  ///
  /// Not while the scene is on its way to the foreground, behind another scene's present callback.
  @discardableResult
  func extend(_ record: SceneRecord, limit: Duration) -> Bool {
    guard record.isAttached, max(record.activation, record.machine.target) <= .background,
      !record.connection.hasBeenInForeground
    else { return false }
    let state = state(of: record)
    state.extensions += 1
    // An hour stands for an unlimited time.
    let limit = min(max(limit, .zero), .seconds(3600))
    let end = conductor.now + limit / .seconds(1)
    // The longest of several limits counts.
    guard state.extensions == 1 || end > state.end else { return true }
    state.end = end
    conductor.perform(set(.restoration(record), after: limit, .expired(record)))
    guard state.extensions == 1 else { return true }
    conductor.reduce(.scene(record.number, .concealment(true)))
    return true
  }

  /// Completes an extension of ``extend(_:limit:)``.
  func complete(_ record: SceneRecord) {
    let state = state(of: record)
    guard state.extensions > 0 else { return }
    state.extensions -= 1
    guard state.extensions == 0 else { return }
    state.tasks = []
    conductor.cancel(.restoration(record))
    conductor.post(Self.self, .completed(record))
  }

  private func completed(_ record: SceneRecord) -> [FeatureAction] {
    guard record.isAttached, !isRestoring(record) else { return [] }
    let actions: [FeatureAction] = [.updateConcealment(record), .announce(.restored(record))]
    guard !record.connection.isInBackground else { return actions }
    return actions + [.send(AnyMessage(WindowVisibility.self, .showRestored(record))), post(.checkShown(record))]
  }

  private func expired(_ record: SceneRecord) -> [FeatureAction] {
    guard isRestoring(record) else { return [] }
    _ = end(record)
    return [
      .report(
        "The scene \(record.identifier) has not completed its restoration in time, so it is shown as it "
          + "is. Call completeStateRestoration() once for each extendStateRestoration(), and keep such work short.")
    ] + completed(record)
  }

  /// The restoration is over, completed or not.
  private func end(_ record: SceneRecord) -> [FeatureAction] {
    if let state = knownState(of: record) {
      for task in state.tasks { task.cancel() }
      state.tasks = []
      state.extensions = 0
    }
    return [.cancel(.restoration(record))]
  }

  /// Whether it is to be checked that a scene that has connected shows a window.
  ///
  /// Not where the program has shown one: that would be an item of the inbox for each scene, 5,000 instructions
  /// (Tests/Benchmarks/instructions).
  private func needsCheck(_ record: SceneRecord) -> Bool {
    if record.connection.isInBackground || conductor.machine.model != .sceneBased { return false }
    return record.connection.keepsFocus || record.windowScene?.windows.contains { !$0.isHidden } != true
  }

  /// A scene without a visible window after its connection is reported as an error of the program.
  private func checkShown(_ record: SceneRecord) -> [FeatureAction] {
    guard !isRestoring(record) else { return [] }
    record.connection.keepsFocus = false
    guard record.isAttached, !record.windows.isAnyShown, !conductor.machine.phase.isEnding else { return [] }
    return [
      .report(
        "The scene \(record.identifier) has no shown window after scene(_:willConnectTo:options:), so it stays in the "
          + "background. Make a Window(windowScene:) there and call makeKeyAndVisible().")
    ]
  }
}

extension Deadline {
  /// The time for a scene's restoration is over.
  @MainActor fileprivate static func restoration(_ record: SceneRecord) -> Deadline {
    Deadline("restoration", record.number, isUrgent: true)
  }

  /// The rest of the sessions is read.
  fileprivate static let rest = Deadline("rest")
}

extension Conductor {
  /// Whether a scene's state is being restored by more than a callback.
  func isRestoring(_ record: SceneRecord) -> Bool { feature(Restoration.self)?.isRestoring(record) == true }

  /// Looks again for the configuration of a session that was held back for want of one.
  /// - Returns: Whether there is one now.
  func configureAgain(_ record: SceneRecord) -> Bool {
    machine.model == .sceneBased && feature(Restoration.self)?.configure(record) == true
  }

  /// Those of several sessions whose records are read for one purpose; the first ones count most.
  func readable(_ records: [SceneRecord]) -> [SceneRecord] {
    var budget = ReadingBudget()
    // What has been read already costs nothing.
    return records.filter { record in
      record.session.load == nil
        || budget.take(feature(Restoration.self)?.knownState(of: record)?.stored?.cost ?? 0)
    }
  }
}
