import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The surfaces of windows: made when something is drawn, replaced with the window's size, and given back.
///
/// Surfaces+Presenting.swift brings them onto the screen.
@MainActor final class Surfaces: X11Component {
  /// Graphics contexts by depth.
  private var contexts: [UInt8: UInt32] = [:]
  /// Colormaps of visuals that are not the root's.
  private var colormaps: [UInt32: UInt32] = [:]
  /// Whether it has been reported that no window can be drawn into.
  private var isFailureReported = false
  /// Windows that have lost pixels which their front buffers have.
  private var toRepair: Set<UInt32> = []
  /// The last request before surfaces were made anew: errors of requests up to it are handled.
  private var settledErrors: UInt32?

  var frames: FrameScheduler { parts.drawing.frames }

  // MARK: Drawing

  /// Draws into a window's surface and shows the result: see `Platform.draw(_:damage:_:)`.
  func draw(_ window: TopLevel, damage: Damage, _ body: (inout PixelBuffer, Damage) -> Void) -> Bool {
    guard frames.support.isKnown, !window.isBare, window.showing.isRequested else { return false }
    let size = frames.drawnSize(of: window)
    let isNew = window.drawing.surface?.size != size
    guard let surface = surface(of: window, size), let buffer = buffer(of: surface, window) else { return false }
    var parts = damage.clipped(to: size)
    if let front = surface.front {
      if front !== buffer { buffer.catchUp(with: front, except: parts) }
    } else {
      parts = Damage([surface.whole])
    }
    var pixels = buffer.pixels
    body(&pixels, parts)
    guard window.drawing.surface === surface else { return false }
    makeOpaque(buffer, parts, in: window)
    surface.drew(parts, into: buffer)
    if !parts.isEmpty { show(parts, of: buffer, surface, window, isUrgent: isNew || window.sync.isDue) }
    return true
  }

  /// Draws a snapshot over the contents of the window, after the presentations that are under way.
  /// - Returns: Whether there is a surface to draw into.
  func draw(_ snapshot: Snapshot, into window: TopLevel, _ size: Size) -> Bool {
    guard frames.support.isKnown, let surface = surface(of: window, size),
      let buffer = surface.idleBuffer ?? makeBuffer(surface, window)
    else { return false }
    let whole = Damage([surface.whole])
    var pixels = buffer.pixels
    snapshot.fill(&pixels, background: window.description.background)
    makeOpaque(buffer, whole, in: window)
    if !surface.buffers.contains(where: { $0 === buffer }) { surface.add(buffer) }
    surface.drew(whole, into: buffer)
    show(whole, of: buffer, surface, window, isUrgent: false)
    return true
  }

  /// A window that is not transparent stays so where its visual happens to have alpha, whatever was drawn.
  private func makeOpaque(_ buffer: SurfaceBuffer, _ parts: Damage, in window: TopLevel) {
    guard !window.isTransparent, window.visual.alphaMask != 0 else { return }
    var pixels = buffer.pixels
    for part in parts.rects { pixels.setBits(window.visual.alphaMask, in: part) }
  }

  private func surface(of window: TopLevel, _ size: Size) -> Surface? {
    if let surface = window.drawing.surface, surface.size == size { return surface }
    guard window.visual.format != nil else {
      reportScreen()
      return nil
    }
    guard (1...32_767).contains(size.width), (1...32_767).contains(size.height),
      size.width * size.height * 4 <= SurfaceMemory.most
    else {
      drop(window)
      report(window, "\(size.width) by \(size.height) pixels are too many; make it smaller")
      return nil
    }
    let isFirst = window.drawing.surface == nil
    // Pixels of another layout are converted on the way.
    let count = size.width * size.height * 4
    let canShare = window.visual.isPlain && SurfaceMemory.fits(count)
    let surface = Surface(size: size, method: canShare ? frames.support.method : .request)
    if let old = window.drawing.surface, old.method == surface.method,
      let reusable = old.removeReusableBuffer(for: count)
    {
      freePixmap(of: reusable)
      surface.spare = reusable.store
    }
    release(window)
    surface.isResized = !isFirst
    window.drawing.surface = surface
    if isFirst {
      // The drawing stays where it is while the window is resized, and nothing else is painted over it.
      connection.changeAttributes(
        window.id, .init(background: WindowAttributes.Background.none, bitGravity: XCB_GRAVITY_NORTH_WEST), .surface)
      forgetPicture(window)
    }
    return surface
  }

