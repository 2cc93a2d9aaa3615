import Glibc
import ProsceniumTrace

/// Delivers requests of other programs, launchers and second starts to their scenes.
///
/// An accepted request is delivered exactly once: to a scene that is being brought forward when it is in the
/// foreground, or after a time limit; to another one if it is closed before; and before the program terminates.
final class OpenRequests: FeatureBase, Feature, LoopObserver {
  enum Message: Equatable {
    /// Delivers a payload to a scene, or to a new one where nil.
    case deliver(Payload, to: SceneRecord?, isLaunch: Bool)
    /// Delivers a payload whose scene is gone.
    case redirect(Payload)
    /// Nothing but the program itself is asked for.
    case comeForward
    /// Sessions have been restored because the program was asked for, if they could be.
    case restored([SceneRecord])
    /// Delivers each part of a request to the scene that fits best.
    case route(Payload)
    /// A scene has been waited for long enough.
    case due(SceneRecord)
    /// Launchers need not wait any longer.
    case startupComplete
    /// Calls a completion of the program, never within the present call.
    case answer(FunctionCall)
  }

  final class SceneState: SceneFeatureState {
    /// The payloads that the scene receives in the foreground.
    var payloads: [Payload] = []
    /// The launch's payload that the session is restored with.
    var launchPayload = Payload()
    /// The payloads that the delegate receives by the callbacks for a running program rather than in the connection's
    /// options.
    var replayed: [Payload] = []

    func drainLaunchPayload() -> Payload { exchange(&launchPayload, with: Payload()) }
  }

  /// How long a scene that is brought forward is waited for: the window manager may never show it.
  private static let showingLimit = Duration.seconds(5)

  /// The launch's payload that no scene has received yet.
  private var launchPayload = Payload()
  /// The request for which the bus has started the program, until the launch callbacks have returned.
  private var launchRequest: IncomingRequest?
  /// The sessions that a request is for which has the stored sessions restored, each nil for a new one.
  private var restoringTargets: [SceneRecord?]?
  /// Scenes that something waits for.
  private var expecting: [SceneRecord] = []
  /// How many requests and payloads are in the inbox.
  private var waiting = 0

  static let manifestProperties: [ManifestProperty] = [
    .texts("openedURLSchemes", \.openedURLSchemes), .texts("openedFileExtensions", \.openedFileExtensions),
    .flag("replaysConnectionPayloads", \.replaysConnectionPayloads),
    ManifestProperty(name: "shortcutItems", expected: ApplicationShortcutItem.expectedInFile) { value, manifest in
      guard let items = ApplicationShortcutItem.items(inFile: value) else { return false }
      manifest.shortcutItems = items
      return true
    },
  ]

  private var isConcealing: Bool { conductor.feature(Presence.self)?.isConcealing == true }

  override var delaysEnd: Bool { waiting > 0 }
  override func keepsConnected(_ record: SceneRecord) -> Bool { hasPayloads(record) }
  override func keepsRunning(_ record: SceneRecord) -> Bool { hasPayloads(record) }
  private func hasPayloads(_ record: SceneRecord) -> Bool { knownState(of: record)?.payloads.isEmpty == false }

  override func accepted(_ event: SystemEvent) { if case .request = event { waiting += 1 } }

  // MARK: Launch

  override func launchOptions(arguments: [String]) -> LaunchOptions? {
    LaunchOptions(
      arguments: arguments, openable: application.resolvedManifest.openable, directory: Launch.currentDirectory,
      fileExists: { access($0, F_OK) == 0 })
  }

  /// Assigns each part of the launch's payload to the best stored session.
  override func claimLaunch(of open: [SceneRecord]) -> LaunchClaim? {
    if let targets = restoringTargets.take() { return claim(of: open, for: targets) }
    guard !launchPayload.isEmpty else { return nil }
    let candidates = conductor.candidates(role: .windowApplication)
    // The one session that there may be is the one that is meant.
    let only = launchPayload.target.flatMap { conductor.best(for: $0, among: candidates) } ?? open.last
    let supportsMultiple = application.resolvedManifest.supportsMultipleScenes
    var left = Payload()
    for part in launchPayload.parts {
      let own = part.target.map { conductor.best(for: $0, among: candidates) } ?? candidates.first
      if let target = supportsMultiple ? own : only {
        state(of: target).launchPayload.add(part)
      } else {
        left.add(part)
      }
    }
    launchPayload = left
    return LaunchClaim(sessions: open.filter { !state(of: $0).launchPayload.isEmpty }, opensNew: !launchPayload.isEmpty)
  }

