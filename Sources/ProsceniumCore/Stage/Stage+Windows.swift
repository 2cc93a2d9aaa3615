import FoundationEssentials
import SceneLifecycle

extension Stage {
  /// The program showed or hid a window.
  func changeVisibility(of window: Window, in record: SceneRecord, isHidden: Bool) -> [Afterwards] {
    // The window may have been hidden again, or taken away, since it was asked for.
    guard window.record === record, let id = window.id, window.isHidden == isHidden else { return [] }
    guard let state = record.windows[id], state.isShown == isHidden else { return [] }
    if !isHidden && (record.connectsInBackground || record.restorations > 0 || isConcealing) { return [] }
    if isHidden {
      record.windows[id]?.isShown = false
      platform.perform(.withdraw(id))
    } else {
      // The program brings the scene back by itself, with the windows that it wants.
      if id == record.primary { record.closedWindows = [] }
      show(id, of: record, window.wantsKey && !record.keepsFocus ? .activated : .quiet)
      window.wantsKey = false
    }
    markDirty(record)
    return [
      { [weak self] in
        window.display.visibilityMayHaveChanged()
        if isHidden {
          window.content?.hidden()
          NotificationCenter.default.post(Window.DidBecomeHiddenMessage(window: window), subject: window)
          self?.passKey(from: window, in: record)
        } else {
          NotificationCenter.default.post(Window.DidBecomeVisibleMessage(window: window), subject: window)
        }
      }
    ]
  }

  /// A window that is to be seen and can never be: somebody should hear of it.
  func checkAttached(_ window: Window) {
    guard window.id == nil, !window.isHidden, window.scene?.record == nil, !isConcealing else { return }
    report(
      "A window that belongs to no scene is not shown. Make it with Window(windowScene:), or set its windowScene.")
  }

  private func show(_ id: WindowID, of record: SceneRecord, _ appearance: Appearance) {
    let appearance = record.isInteractive ? appearance : .quiet
    record.windows[id]?.isShown = true
    record.windows[id]?.hasBeenShown = true
    platform.perform(.show(id, appearance))
  }

  func makeKey(_ window: Window, in record: SceneRecord) -> [Afterwards] {
    guard window.record === record, let id = window.id, window.canBecomeKey else { return [] }
    // Cleared if showing the window has asked for the focus already.
    let isPending = window.wantsKey
    // While its scene's state is being brought back it asks for the focus when that is done.
    if record.restorations == 0 {
      window.wantsKey = false
      let mayShow = !record.connectsInBackground && !record.keepsFocus && record.isInteractive && !isConcealing
      if isPending, mayShow, record.windows[id]?.isShown == true {
        platform.perform(.show(id, .activated))
      }
    }
    return [{ [weak self] in self?.setKey(window, in: record) }]
  }

  /// A hidden window is key no more; another one that is shown takes its place, where there is one.
  private func passKey(from window: Window, in record: SceneRecord) {
    guard let scene = record.windowScene, scene.keyWindow === window else { return }
    let shown = scene.windows.first { $0 !== window && !$0.isHidden && $0.canBecomeKey }
    if let shown { return setKey(shown, in: record) }
    scene.keyWindow = nil
    window.resignKey()
    NotificationCenter.default.post(Window.DidResignKeyMessage(window: window), subject: window)
  }

  /// Exactly one window of a scene is key.
  func setKey(_ window: Window, in record: SceneRecord) {
    guard window.record === record, let scene = record.windowScene, scene.keyWindow !== window else { return }
    let old = scene.keyWindow
    scene.keyWindow = window
    if let old {
      old.resignKey()
      NotificationCenter.default.post(Window.DidResignKeyMessage(window: old), subject: old)
    }
    window.becomeKey()
    NotificationCenter.default.post(Window.DidBecomeKeyMessage(window: window), subject: window)
  }

  /// An activation brings a scene forward: its primary window is shown and activated.
  func makeVisible(_ record: SceneRecord) {
    guard let window = record.primaryWindow, let id = window.id, record.ending == nil, !isConcealing else { return }
    record.connectsInBackground = false
    record.keepsFocus = false
    window.isHidden = false
    // Shown when its state has been brought back.
    guard record.restorations == 0 else {
      window.wantsKey = true
      return
    }
    window.wantsKey = false
    for window in record.closedWindows { window.isHidden = false }
    record.closedWindows = []
    let wasShown = record.windows[id]?.isShown ?? false
    show(id, of: record, .activated)
    if !wasShown { NotificationCenter.default.post(Window.DidBecomeVisibleMessage(window: window), subject: window) }
    showWaiting(record)
    record.visibilityMayHaveChanged()
    markDirty(record)
  }

  /// Windows that waited for an activation appear, without taking the focus.
  func showWaiting(_ record: SceneRecord) {
    record.connectsInBackground = false
    for window in record.windowScene?.windows ?? [] where !window.isHidden {
      post(.windowVisibility(window, record, isHidden: false))
    }
  }

  func interrupt(_ record: SceneRecord) {
    guard record.scene != nil else { return }
    apply(.interruption(record.interruptions > 0 || interruptsAll), to: record)
    markDirty(record)
  }
}
