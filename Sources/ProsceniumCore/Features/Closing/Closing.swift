/// Closes scenes when the user asks: asks the delegate, applies the close policy, and ends the program with its last
/// scene.
final class Closing: FeatureBase, Feature, WindowEventHandler {
  enum Message: Equatable {
    /// Asks the scene's delegate whether the scene closes.
    case ask(SceneRecord)
    /// The delegate's answer, at once or later.
    case reply(SceneRecord, closes: Bool)
    /// Ends the program when its last scene has been closed, unless the delegate refuses: after what the callbacks of
    /// that scene's end have asked for.
    case checkLastScene
    /// The callbacks of that end have been called: what they have asked for comes behind this message.
    case lastSceneHasGone(Int)
    /// All of that has been done.
    case lastSceneIsDue(Int)
    /// The user closed a bare window, whose session has been connected for the question.
    case closeRequested(WindowID)
  }

  /// The delegate has been asked whether the scene closes, and has not answered.
  final class SceneState: SceneFeatureState { var isAsking = false }

  /// The number of the latest check: only that one asks, because several scenes may close together.
  private var latestCheck = 0

  /// Whether a scene of the user is being disconnected.
  var isAnyClosing: Bool { roster.contains { $0.isInteractive && $0.ending != nil } }

  /// Whether the user has another scene, or a bare window.
  ///
  /// A scene on an external display is not interactive. What comes back in a moment is open, too.
  var isAnyOpen: Bool {
    conductor.feature(Restoration.self)?.hasRest == true
      || roster.contains { $0.isInteractive && ($0.isAttached || $0.windows.bare != nil) }
  }

  override func keepsConnected(_ record: SceneRecord) -> Bool { knownState(of: record)?.isAsking == true }
  override func keepsRunning(_ record: SceneRecord) -> Bool { knownState(of: record)?.isAsking == true }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.keepsConnected, .keepsRunning, by: self)
    lists.handle(.close, by: self)
    lists.observe(after: [.sceneDidDisconnect], by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    if case .after(.sceneDidDisconnect, let record) = moment { knownState(of: record)?.isAsking = false }
    return []
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    if case .closeRequested(let id) = event { closeRequested(id) } else { [] }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .ask(let record): ask(record)
    case .reply(let record, let closes): reply(record, closes: closes)
    case .checkLastScene: checkLastScene()
    case .lastSceneHasGone(let check): check == latestCheck ? [post(.lastSceneIsDue(check))] : []
    case .lastSceneIsDue(let check): check == latestCheck ? lastSceneIsDue() : []
    case .closeRequested(let id): closeRequested(id)
    }
  }

  private func closeRequested(_ id: WindowID) -> [FeatureAction] {
    guard let record = roster[id], !conductor.machine.phase.isEnding else { return [] }
    guard record.scene != nil else { return closeBare(record) }
    guard record.ending == nil else { return [] }
    if id != record.windows.primary && id != record.windows.bare?.id {
      record.windows[id]?.window?.isHidden = true
      return []
    }
    guard !isHiddenAlready(record) else { return [] }
    return exchange(&state(of: record).isAsking, with: true) ? [] : [.afterSettling([send(.ask(record))])]
  }

  /// Whether there is nothing left that a close would hide: it is the second click on the button, say.
  private func isHiddenAlready(_ record: SceneRecord) -> Bool {
    record.session.configuration.closePolicy == .background && record.windows.bare == nil
      && !record.windows.isAnyShown && record.windowScene?.windows.contains { !$0.isHidden } != true
  }

  /// The window may have been destroyed in the same batch.
  private func ask(_ record: SceneRecord) -> [FeatureAction] {
    guard let scene = record.scene, record.ending == nil else { return [] }
    return [.call(ShouldCloseCall(scene: scene, record: record))]
  }

  /// A bare window is closed without connecting its session, unless the delegate may refuse, or the session stays.
  private func closeBare(_ record: SceneRecord) -> [FeatureAction] {
    guard record.mayRefuseClose || record.session.configuration.closePolicy == .background else {
      return [.discard(record), post(.checkLastScene)]
    }
    guard let window = record.windows.bare?.id else { return [] }
    guard conductor.connector.connect(record, options: Scene.ConnectionOptions(), inBackground: true) else {
      // Nobody can be asked: the window goes, and the session stays.
      conductor.connector.destroyBareWindow(of: record)
      return [post(.checkLastScene)]
    }
    // Asked after willConnect, as any other scene that is in the background.
    return [.afterSettling([post(.closeRequested(window))])]
  }

  private func reply(_ record: SceneRecord, closes: Bool) -> [FeatureAction] {
    guard exchange(&state(of: record).isAsking, with: false), closes, record.isAttached,
      !conductor.machine.phase.isEnding
    else { return [] }
    switch record.session.configuration.closePolicy {
    case .discard: return [.disconnect(record, SceneEnding(reason: .closedByUser, discards: true))]
    case .background:
      let windows = record.windowScene?.windows ?? []
      let shown = windows.filter { !$0.isHidden }
      // What the close before has hidden comes back, too.
      if !shown.isEmpty { record.windows.hiddenByClose = shown }
      for window in windows { window.isHidden = true }
      return []
    }
  }

  private func checkLastScene() -> [FeatureAction] {
    latestCheck += 1
    return [post(.lastSceneHasGone(latestCheck))]
  }

  private func lastSceneIsDue() -> [FeatureAction] {
    guard conductor.machine.phase.isLaunched, !isAnyOpen, !isAnyClosing else { return [] }
    // A scene may be about to be opened for another program's request.
    guard !conductor.delaysEnd else { return [post(.lastSceneIsDue(latestCheck))] }
    conductor.perform(.send(AnyMessage(BackgroundTasks.self, .observe)))
    if conductor.feature(BackgroundTasks.self)?.holdLastScene() == true { return [] }
    return [.call(LastSceneCall())]
  }
}

