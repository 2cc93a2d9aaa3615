/// Adds and removes the windows of a scene.
extension SceneRecord {
  /// Whether a window has been shown since it was made.
  func hasShown(_ window: Window) -> Bool { window.id.flatMap { windows[$0]?.hasBeenShown } ?? false }

  /// The pixels per point that a window is made for: those of the screen where it comes back, else of the primary one.
  func launchScale(_ placement: WindowPlacement?) -> Double {
    let screens = conductor?.feature(Surroundings.self)?.screens ?? []
    guard let placement else { return screens.first?.scale ?? 1 }
    // A screen that stands for all others says little.
    if screens.first?.isProvisional != false { return placement.scale ?? 1 }
    return screens.map(\.description).scale(ofWindow: placement.frame)
  }

  /// The frame, in points, of a window that gets another scale before it is shown.
  ///
  /// The numbers that the program has set, unless those are a place on a screen of another scale now: then it stays
  /// where it is.
  func frame(_ launch: Rect, ofUnshown window: Window) -> Rect {
    let screens = conductor?.application.screens.map(\.description) ?? []
    var frame = launch
    if screens.scale(ofWindow: window.pixelScale.pixels(launch)) != window.scale {
      frame.origin = window.pixelScale.points(window.knownFrame.origin)
    }
    return frame
  }

  /// The size of the primary window of a session that has had none, in points.
  var launchSize: Size {
    let (size, application) = (session.configuration.launchSize, conductor?.application)
    return application?.resolvedManifest.launchOrientation.shaped(size) ?? size
  }

  /// Updates the titles of the windows that have none of their own.
  func titleChanged() {
    for window in windowScene?.windows ?? [] where window.title == nil {
      if let id = window.id { perform(.setTitle(id, window.effectiveTitle)) }
    }
  }

  /// Gives a window its platform window: the session's bare window if there is one, else a new one.
  func add(_ window: Window, to scene: WindowScene) -> WindowID? {
    guard let conductor, self.scene === scene else { return nil }
    scene.windows.append(window)
    let isPrimary = windows.primary == nil
    let description = describe(window, in: scene, isPrimary: isPrimary, conductor)
    if isPrimary, let bare = windows.bare {
      // One that is not brought back keeps its place in the taskbar.
      if bare.isTransparent == description.isTransparent || connection.isInBackground {
        return adopt(bare, by: window, description, in: scene, conductor)
      }
      if bare.levels.focused { connection.keepsFocus = false }
      conductor.connector.destroyBareWindow(of: self)
    }
    let id = conductor.platform.makeWindowID()
    // What is put back where it was, and what fills a screen of its own, has its size.
    let isPlacedAnew = description.placement == nil && !window.isAdopted
    windows.add(SceneWindows.State(id, window: window, fitting: isPlacedAnew ? .due : .done))
    if isPrimary { windows.primary = id }
    conductor.roster[id] = self
    window.scale = description.scale
    // Where the window comes back, too: what is presented above it is placed before the window system has said so.
    window.knownFrame =
      description.placement?.frame
      ?? Rect(
        x: description.position?.x ?? 0, y: description.position?.y ?? 0, width: description.size.width,
        height: description.size.height)
    perform(.create(id, description))
    conductor.announce(.windowCreated(id, self))
    if window.windowLevel != 0 { perform(.setLevel(id, window.windowLevel)) }
    setAppearance(of: window, id)
    return id
  }

  private func adopt(
    _ bare: SceneWindows.Bare, by window: Window, _ description: WindowDescription, in scene: WindowScene,
    _ conductor: Conductor
  ) -> WindowID {
    windows.bare = nil
    windows.primary = bare.id
    let state = SceneWindows.State(bare.id, window: window, levels: bare.levels, isShown: bare.isShown)
    state.isShownAsBare = bare.isShown
    windows.add(state)
    window.scale = description.scale
    window.knownFrame = bare.frame
    scene.pixelGeometry = WindowScene.Geometry(frame: bare.frame)
    perform(.adopt(bare.id, description))
    perform(.setLevel(bare.id, window.windowLevel))
    // It may have that of the scene before.
    if window.icon == nil { perform(.setIcon(bare.id, nil)) }
    setAppearance(of: window, bare.id)
    conductor.announce(.bareWindowAdopted(self))
    // No change of the focus follows by which it would become key.
    if bare.levels.focused { conductor.post(WindowVisibility.self, .adoptedWithFocus(window, self)) }
    conductor.roster.markDirty(self)
    return bare.id
  }

  private func setAppearance(of window: Window, _ id: WindowID) {
    if let icon = window.icon { perform(.setIcon(id, icon)) }
    if window.cursor != .arrow { perform(.setCursor(id, window.cursor)) }
  }

  func describe(
    _ window: Window, in scene: WindowScene, isPrimary: Bool, _ conductor: Conductor
  ) -> WindowDescription {
    var description = WindowDescription()
    let number = windows.countMade()
    description.role = identifier + (isPrimary ? "" : "/\(number)")
    description.title = window.title ?? scene.title ?? conductor.identity.id
    if isPrimary {
      description.placement = conductor.feature(Saving.self)?.placement(of: self)
    }
    description.scale = isPrimary ? launchScale(description.placement) : primaryWindow?.scale ?? 1
    let scale = PixelScale(description.scale)
    description.size = scale.pixels(isPrimary ? launchSize : description.size)
    description.position = isPrimary ? session.configuration.launchPosition.map(scale.pixels) : nil
    // The program does not place a window that fills a screen of its own.
    if let frame = window.launchFrame, conductor.assignedScreen(of: self) == nil || !isPrimary {
      description.position = scale.pixels(frame.origin)
      description.size = scale.pixels(frame.size)
    }
    if isPrimary, let place = connection.place {
      let wish = Rect(
        x: place.x - description.size.width / 2, y: place.y, width: description.size.width,
        height: description.size.height)
      let screens = conductor.application.screens.map(\.pixelFrame)
      description.position = WindowPlacement(frame: wish).within(screens).frame.origin
    }
    description.minimumSize = window.minimumSize.map(scale.pixels)
    description.maximumSize = window.maximumSize.map(scale.pixels)
    description.background = window.backgroundColor
    description.isTransparent = !window.isOpaque
    description.isInteractive = isInteractive
    description.transientFor = isPrimary ? nil : windows.primary
    return description
  }

  /// Removes a window permanently.
  func remove(_ window: Window, from scene: WindowScene) {
    guard let conductor, let id = window.id else { return }
    scene.windows.removeAll { $0 === window }
    if scene.keyWindow === window { conductor.connector.removeKeyWindow(of: self) }
    conductor.connector.remove(id, of: self)
    perform(.destroy(id))
    if let call = AdoptionCall(window, .destroy) { conductor.performAfterSettling([.call(call)]) }
    conductor.roster.markDirty(self)
    // Settled at the end of each item: the window system sends no event for a window that the program destroys.
    conductor.settleLater()
  }
}
