import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The drawing into windows: surfaces, frames and pictures.
@MainActor final class Drawing: X11Component {
  private(set) lazy var frames = FrameScheduler(parts)
  private(set) lazy var surfaces = Surfaces(parts)

  func draw(_ window: TopLevel, damage: Damage, _ body: (inout PixelBuffer, Damage) -> Void) -> Bool {
    guard surfaces.draw(window, damage: damage, body) else { return false }
    // After the pixels: they are on the screen when the window manager gets it.
    if window.sync.isDue { parts.protocols.answerSync(window) }
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
    parts.protocols.answerSync(window)
  }

  /// What a program gets of a window that it draws into by its own means.
  ///
  /// From then on threads of the program, or of a driver, may read from the connection.
  func handle(for window: TopLevel) -> WindowHandle {
    loop.watchArrivals(at: connection.fileDescriptor)
    return (connection.raw, window.id, window.visual.id, connection.screen.number, window.visual.depth)
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
  func footprint(of window: TopLevel) -> Int {
    window.drawing.surface?.buffers.reduce(0) { $0 + $1.store.memory.count } ?? 0
  }

  // MARK: Snapshots that a window shows in place of its scene's drawing

  /// Larger backgrounds cost the server more than they are worth.
  private static let mostPixels = 40_000_000
  /// How long a picture stays in a window that is drawn into by other means.
  private static let pictureTimeout = Duration.seconds(5)

  /// Makes a snapshot the window's background: the server shows it wherever nothing has been drawn yet.
  ///
  /// As large as the window was, which it may be going to be again, and at least as large as it is: a background is
  /// repeated where it ends.
  func showPicture(_ window: TopLevel, _ snapshot: Snapshot) {
    let now = window.geometry(root).frame.size
    let size = Size(width: max(now.width, snapshot.size.width), height: max(now.height, snapshot.size.height))
    guard window.drawing.surface == nil, size.width * size.height <= Self.mostPixels, window.visual.format != nil
    else { return }
    let pixmap = connection.makeID()
    connection.createPixmap(pixmap, size, depth: window.visual.depth)
    send(snapshot, to: pixmap, size, of: window)
    connection.changeAttributes(
      window.id, .init(background: .pixmap(pixmap), bitGravity: XCB_GRAVITY_NORTH_WEST), .surface)
    // From here on it is the window's, and goes when that has another background (X protocol, FreePixmap).
    connection.freePixmap(pixmap)
    connection.clearArea(window.id)
    window.drawing.picture = size
    loop.set(.picture(window.id), after: Self.pictureTimeout)
  }

  /// Makes the background a colour again; what the picture has painted stays.
  func dropPicture(_ window: TopLevel) {
    guard window.drawing.picture != nil else { return }
    surfaces.forgetPicture(window)
    connection.changeAttributes(
      window.id, .init(background: surfaces.background(of: window), bitGravity: XCB_GRAVITY_BIT_FORGET), .surface)
  }

  /// Drops the picture of a window that has become larger: the server would repeat it.
  func checkPicture(_ window: TopLevel, _ size: Size) {
    guard let picture = window.drawing.picture, size.width > picture.width || size.height > picture.height else {
      return
    }
    dropPicture(window)
    connection.clearArea(window.id)
  }

  /// Sends a snapshot without shared memory: it is sent once.
  func send(_ snapshot: Snapshot, to drawable: UInt32, _ size: Size, of window: TopLevel) {
    let background = window.description.background
    let alpha = window.isTransparent ? 0 : window.visual.alphaMask
    let whole = Rect(x: 0, y: 0, width: size.width, height: size.height)
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size.width) { row in
      guard let base = row.baseAddress else { return }
      surfaces.sendImage(whole, to: drawable, of: window) { x, y in
        var span = row.mutableSpan
        snapshot.fill(row: y, &span, background: background)
        if alpha != 0 { for index in row.indices { row[index] |= alpha } }
        return UnsafePointer(base + x)
      }
    }
  }
}

/// The objects by which a program draws into a window by its own means.
package typealias WindowHandle = (
  connection: OpaquePointer, window: UInt32, visual: UInt32, screen: Int, depth: UInt8
)
