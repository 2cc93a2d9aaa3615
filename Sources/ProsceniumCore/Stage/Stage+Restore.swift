import FoundationEssentials
import ProsceniumStore
import SceneLifecycle

/// Launch with sessions of an earlier run.
extension Stage {
  /// Opens the store of the program's sessions; answers the status to exit with if another process has it.
  func openStore(policy: InstancePolicy) -> Int32? {
    var arguments = Array(identity.arguments.dropFirst())
    // One owner after the other may end before it has been asked.
    for _ in 0..<20 {
      switch tryToOpenStore(policy, arguments) {
      case .ownerEnded(let left):
        // What one of them has taken is nobody else's.
        (launchOptions, arguments) = (left.launch, left.arguments)
      case .end(let status): return status
      case nil: return nil
      case .notTaken: return 1
      }
    }
    report("\(identity.id) runs already, in one process after the other. Try again.")
    return 1
  }

  /// Nil where the store is this process's, or where there is none.
  private func tryToOpenStore(_ policy: InstancePolicy, _ arguments: [String]) -> SecondStart.Outcome? {
    switch storeSource {
    case .none: return nil
    case .given(let given): store = given
    case .directory(let environment):
      do throws(StoreError) {
        store = try SessionStore.open(
          applicationIdentifier: identity.id, environment: environment, display: environment["DISPLAY"] ?? "",
          separate: policy == .separateStores)
      } catch {
        switch error {
        case .owned(let process, let display):
          let start = SecondStart(
            owner: process, display: display, identifier: identity.id, launch: launchOptions,
            arguments: arguments, directory: Application.currentDirectory)
          let outcome = application.handOver?(start) ?? .notTaken
          guard outcome == .notTaken else { return outcome }
          report(
            "\(identity.id) is running already, as process \(process.map(String.init) ?? "unknown") on display "
              + "\(display ?? "unknown"). Use that one, or end it first.")
          return .notTaken
        case .unusable(let message): storeFailed(StoreFailure(message: message))
        }
      }
    }
    store?.onFailure = { [weak self] failure in self?.storeFailed(failure) }
    if let process = application.ownProcess { store?.afterPictures { process.trimMemory() } }
    if let store { application.callbackWatch?.storeOpened(store.access) }
    return nil
  }

  /// The program hears of it when its launch callbacks have been called, or at once.
  private func storeFailed(_ failure: StoreFailure) {
    report("Sessions cannot be saved: \(failure.description)")
    post(.storeFailed(failure))
  }

  /// Makes sessions of what the store has, and says why the program was launched.
  func takeStoredSessions() -> SessionStore.Contents {
    guard let store else { return SessionStore.Contents() }
    let contents = store.load()
    // What the last run left uncovered is synced when there is time.
    savesAtRest = true
    restorationReason =
      switch contents.lastRun {
      case .died: .recover
      case .none, .quit, .sessionEnded: contents.sessions.isEmpty ? .launch : .restore
      }
    for stored in contents.discarded {
      let session = makeSession(stored)
      session.load = { try? stored.decode() }
      discarded.append(session)
    }
    for stored in contents.sessions {
      let session = makeSession(stored)
      let record = insert(session)
      record.stored = stored
      record.mayHaveSnapshot = true
      record.hasConnected = true
      record.presence = stored.presence
      record.lastActiveTime = stored.lastActive
      latestActivity = max(latestActivity, stored.lastActive)
      activations += 1
      record.lastActive = activations
      session.load = { [weak self, weak record] in record.flatMap { self?.decode($0) } }
    }
    return contents
  }

  private func makeSession(_ stored: SessionStore.Record) -> SceneSession {
    let role = SceneSession.Role(rawValue: stored.role)
    return SceneSession(
      persistentIdentifier: stored.identifier, role: role,
      configuration: SceneConfiguration(name: stored.configuration, sessionRole: role))
  }

  /// A record for a session, which from then on is one of the open ones.
  func insert(_ session: SceneSession) -> SceneRecord {
    let record = SceneRecord(number: makeNumber(), session: session, stage: self)
    records.insert(record)
    session.onChange = { [weak self, weak record] in record.map { self?.sessionChanged($0) } }
    return record
  }

  /// A record whose session is not one of the open ones any more.
  func remove(_ record: SceneRecord) {
    records.remove(record)
    law.scenes.remove(record.number)
  }

