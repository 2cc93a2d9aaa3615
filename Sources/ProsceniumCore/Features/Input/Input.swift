/// Delivers input to windows, and withholds it while a scene is interrupted or in the background.
final class Input: FeatureBase, Feature, WindowEventHandler {
  enum Message: Equatable {
    /// The scene is interrupted from now on: releases of pressed keys and buttons are dropped.
    case withhold(SceneRecord)
    /// The program began or ended an interruption of its own.
    case interruptionChanged(SceneRecord)
  }

  /// How many interruptions of its own the program has begun.
  final class SceneState: SceneFeatureState { var interruptions = 0 }

  override func interrupts(_ record: SceneRecord) -> Bool { (knownState(of: record)?.interruptions ?? 0) > 0 }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.interrupts, by: self)
    lists.handle(.input, by: self)
    lists.observe(moments: .sceneMade, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    if case .sceneMade(let record) = moment { knownState(of: record)?.interruptions = 0 }
    return []
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    guard case .input(let id, let input) = event else { return [] }
    if let actions = conductor.claim(input) { return actions }
    guard let record = roster[id], record.isInteractive, let window = record.windows[id]?.window else { return [] }
    return [.callAfterSettling(InputCall(input: input, id: id, window: window, scene: record))]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .withhold(let record):
      let windows = record.windowScene?.windows ?? []
      for window in windows { conductor.withholdInput(from: window) }
      return windows.map { .callAfterSettling(ContentCall(window: $0, event: .inputWithheld)) }
    case .interruptionChanged(let record): return record.scene == nil ? [] : [.updateInterruption(record)]
    }
  }
}

/// One input event for a window.
private struct InputCall: Notice {
  var input: InputEvent
  var id: WindowID
  var window: Window
  var scene: SceneRecord
  var call: CallDescription { CallDescription("sendEvent(_:)", scene: scene.identifier, phase: .event) }

  func send(to application: Application) {
    // The window may have gone in the same batch, and the scene may have been interrupted.
    guard window.id == id, scene.activation >= .foregroundInactive, !scene.machine.isInterrupted else { return }
    if case .button(let button) = input.kind, !button.isDown, scene.windows[id]?.levels.visible == false {
      // The press has ended with the window: its release is no action.
      window.content?.inputWithheld()
    }
    let kind: Event.Kind =
      switch input.kind {
      case .key(let key): .key(key)
      case .button(let button): .button(button)
      case .motion(let motion): .motion(motion)
      case .scroll(let scroll): .scroll(scroll)
      case .touch(let touch): .touch(touch)
      }
    application.sendEvent(Event(kind, window: window, timestamp: .milliseconds(input.time)))
  }
}

extension Scene {
  /// Interrupts the scene: it is not active, and receives no key, pointer or touch, until ``endInterruption()``.
  ///
  /// For a task that needs the user's whole attention. May be nested. An own alert or panel is a window of
  /// its scene, and no interruption. Takes effect when the present callback has returned.
  public func beginInterruption() { changeInterruptions(by: 1) }

  /// Ends an interruption of ``beginInterruption()``.
  ///
  /// Does nothing without one.
  public func endInterruption() { changeInterruptions(by: -1) }

  private func changeInterruptions(by change: Int) {
    guard let record else { return }
    let state = record.state(of: Input.self)
    state.interruptions = max(0, state.interruptions + change)
    record.conductor?.post(Input.self, .interruptionChanged(record))
  }
}
