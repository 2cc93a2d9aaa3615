import FoundationEssentials
import ProsceniumLoop
import ProsceniumTrace
import SceneLifecycle

extension Stage {
  /// Takes the facts of one batch; answers what is to be called once it has been settled.
  func apply(_ events: [PlatformEvent]) -> [Afterwards] {
    var afterwards: [Afterwards] = []
    for event in events {
      switch event {
      case .levels(let id, let levels): afterwards += changeLevels(of: id, to: levels)
      case .geometry(let id, let geometry): afterwards += changeGeometry(of: id, to: geometry)
      case .closeRequested(let id): afterwards += closeRequested(id)
      case .destroyed(let id): windowLost(id)
      case .input(let id, let input):
        if disprovesAbsence(input), owners[id] != nil { afterwards += userIsThere() }
        afterwards += deliver(input, to: id)
      case .exposed(let id, let rect):
        if let window = owners[id]?.windows[id]?.window {
          afterwards.append { [application] in
            guard window.id == id else { return }
            window.display.exposed(rect)
            application.sendEvent(Event(.exposed(rect), window: window))
          }
        }
      case .frame(let id, let timing):
        if let window = owners[id]?.windows[id]?.window {
          afterwards.append { if window.id == id { window.display.frame(timing) } }
        }
      case .scale(let id, let scale):
        if let record = owners[id], let window = record.windows[id]?.window, window.scale != scale {
          window.scale = scale
          window.display.resized()
          noteSurroundings(of: record)
        }
      case .windowManager(let state, let cause): changeWindowManager(to: state, cause: cause)
      // Whatever else the batch brings: what is said of scenes refers to screens that are known.
      case .screens(let descriptions): afterwards.insert(contentsOf: changeScreens(to: descriptions), at: 0)
      case .screenSaver(let isOn): changeScreenSaver(isOn: isOn, source: "X")
      case .settings(let settings): afterwards += settingsChanged(settings, from: .xsettings)
      case .deadline(let id): afterwards += expire(id)
      case .outcome(let id, let outcome):
        if let completion = outcomes.removeValue(forKey: id) { afterwards.append { completion(outcome) } }
      case .signal(let number): post(.terminate(.signal, status: number == 2 ? 130 : 0))
      case .sessionSave(let save): post(.sessionSave(save))
      case .sessionSaveCancelled: post(.sessionContinues)
      case .sessionEnded: post(.terminate(.sessionEnd, status: 0))
      case .connectionLost(let message):
        report(message)
        post(.terminate(.connectionLost, status: 1))
      case .error(let message): trace.record("error", [("message", .text(message))])
      case .fault(let message): report(message)
      }
    }
    return afterwards
  }

  /// An error that the person who started the program should read too.
  package func report(_ message: String) {
    trace.record("error", [("message", .text(message))])
    StandardError.write("Proscenium: " + message)
  }

  private func changeLevels(of id: WindowID, to levels: WindowLevels) -> [Afterwards] {
    guard let record = owners[id] else { return [] }
    if let bare = record.bare, bare.id == id {
      traceLevels(from: bare.levels, to: levels, id, record)
      let gainedFocus = levels.focused && !bare.levels.focused
      record.bare?.levels = levels
      observeBare(record, gainedFocus: gainedFocus)
      return []
    }
    guard let state = record.windows[id] else { return [] }
    let old = state.levels
    traceLevels(from: old, to: levels, id, record)
    state.levels = levels
    markDirty(record)
    guard levels.focused, !old.focused, record.isInteractive, let window = state.window, window.canBecomeKey
    else { return [] }
    return [{ [weak self] in self?.setKey(window, in: record) }]
  }

  /// The window system says nothing of a window that we destroy.
  func traceDestroyed(_ id: WindowID, _ levels: WindowLevels, _ record: SceneRecord) {
    let gone = WindowLevels(visibleCause: "destroyed", focusedCause: "destroyed", grabbedCause: "destroyed")
    traceLevels(from: levels, to: gone, id, record)
  }

  private func traceLevels(from old: WindowLevels, to new: WindowLevels, _ id: WindowID, _ record: SceneRecord) {
    guard trace.isOn else { return }
    func fact(_ name: String, _ value: Bool, _ cause: String) {
      trace.record(
        "fact",
        [
          ("scene", .text(record.session.persistentIdentifier)), ("window", .text(id.description)),
          ("name", .text(name)), ("to", .flag(value)), ("cause", .text(cause)),
        ])
    }
    if old.visible != new.visible { fact("visible", new.visible, new.visibleCause) }
    if old.focused != new.focused { fact("focused", new.focused, new.focusedCause) }
    if old.grabbed != new.grabbed { fact("grabbed", new.grabbed, new.grabbedCause) }
  }