  /// The rest of a stored session; nil where its record is damaged, which is reported.
  private func decode(_ record: SceneRecord) -> StoredSession? {
    guard let stored = record.stored else { return nil }
    do {
      let session = try stored.decode()
      record.placement = session.placement
      record.storedTitle = session.title
      record.unknown = session.unknown
      return session
    } catch {
      report("\(error)")
      return nil
    }
  }

  /// Whether the session's record could be read; one that could not is nobody's session any more.
  func fill(_ record: SceneRecord) -> Bool {
    if record.session.loadStored() { return true }
    remove(record)
    return false
  }

  // MARK: What is brought back

  /// Decides which stored sessions come back: the others are discarded by their policy, or held back.
  func judgeStoredSessions(_ contents: SessionStore.Contents) {
    guard law.model == .sceneBased else { return }
    for record in records.ordered where record.stored != nil && record.scene == nil {
      let session = record.session
      guard configure(record) else {
        record.holdReason = .unknownConfiguration
        continue
      }
      let comesBack =
        switch session.configuration.restorePolicy {
        case .always: true
        case .afterCrashOrSessionEnd: contents.lastRun != .quit
        case .never: false
        }
      if !comesBack {
        forget(record)
      } else if let runs = contents.suspects[session.persistentIdentifier] {
        if runs >= Self.runsToBlame {
          record.holdReason = .connectionCrashed
        } else if record.isInteractive {
          // The others connect with their display, not with the launch.
          suspects.append(record)
        }
      }
    }
  }

  /// How many runs in a row have to die while a session connects before it is held back.
  private static let runsToBlame = 2

  /// Finds a stored session's configuration by its name; a delegate without the list is asked again.
  private func configure(_ record: SceneRecord) -> Bool {
    let session = record.session
    guard let registry, let delegate = application.delegate else { return false }
    guard !registry.isEmpty else {
      traceApplication("configurationForConnecting", sessions: [session])
      var options = Scene.ConnectionOptions()
      options.isReconnect = true
      options.restorationReason = restorationReason
      guard
        let configuration = delegate.askConfiguration(application, for: session, options: options),
        configuration.role == session.role
      else { return false }
      session.configuration = configuration.copy()
      return true
    }
    do throws(SceneError) {
      session.configuration = try registry.resolve(session.configuration)
      return true
    } catch {
      return false
    }
  }

  /// Names the sessions that are held back.
  func reportHeldBack() {
    let held = records.ordered.filter { $0.holdReason != nil }
    guard !held.isEmpty else { return }
    for record in held {
      let name = "The session \(record.session.persistentIdentifier)"
      switch record.holdReason {
      case .connectionCrashed:
        report("\(name) is held back: the last two runs died while it was connecting. Activate it to try again.")
      case .unknownConfiguration, nil:
        report(
          "\(name) is held back: there is no configuration \"\(record.session.configuration.name ?? "")\" of the role "
            + "\(record.session.role.rawValue). Add it to sceneConfigurations, or destroy the session.")
      }
    }
    let sessions = held.map(\.session)
    traceApplication("didHoldBackSceneSessions", sessions: sessions)
    application.delegate?.application(application, didHoldBackSceneSessions: Set(sessions))
  }

  /// Brings back what was open: scenes that could be seen are connected, the others return as bare windows.
  ///
  /// In the order of last activity, so that the windows lie above one another as they did; the last one alone asks for
  /// the focus.
  func restoreSessions() {
    // Sessions of external displays wait for one.
    let open = records.ordered.filter {
      $0.stored != nil && $0.scene == nil && $0.holdReason == nil && $0.isInteractive
    }
    guard !open.isEmpty else { return }
    // Nothing is iconic, or on another desktop, where nobody manages windows.
    let hasManager = platform.hasWindowManager
    var shown = open.filter { $0.presence == .shown || ($0.presence == .background && !hasManager) }
    var hidden = open.filter { $0.presence == .background && hasManager }
    let supportsMultiple = application.delegate?.supportsMultipleScenes ?? false
    let isAsked = !launchParcel.isEmpty
    assignLaunchParcel(open, supportsMultiple: supportsMultiple)
    let targets = open.filter { !$0.launchParcel.isEmpty }
    shown.removeAll { !$0.launchParcel.isEmpty }
    hidden.removeAll { !$0.launchParcel.isEmpty }
    shown += targets
    // Somebody who launches the program wants to see something: what was used last, rather than something new.
    if shown.isEmpty, !isAsked { shown = lastUsed(of: open, hidden: &hidden) }
    if !supportsMultiple, shown.count + hidden.count > 1 {
      shown = [shown.last ?? hidden[hidden.count - 1]]
      hidden = []
    }
    // For what no stored session is for.
    let opensNew = !launchParcel.isEmpty
    for record in shown { record.keepsFocus = opensNew || record !== shown.last }
    // Those that were connecting when the last run died go one by one, so that the next death names one of them.
    suspects = shown.filter { record in suspects.contains { $0 === record } }
    for record in shown where !suspects.contains(where: { $0 === record }) { restore(record) }
    for record in hidden { restoreBare(record) }
    if !suspects.isEmpty { connectSuspect() }
    guard opensNew else { return }
    let parcel = launchParcel
    launchParcel = Parcel()
    hand(parcel, to: nil, isLaunch: true)
    settle()
  }

