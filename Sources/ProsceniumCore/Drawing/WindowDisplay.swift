import ProsceniumJSON
import ProsceniumLoop
import ProsceniumTrace

/// The damage and the frames of a window.
///
/// While it cannot be seen nothing is drawn; all requests are drawn once on
/// return.
@MainActor final class WindowDisplay {
  private unowned let window: Window
  /// The toolkit that has made the window, owns it and draws it; nil for a window of our own.
  var toolkit: (any AdoptedWindowOwner)?
  private var damage = Damage()
  private var links: [FrameLink] = []
  private var isFrameRequested = false
  /// Whether the framework draws the window: false for a program that draws by its own means.
  private(set) var hasContent = false
  /// Whether a frame has been drawn.
  private(set) var hasDrawn = false
  /// The number of requests to draw.
  private(set) var changes = 0
  private var isDrawing = false
  private var isVisible = false
  /// Whether a deadline is set for the frame of a slow link.
  private var isDelayed = false

  /// The number of frames since the window was last visible.
  private(set) var refusedFrames = 0

  init(_ window: Window) { self.window = window }

  private var wholeWindow: Rect {
    Rect(x: 0, y: 0, width: window.knownFrame.size.width, height: window.knownFrame.size.height)
  }

  /// The record of the scene of a window that is shown, while the scene is in the foreground.
  ///
  /// Each load of the window and of its record costs a hundred instructions, so that a frame loads each once.
  private static func shownRecord(of window: Window) -> SceneRecord? {
    guard let record = window.record, let id = window.id, record.windows[id]?.isShown == true,
      record.activation >= .foregroundInactive
    else { return nil }
    return record
  }

  /// The same while frames are drawn; not while a screen saver hides the window, although all is kept in memory.
  private static func drawnRecord(of window: Window) -> SceneRecord? {
    guard let record = shownRecord(of: window),
      record.conductor?.feature(Presence.self)?.isScreenSaverOn == false
    else { return nil }
    return record
  }

  func setNeedsDisplay(_ rect: Rect?) {
    assertMainThread()
    hasContent = true
    changes += 1
    damage.add(rect ?? wholeWindow)
    requestFrame()
  }

  func add(_ link: FrameLink) {
    links.append(link)
    requestFrame()
  }

  func remove(_ link: FrameLink) { links.removeAll { $0 === link } }

  /// Requests a frame if there is damage or a link, and the window can be seen; for a link that `isDue` at once.
  private func requestFrame(isDue: Bool) {
    // First, because it is called at each change of the focus.
    if damage.isEmpty, links.isEmpty, !isDue, !isDelayed { return }
    let window = window
    guard !isFrameRequested, let record = Self.drawnRecord(of: window), let id = window.id else { return }
    cancelDelay()
    if damage.isEmpty, !isDue {
      let isActive = record.activation == .foregroundActive
      let due = links.reduce(Double.infinity) { $1.isPaused ? $0 : min($0, $1.due(isActive: isActive)) }
      guard due < .infinity else { return }
      // A frame without a due link costs a wake-up: it is requested shortly before the link is due.
      let wait = due - (window.platform?.now ?? due)
      if wait > 0.04 {
        isDelayed = true
        let length = Duration.seconds(min(wait, 1e6)) - .milliseconds(10)
        record.conductor?.set(.frame(id), after: length, AnyMessage(Drawing.self, .frameDue(id)))
        return
      }
    }
    isFrameRequested = true
    record.perform(.requestFrame(id))
  }

  /// Requests a frame if there is damage or a link, and the window can be seen.
  func requestFrame() { requestFrame(isDue: false) }

  /// Requests the frame of a slow link: its deadline is reached.
  func delayEnded() {
    isDelayed = false
    requestFrame(isDue: true)
  }

  private func cancelDelay() {
    if isDelayed, let id = window.id { window.record?.conductor?.cancel(.frame(id)) }
    isDelayed = false
  }

