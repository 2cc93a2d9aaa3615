/// Windows that are larger than their screen when they are shown for the first time: they get the size that panels
/// leave of it.
///
/// At a launch the first window is shown before the screens are known, and what panels leave of these: it is compared
/// with both once they are. What changes of the screens later is between the user and the window manager.
extension WindowVisibility {
  /// What decides whether a window has to be looked at, so that most have not.
  struct FittingScreens {
    /// The least width and height that panels leave, but no more than half of a screen: they may become known later.
    var harmless = Size(width: Int.max, height: Int.max)
    /// Whether panels are known to take a part of a screen; where there are none that stays to be seen.
    var arePanelsKnown = false

    @MainActor init(_ screens: [Screen]) {
      for screen in screens {
        let (frame, visible) = (screen.pixelFrame, screen.visiblePixelFrame)
        harmless.width = min(harmless.width, frame.size.width / 2, visible.size.width)
        harmless.height = min(harmless.height, frame.size.height / 2, visible.size.height)
        if visible != frame { arePanelsKnown = true }
      }
    }
  }

  /// Limits a window before it is shown for the first time.
  func fitFirst(_ state: SceneWindows.State) -> FeatureAction? {
    guard case .due = state.fitting, let window = state.window else { return nil }
    let known = fittingScreens ?? FittingScreens(application.screens)
    fittingScreens = known
    let size = window.knownFrame.size
    state.fitting = known.arePanelsKnown ? .done : .given(first: size, last: size)
    guard size.width > known.harmless.width || size.height > known.harmless.height else { return nil }
    // Where the window manager chooses the place it is on the primary screen as far as is known.
    let screen = window.launchFrame == nil ? application.screens.first : nil
    let frame = fitted(window, on: screen.map { [$0] } ?? application.screens)
    guard frame.size != size else { return nil }
    if !known.arePanelsKnown { state.fitting = .given(first: frame.size, last: frame.size) }
    window.knownFrame.size = frame.size
    guard window.launchFrame != nil else { return .command(.place(state.id, nil, frame.size)) }
    window.knownFrame.origin = frame.origin
    return .command(.place(state.id, frame.origin, frame.size))
  }

  /// Limits the windows that were shown before the screens were known, where nobody has given them another size.
  func fitShown() -> [FeatureAction] {
    let screens = application.screens
    let known = FittingScreens(screens)
    fittingScreens = known
    guard !screens.contains(where: \.isProvisional) else { return [] }
    let frames = screens.map(\.pixelFrame)
    firstScreens = firstScreens ?? frames
    return roster.ordered.flatMap { record in
      record.windows.states.compactMap { state in
        guard case .given(let first, let last) = state.fitting else { return nil }
        state.fitting = .done
        guard frames == firstScreens, let window = state.window, state.isShown,
          window.knownFrame.size == first || window.knownFrame.size == last
        else { return nil }
        let frame = fitted(window, on: screens)
        if !known.arePanelsKnown { state.fitting = .given(first: first, last: frame.size) }
        guard frame.size != window.knownFrame.size else { return nil }
        return .command(.request(makeRequestID(), state.id, .geometry(frame)))
      }
    }
  }

  /// The frame of a window, in pixels, within the screen that shows most of it; the least size of the window counts
  /// more.
  private func fitted(_ window: Window, on screens: [Screen]) -> Rect {
    let frame = window.knownFrame
    let area = screens.map(\.visiblePixelFrame).max { $0.sharedArea(with: frame) < $1.sharedArea(with: frame) }
    guard let area, frame.size.width > area.size.width || frame.size.height > area.size.height else { return frame }
    let least = window.minimumSize.map(window.pixelScale.pixels) ?? Size(width: 1, height: 1)
    let titleBar = window.pixelScale.pixels(Size(width: PixelScale.titleBar, height: PixelScale.titleBar)).height
    let size = Size(
      width: min(frame.size.width, max(area.size.width, least.width)),
      height: min(frame.size.height, max(area.size.height - titleBar, least.height)))
    let wish = Rect(x: frame.origin.x, y: frame.origin.y, width: size.width, height: size.height)
    let corner = WindowPlacement(frame: wish).within([area]).frame.origin
    return Rect(x: corner.x, y: corner.y, width: size.width, height: size.height)
  }
}
