import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumTrace

/// Drags that begin in the program's windows, and what is dragged over them.
final class DragAndDropFeature: FeatureBase, Feature, WindowEventHandler, EventInterceptor {
  enum Message: Equatable {
    /// The program has not ended a drop in time.
    case dropIsLate(DropID)
  }

  /// How long the program may read what was dropped.
  private static let longestDrop = Duration.seconds(60)

  /// The drag that began here, and whether its button is up.
  private(set) var drag: DragSession?
  private var isReleased = false
  /// Hear of what ends the drag.
  private var observations: [NotificationCenter.ObservationToken] = []
  /// What is over a window.
  private var over: (id: DropID, session: DropSession)?
  /// What has been dropped and is being read.
  private var reading: [DropID: DropSession] = [:]

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.keepsConnected, .keepsRunning, by: self)
    lists.handle(.dragAndDrop, by: self)
    lists.interceptors.append(self)
  }

  override func keepsConnected(_ record: SceneRecord) -> Bool {
    drag?.session === record.session || !reading.isEmpty && reading.values.contains { $0.window?.record === record }
  }

  override func keepsRunning(_ record: SceneRecord) -> Bool { keepsConnected(record) }

  // MARK: Dragging

  func begin(_ session: DragSession, from window: WindowID, icon: WindowID?, hotSpot: Point) {
    (drag, isReleased) = (session, false)
    // The sources of earlier drops lose the selection to this drag; what is on its way from them still comes.
    for earlier in reading.values { earlier.isReadable = false }
    if let scene = session.window?.windowScene {
      let center = NotificationCenter.default
      observations = [
        center.addObserver(of: scene, for: .willDeactivate) { [weak self] _ in self?.sceneLeft() },
        center.addObserver(of: scene, for: .didEnterBackground) { [weak self] _ in self?.sceneLeft() },
      ]
    }
    let offer = DragOffer(
      types: session.types, allowsMove: session.allowsMove, fileName: session.promisedFile?.name, icon: icon,
      hotSpot: hotSpot
    ) { request, answer in
      // The data of a drag may be asked for a moment after its end.
      Task { @MainActor in answer(await session.answer(request)) }
    }
    conductor.platform.beginDrag(offer, from: window)
  }

  /// Keys are the drag's while the button is down: Escape ends it.
  func take(_ event: Event) -> Bool {
    guard drag != nil, !isReleased, case .key(let key) = event.kind else { return false }
    if key.isDown, key.symbol == KeySymbol.escape { conductor.platform.perform(.cancelDrag) }
    return true
  }

  /// The scene of a drag resigns active, or enters the background.
  private func sceneLeft() { if drag != nil, !isReleased { conductor.platform.perform(.cancelDrag) } }

  private func ended(_ event: DragEvent) -> [FeatureAction] {
    guard let drag else { return [] }
    switch event {
    case .released:
      isReleased = true
      return [.callAfterSettling(DragCall(drag: drag, end: nil))]
    case .ended(let end):
      self.drag = nil
      observations = []
      var (operation, outcome) = (DropOperation.cancel, "cancelled")
      var actions: [FeatureAction] = []
      switch end {
      case .dropped(let done): (operation, outcome) = (done, "\(done)")
      case .nowhere(let point):
        outcome = "nowhere"
        if let activity = drag.items.lazy.compactMap(\.userActivity).first, application.supportsMultipleScenes {
          outcome = "scene"
          let request = SceneSessionActivationRequest(role: drag.session.role, userActivity: activity)
          let content = SceneContent(place: point)
          actions = [
            .post(AnyMessage(SessionRequests.self, SessionRequests.Message(request: .activate(request, content))))
          ]
        }
      case .cancelled: break
      }
      return [
        .traceRequest("drag", drag.session, outcome), .callAfterSettling(DragCall(drag: drag, end: operation)),
      ] + actions
    }
  }

  // MARK: Dropping

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .drag(let event): ended(event)
    case .drop(let id, let event): follow(event, over: id)
    default: []
    }
  }

  private func follow(_ event: DropEvent, over id: WindowID) -> [FeatureAction] {
    switch event {
    case .moved(let drop, let location, let offer): move(drop, over: id, location, offer)
    case .exited(let drop): exit(drop)
    case .dropped(let drop): perform(drop, in: id)
    }
  }

  /// The window that takes drops now.
  private func receiver(of id: WindowID) -> Window? {
    guard let record = roster[id], record.ending == nil, record.isInteractive,
      record.activation >= .foregroundInactive, !record.machine.isInterrupted, let window = record.windows[id]?.window,
      window.content is any DropReceiver
    else { return nil }
    let modal = record.windowScene?.modalWindows.last
    return modal == nil || modal === window ? window : nil
  }

  private func move(_ id: DropID, over windowID: WindowID, _ location: Point, _ offer: DropOffer) -> [FeatureAction] {
    guard let window = receiver(of: windowID) else { return [.command(.answerDrop(id, .forbidden))] + exit(id) }
    if over?.id != id {
      let session = DropSession(offer, over: window, at: location, drag: drag, conductor.platform)
      session.update = { [weak self, weak session] in
        guard let self, let session, over?.session === session else { return }
        conductor.perform([.command(.answerDrop(id, answer(session, windowID)))])
      }
      over = (id, session)
    }
    guard let session = over?.session else { return [.command(.answerDrop(id, .forbidden))] }
    return [
      .callAfterSettling(
        DropCall(id: id, session: session, window: windowID) { [weak self] in
          session.location = location
          session.allowsMove = offer.allowsMove
          return self?.answer(session, windowID) ?? .forbidden
        })
    ]
  }

  private func answer(_ session: DropSession, _ id: WindowID) -> DropOperation {
    // It may have gone with what was called meanwhile.
    (receiver(of: id)?.content as? any DropReceiver)?.dropMoved(session) ?? .forbidden
  }

  private func exit(_ id: DropID) -> [FeatureAction] {
    guard let session = over?.session, over?.id == id else { return [] }
    over = nil
    return [
      .callAfterSettling(
        FunctionCall { (session.window?.content as? any DropReceiver)?.dropExited(session) })
    ]
  }

  private func perform(_ id: DropID, in windowID: WindowID) -> [FeatureAction] {
    guard let session = over?.session, over?.id == id, receiver(of: windowID) != nil else {
      return [.command(.finishDrop(id, .cancel))] + exit(id)
    }
    over = nil
    reading[id] = session
    session.isReadable = true
    let deadline = Deadline("drop", id.rawValue)
    conductor.set(deadline, after: Self.longestDrop, AnyMessage(DragAndDropFeature.self, .dropIsLate(id)))
    return [
      .callAfterSettling(
        FunctionCall { [weak self] in
          Task.immediate { @MainActor in
            let receiver = session.window?.content as? any DropReceiver
            let operation = await receiver?.performDrop(session) ?? .cancel
            self?.finish(id, operation, deadline)
          }
        })
    ]
  }

  /// The program has what was dropped.
  private func finish(_ id: DropID, _ operation: DropOperation, _ deadline: Deadline) {
    guard let session = reading.removeValue(forKey: id) else { return }
    session.endReading()
    conductor.perform([
      .cancel(deadline), .command(.finishDrop(id, operation)),
      .traceRequest("drop", session.window?.windowScene?.session, "\(operation)"), .settleLater,
    ])
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .dropIsLate(let id):
      guard let session = reading.removeValue(forKey: id) else { return [] }
      session.endReading()
      return [
        .command(.finishDrop(id, .cancel)),
        .report(
          "a drop has not been performed within \(Self.longestDrop), and is given up: "
            + "performDrop(_:) has to return."),
      ]
    }
  }
}

/// The icon of a drag goes, and its source is told of the end.
private struct DragCall: Notice {
  var drag: DragSession
  var end: DropOperation?
  var call: CallDescription {
    CallDescription("DragSession.ended", scene: drag.session.persistentIdentifier, phase: .event)
  }

  func send(to application: Application) { if let end { drag.end(end) } else { drag.hideIcon() } }
}

/// `dropMoved(_:)`.
private struct DropCall: ProgramCall {
  var id: DropID
  var session: DropSession
  var window: WindowID
  var answer: @MainActor () -> DropOperation
  var call: CallDescription {
    CallDescription("dropMoved(_:)", scene: session.window?.record?.identifier, phase: .event)
  }

  func perform(for application: Application) -> [FeatureAction] { [.command(.answerDrop(id, answer()))] }
}
