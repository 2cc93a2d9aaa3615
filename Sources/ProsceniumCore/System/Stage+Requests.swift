import ProsceniumTrace
import SceneLifecycle

/// What other programs ask of this one: which scene it is for, how that comes forward, and when it is told.
///
/// What was taken is handed on exactly once: to a scene that is being brought forward when it gets there, or when it has
/// been waited for long enough; to another one if it is closed meanwhile; and before the program ends.
extension Stage {
  /// How long a scene that is brought forward is waited for, in milliseconds: the window manager may never show it.
  private static let showingLimit = 5000

  /// Answers what follows once the scenes have walked.
  func handle(_ request: IncomingRequest) -> [Afterwards] {
    requestsWaiting -= 1
    note(request)
    callSecondLaunch(request)
    if let token = request.token { platform.perform(.startup(token: token)) }
    let parcel = request.parcel
    for (part, target) in split(parcel) { hand(part, to: target) }
    if parcel.isEmpty, !request.isBackground { comeForward() }
    guard request.token != nil else { return [] }
    // After the windows that new scenes have asked for meanwhile.
    return [{ [weak self] in self?.post(.startupComplete) }]
  }

  /// No URLs: they may be secrets, and a trace is shown around.
  private func note(_ request: IncomingRequest) {
    guard trace.isOn else { return }
    var fields: [(key: String, value: TraceEntry.Value)] = [("name", .text("request"))]
    fields.append(("urls", .number(request.urls.count)))
    fields.append(("arguments", .number(request.arguments.count)))
    if let shortcut = request.shortcut { fields.append(("action", .text(shortcut.type))) }
    switch request.activity {
    case .whole(let activity)?: fields.append(("activity", .text(activity.activityType)))
    case .failed(let type, _)?: fields.append(("activity", .text(type)))
    case nil: break
    }
    if request.isBackground { fields.append(("background", .flag(true))) }
    if let application = request.sender?.application { fields.append(("sender", .text(application))) }
    if let process = request.sender?.process { fields.append(("process", .number(process))) }
    trace.record("system", fields)
  }

  private func callSecondLaunch(_ request: IncomingRequest) {
    guard !request.arguments.isEmpty else { return }
    traceApplication("didReceiveSecondLaunch")
    watched("application(_:didReceiveSecondLaunch:)") {
      application.delegate?.application(
        application,
        didReceiveSecondLaunch: SecondLaunch(
          arguments: request.arguments, directory: request.directory, process: request.sender?.process,
          isBackground: request.isBackground))
    }
  }

  // MARK: Whom it is for

  /// One parcel for each scene that some of it is for, and at most one for a new scene.
  func split(_ parcel: Parcel) -> [(parcel: Parcel, target: SceneRecord?)] {
    // The sessions are not read for nothing.
    guard !parcel.isEmpty else { return [] }
    var parcels: [(parcel: Parcel, target: SceneRecord?)] = []
    var places: [ObjectIdentifier?: Int] = [:]
    let candidates = self.candidates(role: .windowApplication)
    for part in parcel.parts {
      let target = self.target(for: part.target, among: candidates)
      let key = target.map { ObjectIdentifier($0) }
      if let place = places[key] {
        parcels[place].parcel.add(part)
      } else {
        places[key] = parcels.count
        parcels.append((part, target))
      }
    }
    return parcels
  }

  /// The session that is best for some content, or for anything; nil where a new one is to be made.
  private func target(for identifier: String?) -> SceneRecord? {
    target(for: identifier, among: candidates(role: .windowApplication))
  }

  private func target(for identifier: String?, among candidates: [SceneRecord]) -> SceneRecord? {
    guard law.model == .sceneBased else { return implicitScene?.record }
    let best = identifier.map { self.best(for: $0, among: candidates) } ?? candidates.first
    guard application.delegate?.supportsMultipleScenes == false else { return best }
    // The one that is open is all that there may be, else any that has been.
    return candidates.first { $0.scene != nil } ?? best ?? candidates.first
  }

  // MARK: How it gets there

  /// Sends a parcel on its way: to a scene that is connected for it if need be, or to a new one.
  /// - Parameters:
  ///   - parcel: What is to be handed on.
  ///   - target: Whom it is for; a new scene where nil.
  ///   - isLaunch: A session that is connected for it finds it in its options, as at every launch.
  func hand(_ parcel: Parcel, to target: SceneRecord?, isLaunch: Bool = false) {
    guard law.model == .sceneBased else { return handToImplicitScene(parcel) }
    guard !isConcealing else { return handToConnected(parcel, because: "the application is ending") }
    if let target, send(parcel, to: target, isLaunch: isLaunch) { return }
    do throws(SceneError) {
      let record = try openScene(role: .windowApplication, options: parcel.options, inBackground: parcel.isQuiet)
      if let remainder = parcel.remainder { expect(remainder, by: record) }
    } catch {
      handToConnected(parcel, because: error.description)
    }
  }

