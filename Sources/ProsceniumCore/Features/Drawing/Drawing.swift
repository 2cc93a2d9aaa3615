/// Delivers frames and exposures to windows, and frees the drawing resources of scenes in the background.
final class Drawing: FeatureBase, Feature, WindowEventHandler {
  /// The frame of a slow link is due.
  enum Message: Equatable { case frameDue(WindowID) }

  override func join(_ lists: inout FeatureLists) {
    lists.handle(.drawing, by: self)
    lists.observe(after: [.sceneWillEnterForeground, .sceneDidBecomeActive], by: self)
    lists.observe(moments: .visibilityMayHaveChanged, .unseen, .afterApplication, by: self)
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .exposed(let id, let rect): call(id, .exposed(rect))
    case .frame(let id, let timing): call(id, .frame(timing))
    default: []
    }
  }

  private func call(_ id: WindowID, _ event: DrawingCall.Event) -> [FeatureAction] {
    guard let record = roster[id], let window = record.windows[id]?.window else { return [] }
    return [.callAfterSettling(DrawingCall(event: event, id: id, window: window))]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .frameDue(let id): roster[id]?.windows[id]?.window?.display.delayEnded()
    }
    return []
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .after(.sceneWillEnterForeground, let record):
      // In the app-based model the application's delegate is called first; not at a launch, which is no return.
      let waits = conductor.machine.model == .appBased && application.applicationState == .background
      return waits ? [] : [.call(VisibilityCall(scene: record))]
    case .afterApplication(.applicationWillEnterForeground) where conductor.machine.model == .appBased:
      return roster.ordered.map { .call(VisibilityCall(scene: $0)) }
    case .visibilityMayHaveChanged(let record): return [.call(VisibilityCall(scene: record))]
    case .after(.sceneDidBecomeActive, let record):
      // Frames were slower while the scene was inactive.
      for window in record.windowScene?.windows ?? [] { window.display.requestFrame() }
    case .unseen(let record): for window in record.windowScene?.windows ?? [] { window.display.purgeUnseen() }
    case .screenSaverChanged(let isOn):
      for record in roster.ordered {
        for window in record.windowScene?.windows ?? [] { window.display.screenSaverChanged(isOn: isOn) }
      }
    default: break
    }
    return []
  }
}

extension Deadline {
  /// The frame of a link that is called less often than the screen shows frames.
  static func frame(_ window: WindowID) -> Deadline { Deadline("frame", Int(window.rawValue), isUrgent: true) }
}

/// An exposure, another size, or a frame of a window.
struct DrawingCall: Notice {
  enum Event: Equatable {
    case exposed(Rect)
    case resized(Size)
    case frame(FrameTiming)
  }

  var event: Event
  var id: WindowID
  var window: Window
  var call: CallDescription { CallDescription("draw(_:damage:)", phase: .event) }

  func send(to application: Application) {
    guard window.id == id else { return }
    switch event {
    case .exposed(let rect):
      window.display.exposed(rect)
      application.sendEvent(ProsceniumCore.Event(.exposed(rect), window: window))
    case .resized(let size): application.sendEvent(ProsceniumCore.Event(.resized(size), window: window))
    case .frame(let timing): window.display.frame(timing)
    }
  }
}

/// Updates the visibility of a scene's windows.
private struct VisibilityCall: Notice {
  var scene: SceneRecord
  var call: CallDescription { CallDescription("viewWillAppear() or viewDidDisappear()", scene: scene.identifier) }

  func send(to application: Application) {
    for window in scene.windowScene?.windows ?? [] { window.display.visibilityMayHaveChanged() }
  }
}

/// Delivers an event that is not input to the window's content.
struct ContentCall: Notice {
  enum Event { case attached, detached, endEditing, inputWithheld, traitsChanged }

  var window: Window
  var event: Event
  var call: CallDescription { CallDescription("WindowContent", phase: .event) }

  func send(to application: Application) {
    switch event {
    case .attached: window.content?.attached()
    case .detached: window.display.detached()
    case .endEditing: window.content?.endEditing()
    case .inputWithheld: window.content?.inputWithheld()
    case .traitsChanged: window.content?.traitsChanged()
    }
  }
}
