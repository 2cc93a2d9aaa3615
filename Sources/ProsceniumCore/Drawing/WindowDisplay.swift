import ProsceniumJSON
import ProsceniumLoop
import ProsceniumTrace
import SceneLifecycle

/// What a window has to draw, and when: nothing while nobody can see it, and once for everything asked for meanwhile.
@MainActor final class WindowDisplay {
  private unowned let window: Window
  private var damage = Damage()
  private var links: [FrameLink] = []
  private var isFrameRequested = false
  /// Whether the window's content comes from here: a program that draws by its own means never asks.
  private(set) var hasContent = false
  /// Whether a frame has been drawn.
  private(set) var hasDrawn = false
  /// How often something had to be drawn again.
  private(set) var changes = 0
  private var isDrawing = false
  private var isVisible = false
  /// Waits for the frame of a link that is called less often than the screen shows frames.
  private var isDelayed = false

  /// Frames that came while nobody could see the window, since it could be seen.
  private(set) var refusedFrames = 0

  init(_ window: Window) { self.window = window }

  private var wholeWindow: Rect {
    Rect(x: 0, y: 0, width: window.knownFrame.size.width, height: window.knownFrame.size.height)
  }

  /// Whether somebody can see what is drawn.
  private var canDraw: Bool {
    guard let record = window.record, let id = window.id, record.windows[id]?.isShown == true else { return false }
    return record.activation >= .foregroundInactive
  }

  /// Not while a screen saver hides it: then everything is kept, but nothing is drawn.
  private var mayDraw: Bool { canDraw && window.record?.conductor?.feature(Presence.self)?.isScreenSaverOn == false }

  func setNeedsDisplay(_ rect: Rect?) {
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

  /// Asks for a frame if there is something to do in it and somebody to see it.
  func requestFrame() {
    guard !isFrameRequested, mayDraw, let id = window.id else { return }
    cancelDelay()
    if damage.isEmpty {
      let isActive = window.record?.activation == .foregroundActive
      let due = links.reduce(Double.infinity) { $1.isPaused ? $0 : min($0, $1.due(isActive: isActive)) }
      guard due < .infinity else { return }
      // A frame that nobody would do anything in costs a wake-up: it is asked for shortly before it is due.
      let wait = due - (window.platform?.now ?? due)
      if wait > 0.04 {
        isDelayed = true
        window.record?.conductor?.set(.frame(id), after: .seconds(min(wait, 1e6)) - .milliseconds(10))
        return
      }
    }
    isFrameRequested = true
    window.record?.perform(.requestFrame(id))
  }

  /// The frame of a slow link is due shortly.
  func delayEnded() {
    isDelayed = false
    guard !isFrameRequested, mayDraw, let id = window.id else { return }
    isFrameRequested = true
    window.record?.perform(.requestFrame(id))
  }

  private func cancelDelay() {
    if isDelayed, let id = window.id { window.record?.conductor?.cancel(.frame(id)) }
    isDelayed = false
  }

  /// The moment to draw.
  func frame(_ timing: FrameTiming) {
    let isLate = !isFrameRequested
    isFrameRequested = false
    guard mayDraw, let id = window.id, let platform = window.platform else {
      // One that was on its way when the window went out of sight is nobody's fault.
      if !isLate { refuseFrame() }
      return
    }
    let isActive = window.record?.activation == .foregroundActive
    for link in links { link.fire(timing, isActive: isActive) }
    let size = window.knownFrame.size
    window.content?.layout(size)
    let parts = damage.clipped(to: size)
    damage = Damage()
    if !parts.isEmpty {
      isDrawing = true
      let isDrawn = platform.draw(id, damage: parts) { [window] buffer, parts in
        window.draw(buffer, damage: parts.rects)
      }
      isDrawing = false
      hasDrawn = hasDrawn || isDrawn
      if isDrawn { window.content?.frameDrawn() } else { damage.add(parts) }
      // Without a surface there is nothing to wait for; the next exposure or size asks again.
      if !isDrawn { return }
    }
    requestFrame()
  }

  func mayPresentFrame() -> Bool {
    if mayDraw { return window.platform?.isConnected == true }
    refuseFrame()
    return false
  }

  /// Nothing is shown to nobody.
  func refuseFrame() {
    guard let record = window.record else { return }
    refusedFrames += 1
    // The first is enough to know of.
    guard refusedFrames == 1 else { return }
    record.conductor?.traceRequest(
      "presentFrame", record.session, "refused: nobody can see the window",
      window.id.map { ["window": .string($0.description)] } ?? [:])
  }

  /// Draws all of the window into memory of its own.
  ///
  /// No frame: no link is called, and what has to be drawn again still has to be. Nil where the window is not drawn from
  /// here, or is being drawn now.
  func picture(afterUpdates: Bool) -> Picture? {
    guard hasContent, !isDrawing else { return nil }
    let size = window.knownFrame.size
    isDrawing = true
    defer { isDrawing = false }
    window.content?.layout(size)
    return Picture(size: size, isOpaque: window.isOpaque) { buffer in
      guard let content = window.content else { return window.draw(buffer, damage: [wholeWindow]) }
      content.drawPicture(afterUpdates: afterUpdates) { window.draw(buffer, damage: [wholeWindow]) }
    }
  }

  /// The window has another size: all of it is drawn anew.
  func resized() { if hasContent { setNeedsDisplay(nil) } }

  /// The window is on another screen, or looks different for another reason: all of it is laid out and drawn once more.
  func surroundingsChanged() {
    window.content?.surroundingsChanged()
    resized()
  }

  func exposed(_ rect: Rect) { if hasContent { setNeedsDisplay(rect) } }

  /// The scene's state, or whether the window is shown, may have changed.
  func visibilityMayHaveChanged() {
    let isVisible = canDraw
    guard isVisible != self.isVisible else { return }
    self.isVisible = isVisible
    window.content?.visibilityChanged(isVisible: isVisible)
    if isVisible {
      refusedFrames = 0
      // What the surface held went with it.
      if hasContent { setNeedsDisplay(nil) }
      requestFrame()
    } else {
      purge()
    }
  }

  /// A screen saver hides the window, or no longer does.
  func screenSaverChanged(isOn: Bool) {
    guard isOn else { return requestFrame() }
    cancelFrame()
  }

  /// What was asked for is not wanted any more; should it come all the same, it is nobody's fault.
  private func cancelFrame() {
    isFrameRequested = false
    cancelDelay()
  }

  /// Gives back what nobody sees, also what was made since the window went out of sight.
  func purgeUnseen() {
    let wasVisible = isVisible
    visibilityMayHaveChanged()
    if !wasVisible, !isVisible { window.content?.purge() }
  }

  /// The window belongs to its scene no longer.
  func detached() {
    visibilityMayHaveChanged()
    window.content?.detached()
  }

  /// How many bytes are given back with the surface and everything else that can be drawn again.
  var footprint: Int {
    (window.content?.footprint ?? 0) + (window.id.flatMap { window.platform?.footprint(of: $0) } ?? 0)
  }

  /// Gives back the surface and everything that can be drawn again.
  private func purge() {
    cancelFrame()
    window.content?.purge()
    if hasContent, let id = window.id { window.record?.perform(.purgeSurface(id)) }
  }
}