  /// Whether the scene gets it; not if its session cannot be connected.
  private func send(_ parcel: Parcel, to record: SceneRecord, isLaunch: Bool) -> Bool {
    let isConnected = record.scene != nil
    let options = isLaunch ? parcel.options : Scene.ConnectionOptions()
    guard isConnected || connect(record, options: options, inBackground: parcel.isQuiet) else { return false }
    if !parcel.isQuiet { post(.makeVisible(record)) }
    if isConnected || !isLaunch {
      expect(parcel, by: record)
    } else if let remainder = parcel.remainder {
      expect(remainder, by: record)
    }
    return true
  }

  /// Nothing but the program itself is asked for: what was used last comes forward, or something new.
  private func comeForward() {
    let last = target(for: nil)
    guard last != nil || law.model == .sceneBased else { return }
    let request = last.map { SceneSessionActivationRequest(session: $0.session) } ?? SceneSessionActivationRequest()
    for action in activate(request, nil) { action() }
  }

  private func handToImplicitScene(_ parcel: Parcel) {
    // Without its scene the program hears of it all the same.
    guard !isConcealing, let record = implicitScene?.record, record.ending == nil else {
      return callApplication(parcel)
    }
    if !parcel.isQuiet { post(.makeVisible(record)) }
    expect(parcel, by: record)
  }

  /// The last resort: a scene that is connected gets it where it is.
  private func handToConnected(_ parcel: Parcel, because reason: String) {
    let connected = candidates(role: .windowApplication).first { $0.activation >= .background }
    guard let connected else {
      return report("\(parcel.summary) of another program could not be handed to any scene: \(reason)")
    }
    call(connected, parcel)
  }

  /// What was for a scene that is gone.
  func hand(again parcel: Parcel) {
    requestsWaiting -= 1
    hand(parcel, to: target(for: parcel.target))
  }

  // MARK: When it is told

  /// Keeps a parcel for a scene that is on its way to the foreground, or is there.
  func expect(_ parcel: Parcel, by record: SceneRecord) {
    if record.parcels.isEmpty { expecting.append(record) }
    record.parcels.append(parcel)
    awaitForeground(record)
  }

  /// Sets a limit to the wait, unless something is known to keep the scene from being seen.
  func awaitForeground(_ record: SceneRecord) {
    guard !record.parcels.isEmpty, record.parcelDeadline == nil, absences.isEmpty, record.restorations == 0 else {
      return
    }
    record.parcelDeadline = makeDeadline(.parcels(record), milliseconds: Self.showingLimit)
  }

  /// The scene has been waited for long enough.
  func parcelsDue(_ record: SceneRecord) {
    record.parcelDeadline = nil
    // Its wait begins again when that is over.
    guard absences.isEmpty, record.restorations == 0 else { return }
    hand(parcelsOf: record)
  }

  /// Hands over what waits for scenes that have come to the foreground, and what need not wait for that.
  func handToForeground() {
    guard !expecting.isEmpty else { return }
    for record in expecting {
      if record.activation >= .foregroundInactive {
        hand(parcelsOf: record)
      } else if record.activation == .background, record.parcels.contains(where: \.isQuiet) {
        let waiting = takeParcels(of: record)
        for parcel in waiting where !parcel.isQuiet { expect(parcel, by: record) }
        for parcel in waiting where parcel.isQuiet { call(record, parcel) }
      }
    }
  }

  /// Hands over what waits for a scene, wherever it is.
  func hand(parcelsOf record: SceneRecord) {
    guard !record.parcels.isEmpty else { return }
    for parcel in takeParcels(of: record) { call(record, parcel) }
  }

  /// The scene goes: what waits for it is somebody else's.
  func redirectParcels(of record: SceneRecord) {
    guard !record.parcels.isEmpty else { return }
    takeParcels(of: record).forEach(redirect)
  }

  func redirect(_ parcel: Parcel) {
    requestsWaiting += 1
    post(.parcel(parcel))
  }

  private func takeParcels(of record: SceneRecord) -> [Parcel] {
    defer { record.parcels = [] }
    expecting.removeAll { $0 === record }
    if let deadline = record.parcelDeadline { cancel(deadline) }
    record.parcelDeadline = nil
    return record.parcels
  }
}
