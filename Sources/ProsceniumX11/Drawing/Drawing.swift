import ProsceniumPlatform

/// The drawing into windows: surfaces, frames and pictures.
@MainActor final class Drawing: X11Component {
  let context: X11Context
  let frames: FrameScheduler
  let surfaces: Surfaces
  private let protocols: WMProtocols

  init(_ context: X11Context, _ protocols: WMProtocols) {
    self.context = context
    self.protocols = protocols
    frames = FrameScheduler(context)
    surfaces = Surfaces(context, frames)
  }

  func draw(_ window: TopLevel, damage: Damage, _ body: (inout PixelBuffer, Damage) -> Void) -> Bool {
    guard surfaces.draw(window, damage: damage, body) else { return false }
    // After the pixels: they are on the screen when the window manager gets it.
    if window.sync.isDue { protocols.answerSync(window) }
    return true
  }

  /// Draws a snapshot over the contents of a window, and releases its surface.
  func cover(_ window: TopLevel, _ snapshot: Snapshot) {
    guard !window.isBare else { return }
    let size = frames.drawnSize(of: window)
    if !surfaces.draw(snapshot, into: window, size) { send(snapshot, to: window.id, size, of: window) }
    purge(window)
  }

  /// Gives the surface of a window back.
  func purge(_ window: TopLevel) {
    surfaces.purge(window)
    protocols.answerSync(window)
  }

  // MARK: Backgrounds

  func setBackground(_ window: TopLevel, _ color: Color) {
    window.description.background = color
    // The drawing covers it.
    guard window.properties.areWritten, window.drawing.surface == nil, window.drawing.picture == nil else { return }
    connection.changeAttributes(window.id, .init(background: surfaces.background(of: window)))
    connection.clearArea(window.id)
  }

  /// A window is shown for the first time: changes of its background before that have cost nothing.
  func updateBackground(_ window: TopLevel) {
    guard window.description.background != window.properties.createdBackground, window.drawing.picture == nil
    else { return }
    connection.changeAttributes(window.id, .init(background: surfaces.background(of: window)))
  }

  // MARK: Events and queries

  /// The server has lost a part of a window.
  func exposed(_ window: TopLevel, _ rect: Rect) {
    if !window.isBare, !surfaces.canRepair(window, rect) { batch.append(.exposed(window.windowID, rect)) }
  }

  /// How many bytes a window's surface has.
  func footprint(of window: TopLevel) -> Int { window.drawing.surface?.buffers.reduce(0) { $0 + $1.memory.count } ?? 0 }
}