  /// The picture of a window has gone with the background that it was.
  func forgetPicture(_ window: TopLevel) {
    guard window.drawing.picture != nil else { return }
    window.drawing.picture = nil
    loop.cancel(.picture(window.id))
  }

  private func buffer(of surface: Surface, _ window: TopLevel) -> SurfaceBuffer? {
    if let buffer = surface.idleBuffer { return buffer }
    guard surface.mayGrow else {
      // A repair has taken it since the frame was sent: another one comes when it is idle.
      window.drawing.clock.request()
      return nil
    }
    guard let buffer = makeBuffer(surface, window) else {
      if surface.front == nil { drop(window) }
      report(window, "there is no memory for \(surface.size.width) by \(surface.size.height) pixels")
      return nil
    }
    window.drawing.isFailureReported = false
    surface.add(buffer)
    return buffer
  }

  /// Makes a buffer; where no memory can be shared, one whose pixels are sent, in place of all buffers.
  private func makeBuffer(_ surface: Surface, _ window: TopLevel) -> SurfaceBuffer? {
    guard let store = surface.spare.take() ?? makeStore(surface) else {
      guard surface.method != .request else { return nil }
      for buffer in surface.stopSharing() { release(buffer) }
      return makeBuffer(surface, window)
    }
    guard surface.method == .present else { return SurfaceBuffer(store, size: surface.size) }
    let pixmap = connection.makeID()
    // The drawable only names the screen; a window may have been destroyed.
    server.extensions.send(
      .shmCreatePixmap(
        pixmap, drawable: server.root, surface.size, depth: window.visual.depth, segment: store.segment),
      onError: .sharing)
    return SurfaceBuffer(store, size: surface.size, pixmap: pixmap)
  }

  /// Makes memory for a buffer; for a window that is being resized a quarter more, because the next size needs other
  /// memory only when it has outgrown that.
  private func makeStore(_ surface: Surface) -> SurfaceStore? {
    let pixels = surface.size.width * surface.size.height * 4
    let slack = surface.isResized && SurfaceMemory.fits(pixels + pixels / 4) ? pixels / 4 : 0
    let count = min(pixels + slack, SurfaceMemory.most)
    guard surface.method != .request else {
      guard let memory = MemoryMapping(count: count) else { return nil }
      return SurfaceStore(memory)
    }
    guard let file = SurfaceMemory.makeFile(count), let memory = MemoryMapping(sharing: file, count: count) else {
      return nil
    }
    let segment = connection.makeID()
    // Pixmaps can be drawn into: the server refuses a segment for one that it may only read.
    server.extensions.send(.shmAttachFd(segment, isReadOnly: surface.method != .present), file: file, onError: .sharing)
    return SurfaceStore(memory, segment: segment)
  }

  // MARK: Shared objects

  func graphicsContext(for window: TopLevel) -> UInt32 {
    let depth = window.visual.depth
    if let known = contexts[depth] { return known }
    let context = connection.makeID()
    // Not for the window, which another client may have destroyed: all windows of the depth are drawn into with it.
    if depth == connection.screen.rootVisual.depth {
      connection.createContext(context, for: server.root)
    } else {
      let pixmap = connection.makeID()
      connection.createPixmap(pixmap, Size(width: 1, height: 1), depth: depth)
      connection.createContext(context, for: pixmap)
      connection.freePixmap(pixmap)
    }
    contexts[depth] = context
    return context
  }

  func colormap(of visual: Visual) -> UInt32 {
    if let known = colormaps[visual.id] { return known }
    let colormap = connection.makeID()
    connection.createColormap(colormap, visual: visual.id)
    colormaps[visual.id] = colormap
    return colormap
  }

  /// The background of a window into which nothing has been drawn.
  func background(of window: TopLevel) -> WindowAttributes.Background {
    .pixel(window.isTransparent ? 0 : connection.screen.pixel(window.description.background, in: window.visual))
  }

  /// Reports once that no window can be drawn into.
  private func reportScreen() {
    guard !isFailureReported else { return }
    isFailureReported = true
    batch.append(
      .fault(
        "nothing is drawn into any window: the screen (depth \(connection.screen.rootVisual.depth)) has no TrueColor "
          + "visual. Start the X server with a depth of 24, 16 or 8, as in \"Xvfb -screen 0 1280x1024x24\"."))
  }