  /// The last used session where none was in sight, unless the user made it an icon.
  private func lastUsed(of open: [SceneRecord], hidden: inout [SceneRecord]) -> [SceneRecord] {
    guard let last = hidden.last else { return open.suffix(1) }
    // Out of sight without being an icon: the desktop was shown, or another one.
    guard fill(last), last.placement?.isMinimized == false else { return [] }
    hidden.removeLast()
    return [last]
  }

  /// Gives each part of what the program was launched for to the stored session that is best for it.
  private func assignLaunchParcel(_ open: [SceneRecord], supportsMultiple: Bool) {
    guard !launchParcel.isEmpty else { return }
    let candidates = self.candidates(role: .windowApplication)
    // The one session that there may be is the one that is meant.
    let only = launchParcel.target.flatMap { best(for: $0, among: candidates) } ?? open.last
    var left = Parcel()
    for part in launchParcel.parts {
      let own = part.target.map { best(for: $0, among: candidates) } ?? candidates.first
      if let target = supportsMultiple ? own : only { target.launchParcel.add(part) } else { left.add(part) }
    }
    launchParcel = left
  }

  private func restore(_ record: SceneRecord) {
    var options = Scene.ConnectionOptions()
    options.restorationReason = restorationReason
    // Who opens a URL, or asks for an action, wants to see it, here and now.
    if !record.launchParcel.isEmpty, fill(record) { record.placement?.bringIntoSight() }
    if !connect(record, options: options, inBackground: false) { redirectLaunchParcel(of: record) }
    settle()
  }

  /// The session does not come back: what the program was launched for is somebody else's.
  private func redirectLaunchParcel(of record: SceneRecord) {
    guard !record.launchParcel.isEmpty else { return }
    redirect(record.launchParcel)
    record.launchParcel = Parcel()
  }

  /// A window without a scene, iconic or on another desktop as it was; the session connects when it comes into sight.
  private func restoreBare(_ record: SceneRecord) {
    guard fill(record) else { return }
    let id = platform.makeWindowID()
    var description = WindowDescription()
    description.role = record.session.persistentIdentifier
    description.title = record.storedTitle ?? identity.id
    description.size = record.session.configuration.launchSize
    description.placement = placement(of: record)
    owners[id] = record
    let frame = description.placement?.frame ?? Rect(x: 0, y: 0, width: 1, height: 1)
    record.bare = SceneRecord.BareWindow(id: id, levels: WindowLevels(), isShown: true, frame: frame)
    // Only its delegate could tell, and there is none: it is asked.
    record.mayRefuseClose = true
    platform.perform(.create(id, description))
    platform.perform(.bare(id))
    platform.perform(.show(id, .quiet))
  }

  /// The next of the sessions that were connecting when the last run died.
  func connectSuspect() {
    guard suspectUnderWay == nil, !suspects.isEmpty else { return }
    let record = suspects.removeFirst()
    guard records.find(record.session) === record, record.scene == nil else {
      redirectLaunchParcel(of: record)
      return connectSuspect()
    }
    suspectUnderWay = record
    restore(record)
    // It could not even be read, or has no delegate any more: the others still may.
    guard record.scene == nil, suspectUnderWay === record else { return }
    suspectUnderWay = nil
    connectSuspect()
  }

  /// A session has survived its connection; the next one may follow.
  func connectNextSuspect(after record: SceneRecord) {
    guard suspectUnderWay === record else { return }
    suspectUnderWay = nil
    post(.connectSuspect)
  }

  /// The session that the app-based model had in its last run.
  func storedImplicitSession() -> SceneRecord? {
    let stored = records.ordered.filter { $0.stored != nil }
    let implicit = stored.last { $0.session.configuration.name == nil && $0.session.role == .windowApplication }
    for record in stored where record !== implicit { record.holdReason = .unknownConfiguration }
    guard let implicit, fill(implicit) else { return nil }
    return implicit
  }
}
