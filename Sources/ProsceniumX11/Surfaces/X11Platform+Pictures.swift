import ProsceniumLoop
package import ProsceniumPlatform

/// Pictures that stand for what a window's scene would draw.
extension X11Platform {
  /// Larger backgrounds cost the server more than they are worth.
  private static let mostPixels = 40_000_000
  /// How long a picture stays in a window that nobody draws into through us, in milliseconds.
  private static let pictureLimit = 5000

  package func keepsPixels(_ id: WindowID) -> Bool {
    guard !isLost, let window = windows[id.rawValue] else { return false }
    return !window.isBare && window.isShowRequested && window.model.isViewable
  }

  /// Draws a picture over what the window showed last, in the order of what is on its way there.
  func cover(_ window: TopLevel, _ snapshot: Snapshot) {
    guard !isLost, !window.isBare else { return }
    defer { purgeSurface(window) }
    let size = drawnSize(of: window)
    let background = window.description.background
    guard surfaces.support.isKnown, let surface = surface(of: window, size),
      let buffer = surface.idleBuffer ?? makeBuffer(surface, window)
    else { return put(snapshot, on: window.id, size, of: window) }
    var pixels = buffer.pixels
    snapshot.fill(&pixels, background: background)
    makeOpaque(buffer, Damage([surface.whole]), in: window)
    // It lives as long as this surface: no longer than this call.
    if !surface.buffers.contains(where: { $0 === buffer }) { surface.add(buffer) }
    let whole = Damage([surface.whole])
    surface.drew(whole, into: buffer)
    put(whole, of: buffer, surface, window, isUrgent: false)
  }

  /// Makes a picture the window's background: the server shows it wherever nothing has been drawn yet.
  ///
  /// As large as the window was, which it may be going to be again, and at least as large as it is: a background is
  /// repeated where it ends.
  func showPicture(_ window: TopLevel, _ snapshot: Snapshot) {
    let now = geometry(of: window).frame.size
    let size = Size(width: max(now.width, snapshot.size.width), height: max(now.height, snapshot.size.height))
    guard !isLost, window.surface == nil, let connection, size.width * size.height <= Self.mostPixels,
      window.visual.format != nil
    else { return }
    let pixmap = connection.makeID()
    connection.createPixmap(pixmap, size, depth: window.visual.depth)
    put(snapshot, on: pixmap, size, of: window)
    connection.changeAttributes(window.id, .init(backgroundPixmap: pixmap, bitGravity: 1), .surface)
    // From here on it is the window's, and goes when that has another background (X protocol, FreePixmap).
    connection.freePixmap(pixmap)
    connection.clearArea(window.id)
    window.picture = size
    setTimer(.picture(window.id), Self.pictureLimit)
  }

  /// The background is a colour again; what the picture has painted stays.
  func dropPicture(_ window: TopLevel) {
    guard window.picture != nil else { return }
    forgetPicture(window)
    connection?.changeAttributes(
      window.id, .init(backgroundPixel: backgroundPixel(of: window), bitGravity: 0), .surface)
  }

  /// The picture has gone with the background that it was.
  func forgetPicture(_ window: TopLevel) {
    guard window.picture != nil else { return }
    window.picture = nil
    loop.cancel(.picture(window.id))
  }

  /// A window that has become larger than its picture shows the colour: the server would repeat the picture.
  func checkPicture(_ window: TopLevel, _ size: Size) {
    guard let picture = window.picture, size.width > picture.width || size.height > picture.height else { return }
    dropPicture(window)
    connection?.clearArea(window.id)
  }

  /// Sends a picture without shared memory: it is sent once.
  private func put(_ snapshot: Snapshot, on drawable: UInt32, _ size: Size, of window: TopLevel) {
    let background = window.description.background
    let alpha = window.isTransparent ? 0 : window.visual.alphaMask
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size.width) { row in
      guard let base = row.baseAddress else { return }
      sendImage(Rect(x: 0, y: 0, width: size.width, height: size.height), to: drawable, of: window) { x, y in
        snapshot.fill(row: y, row, background: background)
        if alpha != 0 { for index in row.indices { row[index] |= alpha } }
        return UnsafePointer(base + x)
      }
    }
  }
}