  /// The claim of a request that comes after a launch into the background: it is delivered when they are connected.
  private func claim(of open: [SceneRecord], for targets: [SceneRecord?]) -> LaunchClaim {
    let sessions = open.filter { record in targets.contains { $0 === record } }
    return LaunchClaim(
      sessions: sessions, opensNew: targets.contains { target in !sessions.contains { $0 === target } })
  }

  override func claimFirstScene() -> SceneContent? {
    let payload = drainLaunchPayload()
    return payload.isEmpty ? nil : SceneContent(target: payload.target, options: payload.options)
  }

  /// Takes what the program was launched with, and the activity of the request for which the bus has started it.
  private func takeLaunchPayload() -> [FeatureAction] {
    launchPayload = conductor.feature(Launch.self)?.options.payload ?? Payload()
    guard let request = launchRequest.take() else { return [] }
    var actions: [FeatureAction] = []
    let continuation = request.payload.continuation
    switch continuation {
    case .whole?, .announced?: launchPayload.continuation = continuation
    // No options have a failure: the delegate is told when the scenes are there.
    case .failed?: actions += redirect(Payload(continuation: continuation, sender: launchPayload.sender))
    case nil: break
    }
    // After the windows of the launch.
    if request.token != nil { actions.append(.afterSettling([post(.startupComplete)])) }
    return actions
  }

  private func drainLaunchPayload() -> Payload { exchange(&launchPayload, with: Payload()) }

  // MARK: Events and moments

  override func join(_ lists: inout FeatureLists) {
    lists.answer(
      .accepted, .handle, .whileSuspended, .complete, .keepsConnected, .keepsRunning, .delaysEnd, .launchOptions,
      .claimLaunch, .claimFirstScene, .deliveredURLs, by: self)
    lists.observe(.settled, by: self)
    lists.observe(before: [.sceneDidBecomeActive], after: [.sceneWillConnect], by: self)
    lists.observe(moments: .restoringSession, .sceneMade, .leaving, by: self)
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .request(let request) = event else { return [] }
    waiting -= 1
    var actions = traces(request)
    if !request.arguments.isEmpty { actions.append(.call(SecondLaunchCall(request: request))) }
    if let token = request.token { actions.append(.command(.startup(token: token))) }
    // The scenes are chosen when the delegate has returned: it may have changed their activation conditions.
    let payload = request.payload
    if !request.isBackground { actions.append(.send(AnyMessage(Termination.self, .userReturned))) }
    if !payload.isEmpty {
      actions.append(send(.route(payload)))
    } else if !request.isBackground, request.response == nil {
      actions.append(send(.comeForward))
    }
    // After the windows of new scenes.
    if request.token != nil { actions.append(.afterSettling([post(.startupComplete)])) }
    return actions
  }