  /// Handles a frame: calls the links, lays out and draws.
  func frame(_ timing: FrameTiming) {
    let isLate = !isFrameRequested
    isFrameRequested = false
    let window = window
    guard let record = Self.drawnRecord(of: window), let id = window.id, let platform = window.platform else {
      // A frame that was requested before the window was hidden is no error.
      if !isLate { refuseFrame() }
      return
    }
    let isActive = record.activation == .foregroundActive
    for link in links { link.fire(timing, isActive: isActive) }
    let size = window.knownFrame.size
    window.content?.layout(size)
    let parts = damage.clipped(to: size)
    damage = Damage()
    if !parts.isEmpty {
      isDrawing = true
      let isDrawn = platform.draw(id, damage: parts) { [window] buffer, parts in
        window.draw(&buffer, damage: parts.rects)
      }
      isDrawing = false
      hasDrawn = hasDrawn || isDrawn
      if isDrawn { window.content?.frameDrawn() } else { damage.add(parts) }
      // Without a surface no frame follows: the next exposure or size requests one. Of one that is in use the
      // platform sends another frame by itself.
      if !isDrawn { return }
    }
    requestFrame()
  }

  func mayPresentFrame() -> Bool {
    if Self.drawnRecord(of: window) != nil { return window.platform?.isConnected == true }
    refuseFrame()
    return false
  }

  /// Counts a frame for a window that cannot be seen, and traces the first one.
  func refuseFrame() {
    guard let record = window.record else { return }
    refusedFrames += 1
    // One line of the trace is enough.
    guard refusedFrames == 1 else { return }
    record.conductor?.traceRequest(
      "presentFrame", record.session, "refused: nobody can see the window",
      window.id.map { ["window": .string($0.description)] } ?? [:])
  }

  /// Draws all of the window into memory of its own.
  ///
  /// A picture is not a frame: no link is called, and the damage stays. Nil where the framework does not draw the
  /// window, or is drawing it now.
  func picture(afterUpdates: Bool) -> Picture? {
    guard hasContent, !isDrawing else { return nil }
    let size = window.knownFrame.size
    isDrawing = true
    defer { isDrawing = false }
    window.content?.layout(size)
    return Picture(size: size, isOpaque: window.isOpaque) { buffer in
      guard let content = window.content else { return window.draw(&buffer, damage: [wholeWindow]) }
      content.drawPicture(afterUpdates: afterUpdates) { window.draw(&buffer, damage: [wholeWindow]) }
    }
  }

  /// Requests a full redraw after a change of size.
  func resized() { if hasContent { setNeedsDisplay(nil) } }

  /// Requests a full layout and redraw after a change of screen or scale.
  func surroundingsChanged() {
    window.content?.surroundingsChanged()
    resized()
  }

  func exposed(_ rect: Rect) { if hasContent { setNeedsDisplay(rect) } }

  /// Handles a possible change of the scene's state or of the window's visibility.
  func visibilityMayHaveChanged() {
    let isVisible = Self.shownRecord(of: window) != nil
    guard isVisible != self.isVisible else { return }
    self.isVisible = isVisible
    window.content?.visibilityChanged(isVisible: isVisible)
    if isVisible {
      refusedFrames = 0
      // The surface was freed.
      if hasContent { setNeedsDisplay(nil) }
      requestFrame()
    } else {
      purge()
    }
  }

  /// Handles the start and the end of a screen saver.
  func screenSaverChanged(isOn: Bool) { if isOn { cancelFrame() } else { requestFrame() } }

  /// Cancels a requested frame; one that comes anyway is no error.
  private func cancelFrame() {
    isFrameRequested = false
    cancelDelay()
  }

  /// Frees what cannot be seen, also what was created since the window was hidden.
  func purgeUnseen() {
    let wasVisible = isVisible
    visibilityMayHaveChanged()
    if !wasVisible, !isVisible { window.content?.purge() }
  }

  /// The window leaves its scene, and still has its id.
  func leave() {
    toolkit = nil
    cancelDelay()
  }

  /// Handles the removal of the window from its scene.
  func detached() {
    visibilityMayHaveChanged()
    window.content?.detached()
  }

  /// The number of bytes that a purge frees: the surface and the caches of the content.
  var footprint: Int {
    (window.content?.footprint ?? 0) + (window.id.flatMap { window.platform?.footprint(of: $0) } ?? 0)
  }

  /// Frees the surface and the caches of the content.
  private func purge() {
    cancelFrame()
    window.content?.purge()
    if hasContent, let id = window.id { window.record?.perform(.purgeSurface(id)) }
  }
}