  private func changeGeometry(of id: WindowID, to geometry: WindowGeometry) -> [Afterwards] {
    guard let record = owners[id] else { return [] }
    if record.bare?.id == id {
      record.bare?.frame = geometry.frame
      notePlacement(geometry, of: record)
      return []
    }
    guard let window = record.windows[id]?.window else { return [] }
    let old = window.knownFrame
    window.knownFrame = geometry.frame
    var afterwards: [Afterwards] = []
    if old.size != geometry.frame.size {
      window.display.resized()
      afterwards.append { [application] in
        guard window.id == id else { return }
        application.sendEvent(Event(.resized(geometry.frame.size), window: window))
      }
    }
    guard record.primary == id, let scene = record.windowScene else { return afterwards }
    if record.windows[id]?.hasBeenShown == true { notePlacement(geometry, of: record) }
    let effective = WindowScene.Geometry(
      frame: geometry.frame, isMaximized: geometry.isMaximized, isFullScreen: geometry.isFullScreen,
      isMinimized: geometry.isMinimized)
    let previous = scene.effectiveGeometry
    scene.effectiveGeometry = effective
    if previous != effective { noteSurroundings(of: record) }
    if let previous, previous != effective {
      afterwards.append { [weak self] in
        // Nothing is said of a scene that went in the same batch.
        guard scene.record != nil else { return }
        self?.watched("windowScene(_:didUpdateEffectiveGeometry:)", record) {
          (scene.delegate as? any WindowSceneDelegate)?.windowScene(scene, didUpdateEffectiveGeometry: previous)
        }
      }
    }
    return afterwards
  }

  private func changeWindowManager(to state: WindowManagerState, cause: String) {
    if state == .settled { hasSeenManager = true }
    guard state != windowManager else { return }
    windowManager = state
    let name =
      switch state {
      case .absent: "absent"
      case .changing: "changing"
      case .settled: "settled"
      }
    trace.record("fact", [("name", .text("windowManager")), ("to", .text(name)), ("cause", .text(cause))])
    for record in records.ordered {
      if record.bare != nil {
        observeBare(record, gainedFocus: false)
      } else if record.scene != nil {
        markDirty(record)
      }
    }
  }

  /// While a saver is on nobody looks at any scene, though all are where they were: no input, and no frames.
  func changeScreenSaver(isOn: Bool, source: String) {
    let wasOn = isScreenSaverOn
    if isOn { screenSavers.insert(source) } else { screenSavers.remove(source) }
    guard wasOn != isScreenSaverOn else { return }
    trace.record("system", [("name", .text("screenSaver")), ("to", .flag(isOn)), ("cause", .text(source))])
    for record in records.ordered {
      interrupt(record)
      for window in record.windowScene?.windows ?? [] { window.display.screenSaverChanged(isOn: isOn) }
    }
  }

  /// Input is withheld, and dropped, where nobody may be heard: see ``Event``.
  private func deliver(_ input: InputEvent, to id: WindowID) -> [Afterwards] {
    guard let record = owners[id], record.isInteractive, let window = record.windows[id]?.window else { return [] }
    let kind: Event.Kind =
      switch input.kind {
      case .key(let key): .key(key)
      case .button(let button): .button(button)
      case .motion(let motion): .motion(motion)
      case .scroll(let scroll): .scroll(scroll)
      case .touch(let touch): .touch(touch)
      }
    return [
      { [application] in
        // The window may have been taken away by what came before in the very batch.
        guard window.id == id, record.activation >= .foregroundInactive, !record.machine.isInterrupted
        else { return }
        application.sendEvent(Event(kind, window: window, timestamp: input.time))
      }
    ]
  }

  func observeBare(_ record: SceneRecord, gainedFocus: Bool) {
    guard let bare = record.bare else { return }
    let visible = record.counts(bare.levels) && !isOutOfSight
    notePresence(of: record)
    observeBare(record, .observe(visible: visible, gainedFocus: gainedFocus, windowManager: windowManager))
  }

  func observeBare(_ record: SceneRecord, _ input: BareWindowMachine.Input) {
    guard let bare = record.bare else { return }
    let (machine, effects) = BareWindowMachine.reduce(bare.machine, input)
    record.bare?.machine = machine
    for effect in effects {
      switch effect {
      case .hold: _ = makeDeadline(.bareWindow(record), holdTimes.bareWindow)
      case .release: cancelBareHold(record)
      case .reconnect: post(.reconnection(record))
      }
    }
  }
}