  private func traces(_ request: IncomingRequest) -> [FeatureAction] {
    conductor.trace.isOn ? [.traceSystem("request", request.traceDetails)] : []
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .launchRequested(let request):
      launchRequest = request
      return traces(request) + (request.token.map { [.command(.startup(token: $0))] } ?? [])
    case .launched: return takeLaunchPayload()
    case .launchedInBackground:
      return split(drainLaunchPayload()).map { send(.deliver($0.payload, to: $0.target, isLaunch: true)) }
    case .implicitSceneConnected(let opens):
      let payload = drainLaunchPayload()
      return opens ? applicationCalls(payload) : []
    case .launchClaimDue:
      let payload = drainLaunchPayload()
      return payload.isEmpty ? [] : [send(.deliver(payload, to: nil, isLaunch: true)), .settle]
    // A URL or an action of the user is shown at once.
    case .restoringSession(let record):
      if !state(of: record).launchPayload.isEmpty, conductor.connector.load(record) {
        record.state(of: Saving.self).placement?.bringIntoSight()
      }
    // The launch's payload is for another scene.
    case .notRestored(let record):
      let payload = state(of: record).drainLaunchPayload()
      return payload.isEmpty ? [] : redirect(payload)
    case .sceneMade(let record): return sceneMade(record)
    case .after(.sceneWillConnect, let record):
      // Saved as what was opened with an activity is.
      if !record.connection.options.urlContexts.isEmpty { record.stateChanged() }
      return record.connection.options.userActivities.map { .call(WasContinuedCall(scene: record, activity: $0)) }
    case .before(.sceneDidBecomeActive, let record): return deliverWaiting(to: record)
    case .leaving(let record): return drainPayloads(of: record).flatMap(redirect)
    case .restored(let record): return awaitForeground(record)
    case .presenceChanged: return isConcealing ? [] : expecting.flatMap(awaitForeground)
    case .continuing(let activity, let record):
      return expect(Payload(continuation: .whole(activity, isAnnounced: false)), by: record)
    case .ending: return deliverAll()
    default: break
    }
    return []
  }

  func moment(_ moment: LoopMoment) -> [FeatureAction] { deliverToForeground() }

  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .request = event { .wakes } else { nil }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .deliver(let payload, let target, let isLaunch): return deliver(payload, to: target, isLaunch: isLaunch)
    case .redirect(let payload):
      waiting -= 1
      return deliver(payload, to: target(for: payload.target), isLaunch: false)
    case .route(let payload): return route(payload)
    case .comeForward:
      let left = takeSessionsLeft()
      return left.isEmpty ? comeForward() : [restoreSessions, send(.restored(left))]
    case .restored(let records):
      let isAnyOpen = conductor.opensScenesLater || records.contains { $0.scene != nil || $0.windows.bare != nil }
      return isAnyOpen ? [] : comeForward()
    case .due(let record): return isConcealing || conductor.isRestoring(record) ? [] : deliverWaiting(to: record)
    case .startupComplete: return [.command(.startupComplete)]
    case .answer(let answer): return [.callAfterSettling(answer)]
    }
  }

  override func deliveredURLs(with edge: SceneEdge, of record: SceneRecord) -> Int {
    edge == .sceneWillConnect ? record.connection.options.urlContexts.count : 0
  }

  // MARK: Connections

  override func complete(_ options: inout Scene.ConnectionOptions, of record: SceneRecord) {
    if let state = knownState(of: record) {
      state.launchPayload.add(to: &options)
      state.replayed = []
    }
    guard application.resolvedManifest.replaysConnectionPayloads else { return }
    let replayed = removeReplayed(&options, record)
    if !replayed.isEmpty { state(of: record).replayed = replayed }
  }

  /// Removes the payloads from the options that follow by the callbacks for a running program.
  private func removeReplayed(_ options: inout Scene.ConnectionOptions, _ record: SceneRecord) -> [Payload] {
    let isQuiet = record.connection.isInBackground
    var payloads: [Payload] = []
    let asked = Payload(urls: Array(options.urlContexts), shortcut: options.shortcutItem, isQuiet: isQuiet)
    if !asked.isEmpty { payloads.append(asked) }
    payloads += options.userActivities.map { Payload(continuation: .whole($0, isAnnounced: true), isQuiet: isQuiet) }
    (options.urlContexts, options.userActivities) = ([], [])
    (options.handoffUserActivityType, options.shortcutItem) = (nil, nil)
    return payloads
  }

  private func sceneMade(_ record: SceneRecord) -> [FeatureAction] {
    guard let state = knownState(of: record) else { return [] }
    state.launchPayload = Payload()
    return exchange(&state.replayed, with: []).flatMap { expect($0, by: record) }
  }

  // MARK: A launch into the background

  /// The first request that shows the program brings back what a launch would have.
  private func takeSessionsLeft() -> [SceneRecord] { conductor.feature(Restoration.self)?.takeSessionsLeft() ?? [] }
  private var restoreSessions: FeatureAction { .send(AnyMessage(Restoration.self, .restoreSessions)) }

  // MARK: The scene that a payload is for

  private func route(_ payload: Payload) -> [FeatureAction] {
    let parts = split(payload)
    guard payload.isQuiet || takeSessionsLeft().isEmpty else {
      restoringTargets = parts.map(\.target)
      return [restoreSessions, send(.route(payload))]
    }
    return parts.map { send(.deliver($0.payload, to: $0.target, isLaunch: false)) }
  }

  /// One payload for each scene that some of it is for, and at most one for a new scene.
  private func split(_ payload: Payload) -> [(payload: Payload, target: SceneRecord?)] {
    // The sessions are not read for nothing.
    guard !payload.isEmpty else { return [] }
    var payloads: [(payload: Payload, target: SceneRecord?)] = []
    let candidates = conductor.candidates(role: .windowApplication)
    for part in payload.parts {
      let target = target(for: part.target, among: candidates)
      if let place = payloads.firstIndex(where: { $0.target === target }) {
        payloads[place].payload.add(part)
      } else {
        payloads.append((part, target))
      }
    }
    return payloads
  }

  /// The best session for some content, or for none in particular; nil where a new one is needed.
  private func target(for identifier: String?, among candidates: [SceneRecord]? = nil) -> SceneRecord? {
    guard conductor.machine.model == .sceneBased else { return implicitRecord }
    let candidates = candidates ?? conductor.candidates(role: .windowApplication)
    let best = identifier.map { conductor.best(for: $0, among: candidates) } ?? candidates.first
    guard !application.resolvedManifest.supportsMultipleScenes else { return best }
    // The one that is open is all that there may be, else any that has been.
    return candidates.first { $0.scene != nil } ?? best ?? candidates.first
  }

  private var implicitRecord: SceneRecord? { conductor.feature(Launch.self)?.implicitScene?.record }

  // MARK: The way to it

  /// Delivers a payload: to a scene, which is connected first where necessary, or to a new one.
  /// - Parameters:
  ///   - payload: The payload.
  ///   - target: The session; a new scene where nil.
  ///   - isLaunch: A session that is connected for it receives it in its options, as at every launch.
  /// - Returns: The actions.
  private func deliver(_ payload: Payload, to target: SceneRecord?, isLaunch: Bool) -> [FeatureAction] {
    guard conductor.machine.model == .sceneBased else { return deliverToImplicitScene(payload) }
    guard !conductor.machine.phase.isEnding else {
      return deliverToConnected(payload, because: "the application is ending")
    }
    if let target, let actions = send(payload, to: target, isLaunch: isLaunch) { return actions }
    do throws(SceneError) {
      let record = try conductor.connector.openScene(
        role: .windowApplication, options: payload.options, inBackground: payload.isQuiet)
      return payload.remainder.map { expect($0, by: record) } ?? []
    } catch {
      return deliverToConnected(payload, because: error.description)
    }
  }

  /// Sends a payload to a scene; nil if its session cannot be connected.
  private func send(_ payload: Payload, to record: SceneRecord, isLaunch: Bool) -> [FeatureAction]? {
    let isConnected = record.scene != nil
    let options = isLaunch ? payload.options : Scene.ConnectionOptions()
    guard
      isConnected || conductor.connector.connect(record, options: options, inBackground: payload.isQuiet)
    else { return nil }
    let expected = isConnected || !isLaunch ? payload : payload.remainder
    return show(record, for: payload) + (expected.map { expect($0, by: record) } ?? [])
  }

  private func show(_ record: SceneRecord, for payload: Payload) -> [FeatureAction] {
    payload.isQuiet ? [] : [.post(AnyMessage(WindowVisibility.self, .makeVisible(record)))]
  }

  /// A request without content: the scene that was used last comes forward, or a new one.
  private func comeForward() -> [FeatureAction] {
    let last = target(for: nil)
    guard last != nil || conductor.machine.model == .sceneBased else { return showClosedWindow() }
    let request = last.map { SceneSessionActivationRequest(session: $0.session) } ?? SceneSessionActivationRequest()
    let message = SessionRequests.Message(request: .activate(request, SceneContent()))
    return [.send(AnyMessage(SessionRequests.self, message))]
  }

  /// The user has closed the window of an app-based program that goes on without it.
  private func showClosedWindow() -> [FeatureAction] {
    guard !conductor.machine.phase.isEnding else { return [] }
    guard let window = conductor.feature(Launch.self)?.closedWindow else {
      return [
        .report(
          "The program has been started again, and has no window to show. Make one, or keep the one that the user has "
            + "closed in a property of the delegate.")
      ]
    }
    window.makeKeyAndVisible()
    return []
  }

  private func deliverToImplicitScene(_ payload: Payload) -> [FeatureAction] {
    // Without its scene the program receives it all the same.
    guard !conductor.machine.phase.isEnding, let record = implicitRecord, record.ending == nil else {
      return applicationCalls(payload)
    }
    return show(record, for: payload) + expect(payload, by: record)
  }

  /// The last resort: a scene that is connected gets it where it is.
  private func deliverToConnected(_ payload: Payload, because reason: String) -> [FeatureAction] {
    let connected = conductor.candidates(role: .windowApplication).first { $0.activation >= .background }
    guard let connected else {
      return [.report("\(payload.summary) of another program could not be handed to any scene: \(reason)")]
    }
    return calls(connected, payload)
  }

  // MARK: The time of it

  /// Keeps a payload for a scene that is on its way to the foreground, or is there.
  private func expect(_ payload: Payload, by record: SceneRecord) -> [FeatureAction] {
    let state = state(of: record)
    if state.payloads.isEmpty { expecting.append(record) }
    state.payloads.append(payload)
    return awaitForeground(record)
  }

  /// Sets a limit to the wait, unless something is known to keep the scene from being seen.
  private func awaitForeground(_ record: SceneRecord) -> [FeatureAction] {
    guard hasPayloads(record), !conductor.isSet(.payload(record)), !isConcealing,
      !conductor.isRestoring(record)
    else { return [] }
    return [set(.payload(record), after: Self.showingLimit, .due(record))]
  }

  /// Delivers the payloads of scenes that have come to the foreground, and those that need no foreground.
  private func deliverToForeground() -> [FeatureAction] {
    guard !expecting.isEmpty else { return [] }
    return expecting.flatMap { record -> [FeatureAction] in
      if record.activation >= .foregroundInactive { return deliverWaiting(to: record) }
      guard record.activation == .background, state(of: record).payloads.contains(where: \.isQuiet) else { return [] }
      let payloads = drainPayloads(of: record)
      return payloads.filter { !$0.isQuiet }.flatMap { expect($0, by: record) }
        + payloads.filter(\.isQuiet).flatMap { calls(record, $0) }
    }
  }

  /// Delivers the waiting payloads of a scene, in any state.
  private func deliverWaiting(to record: SceneRecord) -> [FeatureAction] {
    guard hasPayloads(record) else { return [] }
    return [.cancel(.payload(record))] + drainPayloads(of: record).flatMap { calls(record, $0) }
  }

  /// Delivers all payloads before the program terminates; sessions are not restored any more.
  private func deliverAll() -> [FeatureAction] {
    let waiting = roster.ordered.filter { !state(of: $0).launchPayload.isEmpty }
    return expecting.flatMap(deliverWaiting)
      + waiting.map { send(.deliver(state(of: $0).drainLaunchPayload(), to: nil, isLaunch: false)) }
  }

  private func redirect(_ payload: Payload) -> [FeatureAction] {
    waiting += 1
    return [post(.redirect(payload))]
  }

  private func drainPayloads(of record: SceneRecord) -> [Payload] {
    expecting.removeAll { $0 === record }
    conductor.cancel(.payload(record))
    return exchange(&state(of: record).payloads, with: [])
  }

  // MARK: The calls

  /// The calls of a scene's delegate for a payload.
  private func calls(_ record: SceneRecord, _ payload: Payload) -> [FeatureAction] {
    guard conductor.machine.model == .sceneBased else { return applicationCalls(payload) }
    guard let scene = record.scene else { return redirect(payload) }
    return RequestPart.parts(of: payload, urlsTogether: true).map { .call(SceneRequestCall(part: $0, scene: scene)) }
  }

  /// The calls of the application's delegate for a payload, in the app-based model.
  private func applicationCalls(_ payload: Payload) -> [FeatureAction] {
    RequestPart.parts(of: payload, urlsTogether: false).map { .call(ApplicationRequestCall(part: $0)) }
  }
}

extension Deadline {
  /// A scene that something waits for has been waited for long enough.
  @MainActor fileprivate static func payload(_ record: SceneRecord) -> Deadline { Deadline("payload", record.number) }
}