/// `sceneShouldClose(_:)`.
private struct ShouldCloseCall: ProgramCall {
  var scene: Scene
  var record: SceneRecord
  var call: CallDescription { CallDescription("sceneShouldClose(_:)", scene: record.identifier) }

  func perform(for application: Application) -> [FeatureAction] {
    let delegate = scene.delegate.flatMap { $0.implements(.shouldClose) ? $0 : nil }
    let answer: (any OptionalCloseReply)? = delegate?.sceneShouldClose(scene)
    if let delegate, answer is NotImplemented {
      application.conductor?.report(
        NotImplemented.report("sceneShouldClose(_:)", of: delegate, "the scene closes at once"))
    }
    let reply = answer as? SceneCloseReply ?? .now
    application.conductor?.traceRequest("sceneShouldClose", scene.session, "\(reply)")
    switch reply {
    case .now: return [.post(AnyMessage(Closing.self, .reply(record, closes: true)))]
    case .cancel: record.state(of: Closing.self).isAsking = false
    case .later: break
    }
    return []
  }
}

/// `applicationShouldTerminateAfterLastSceneClosed(_:)`.
private struct LastSceneCall: ProgramCall {
  var call: CallDescription { CallDescription("applicationShouldTerminateAfterLastSceneClosed(_:)", phase: .question) }

  func perform(for application: Application) -> [FeatureAction] {
    let ends = application.delegate?.applicationShouldTerminateAfterLastSceneClosed(application) ?? true
    return ends ? [.send(AnyMessage(Termination.self, .ask(.lastSceneClosed, status: 0)))] : []
  }
}

extension Scene {
  /// Answers a ``SceneLifecycleDelegate/sceneShouldClose(_:)`` that returned `.later`.
  ///
  /// Does nothing if no answer is expected.
  /// - Parameter closes: Whether the scene closes.
  public func reply(toShouldClose closes: Bool) {
    if let record { record.conductor?.post(Closing.self, .reply(record, closes: closes)) }
  }
}