  /// Reports once that a window cannot be drawn into, until it can be.
  private func report(_ window: TopLevel, _ reason: String) {
    guard !window.drawing.isFailureReported else { return }
    window.drawing.isFailureReported = true
    batch.append(.fault("window \(window.windowID) (\"\(window.description.title)\") stays empty: \(reason)."))
  }

  // MARK: Repairing

  /// Records that the server has lost a part of a window.
  /// - Returns: Whether the front buffer has it, so that it need not be drawn again.
  func canRepair(_ window: TopLevel, _ rect: Rect) -> Bool {
    guard !window.isBare, let surface = window.drawing.surface, surface.front != nil,
      surface.size == window.geometry(root).frame.size
    else { return false }
    if let part = rect.intersection(surface.whole) {
      surface.toRepair.add(part)
      toRepair.insert(window.id)
    }
    return true
  }

  /// Repairs the parts that have been lost; once a batch, because exposures come in rows.
  func repair() {
    guard !toRepair.isEmpty, !server.isLost else { return }
    for id in exchange(&toRepair, with: []).sorted() {
      guard let window = windows[id], let surface = window.drawing.surface, let front = surface.front else { continue }
      repair(exchange(&surface.toRepair, with: Damage()), from: front, surface, window)
    }
  }

  // MARK: Release

  /// Releases the surface, and sends no frames until they are requested again.
  func purge(_ window: TopLevel) {
    frames.stop(window)
    drop(window)
    frames.ignorePresentEvents(of: window)
  }

  /// Releases the buffers that are not shown.
  func purgeSpareBuffers(_ window: TopLevel) {
    for buffer in window.drawing.surface?.removeSpareBuffers() ?? [] { release(buffer) }
  }

  /// Without a surface the window looks as if nothing had been drawn yet.
  private func drop(_ window: TopLevel) {
    guard window.drawing.surface != nil else { return }
    release(window)
    connection.changeAttributes(
      window.id, .init(background: background(of: window), bitGravity: XCB_GRAVITY_BIT_FORGET), .surface)
  }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    frames.stop(window)
    release(window)
    loop.cancel(.picture(window.id))
  }

  /// Releases the memory of both sides; a segment that the server still reads is freed afterwards (MIT-SHM, ShmDetach).
  private func release(_ window: TopLevel) {
    guard let surface = window.drawing.surface.take() else { return }
    toRepair.remove(window.id)
    for buffer in surface.buffers { release(buffer) }
    if let spare = surface.spare { detach(spare) }
    if surface.region != 0 { server.extensions.send(.fixesDestroyRegion(surface.region), onError: .surface) }
  }

  private func release(_ buffer: SurfaceBuffer) {
    freePixmap(of: buffer)
    detach(buffer.store)
  }

  private func freePixmap(of buffer: SurfaceBuffer) {
    if buffer.pixmap != 0 { connection.freePixmap(buffer.pixmap) }
  }

  private func detach(_ store: SurfaceStore) {
    if store.segment != 0 { server.extensions.send(.shmDetach(store.segment), onError: .surface) }
  }

  // MARK: Errors

  /// A request of a surface has failed: the next drawings use another method.
  /// - Returns: Whether the error is handled, and needs no report.
  func failed(_ error: XError, _ request: SentRequest) -> Bool {
    if let settledErrors, !error.sequence.isLater(than: settledErrors) { return true }
    let method = frames.support.method
    // Another client may have destroyed the window; its DestroyNotify came before.
    guard request.onError == .sharing || windows[request.window] != nil else { return true }
    guard method != .request else { return false }
    frames.support.fallBack(from: request.onError == .sharing ? .sharedMemory : method)
    let last = UInt32(truncatingIfNeeded: connection.lastRequest)
    settledErrors = last
    // All of them have come by then, and the numbers of requests go round.
    connection.whenDone { [weak self] in if self?.settledErrors == last { self?.settledErrors = nil } }
    for window in windows.all {
      guard let surface = window.drawing.surface else { continue }
      release(window)
      window.drawing.clock.abandon()
      batch.append(.exposed(window.windowID, surface.whole))
      frames.advance(window)
    }
    return true
  }
}
