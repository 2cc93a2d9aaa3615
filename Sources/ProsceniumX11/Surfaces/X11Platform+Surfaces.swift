import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// What all surfaces share.
struct SurfaceState {
  var support = SurfaceSupport()
  var isAsked = false
  /// Graphics contexts by depth.
  var contexts: [UInt8: UInt32] = [:]
  /// Colormaps of visuals that are not the root's.
  var colormaps: [UInt32: UInt32] = [:]
  /// Windows that have lost pixels which their front buffers have.
  var toRepair: Set<UInt32> = []
  /// That no window can be drawn into has been said.
  var hasComplainedOfScreen = false
  /// Errors of requests up to this one have been dealt with.
  var settledErrors: UInt32?
  /// `Xft.dpi`, once it is known.
  var dpi: Double?
}

/// What is drawn into windows: see ``Surface``.
extension X11Platform {
  /// Asks what the server can do, when the first frame is asked for: many programs draw by their own means.
  ///
  /// Nobody waits for the answers.
  func askForSurfaces() {
    guard !surfaces.isAsked, let connection else { return }
    surfaces.isAsked = true
    extensions?.prefetch(ExtensionName.forSurfaces)
    // Answered after the extensions are.
    connection.windowAttributes(connection.screen.root) { [weak self] _ in
      guard let self else { return }
      extensions?.load(ExtensionName.forSurfaces)
      decoder.firstShmEvent = extensions?.firstEvent(.shm)
      decoder.presentOpcode = extensions?.majorOpcode(.present)
      askForVersions()
    }
  }

  private func askForVersions() {
    guard let connection, let extensions else { return }
    let canShare = extensions.has(.shm) && connection.passesDescriptors
    let canPresent = extensions.has(.present) && extensions.has(.fixes)
    if canShare {
      connection.whenReplied(extensions.send(.shmQueryVersion)) { [weak self] reply in
        guard let self, let sharing = reply.map(SurfaceSupport.sharing) else { return }
        surfaces.support.sharesMemory = sharing.memory
        surfaces.support.sharesPixmaps = sharing.pixmaps
        if !canPresent { learnedSurfaces() }
      }
    }
    if canPresent {
      connection.whenReplied(extensions.send(.presentQueryVersion(major: 1, minor: 0))) { [weak self] reply in
        self?.surfaces.support.presents = reply != nil
        self?.learnedSurfaces()
      }
    }
    if !canShare, !canPresent { learnedSurfaces() }
  }

  private func learnedSurfaces() {
    surfaces.support.isKnown = true
    for window in windows.values { advance(window) }
  }

  // MARK: Drawing

  package func draw(_ id: WindowID, damage: Damage, _ body: (inout PixelBuffer, Damage) -> Void) -> Bool {
    guard !isLost, surfaces.support.isKnown, let window = windows[id.rawValue], !window.isBare, window.isShowRequested
    else { return false }
    let size = drawnSize(of: window)
    let isAnew = window.surface?.size != size
    guard let surface = surface(of: window, size), let buffer = buffer(of: surface, window) else { return false }
    var parts = damage.clipped(to: size)
    if let front = surface.front {
      if front !== buffer { buffer.catchUp(with: front, except: parts) }
    } else {
      parts = Damage([surface.whole])
    }
    var pixels = buffer.pixels
    body(&pixels, parts)
    guard window.surface === surface else { return false }
    makeOpaque(buffer, parts, in: window)
    surface.drew(parts, into: buffer)
    if !parts.isEmpty { put(parts, of: buffer, surface, window, isUrgent: isAnew || window.isSyncDue) }
    // After the pixels: they are on the screen when the window manager hears of it.
    if window.isSyncDue { answerSync(window) }
    return true
  }

  func drawnSize(of window: TopLevel) -> Size {
    (window.lastGeometry ?? geometry(of: window)).frame.size
  }

  func surface(of window: TopLevel, _ size: Size) -> Surface? {
    if let surface = window.surface, surface.size == size { return surface }
    guard let connection else { return nil }
    guard window.visual.format != nil else {
      complainOfScreen(connection.screen)
      return nil
    }
    guard (1...32_767).contains(size.width), (1...32_767).contains(size.height),
      size.width * size.height * 4 <= SurfaceMemory.most
    else {
      dropSurface(window)
      complain(window, "\(size.width) by \(size.height) pixels are too many; make it smaller")
      return nil
    }
    let isFirst = window.surface == nil
    freeSurface(window)
    // Pixels of another layout are converted on the way.
    let canShare = window.visual.isPlain && SurfaceMemory.fits(size.width * size.height * 4)
    let surface = Surface(size: size, method: canShare ? surfaces.support.method : .request)
    window.surface = surface
    if isFirst { prepare(window) }
    return surface
  }

  private func buffer(of surface: Surface, _ window: TopLevel) -> SurfaceBuffer? {
    if let buffer = surface.idleBuffer { return buffer }
    guard surface.mayGrow else { return nil }
    guard let buffer = makeBuffer(surface, window) else {
      if surface.front == nil { dropSurface(window) }
      complain(window, "there is no memory for \(surface.size.width) by \(surface.size.height) pixels")
      return nil
    }
    window.hasComplained = false
    surface.add(buffer)
    return buffer
  }

  func makeBuffer(_ surface: Surface, _ window: TopLevel) -> SurfaceBuffer? {
    let count = surface.size.width * surface.size.height * 4
    guard let connection, let extensions else { return nil }
    guard surface.method != .request else {
      return SurfaceMemory.plain(count).map { SurfaceBuffer($0, size: surface.size) }
    }
    guard let (memory, descriptor) = SurfaceMemory.shared(count) else { return nil }
    let segment = connection.makeID()
    // Pixmaps can be drawn into: the server refuses a segment for one that it may only read.
    extensions.send(
      .shmAttachFd(segment, isReadOnly: surface.method != .present), descriptor: descriptor, onError: .surface)
    guard surface.method == .present else { return SurfaceBuffer(memory, size: surface.size, segment: segment) }
    let pixmap = connection.makeID()
    // The drawable only names the screen; a window may have gone.
    extensions.send(
      .shmCreatePixmap(
        pixmap, drawable: connection.screen.root, surface.size, depth: window.visual.depth, segment: segment, offset: 0),
      onError: .surface)
    return SurfaceBuffer(memory, size: surface.size, segment: segment, pixmap: pixmap)
  }

  /// A window that is not transparent stays so where its visual happens to have alpha, whatever was drawn.
  func makeOpaque(_ buffer: SurfaceBuffer, _ parts: Damage, in window: TopLevel) {
    guard !window.isTransparent, window.visual.alphaMask != 0 else { return }
    var pixels = buffer.pixels
    for part in parts.rects { pixels.setBits(window.visual.alphaMask, in: part) }
  }

  /// Says once that a window cannot be drawn into, until it can be.
  private func complain(_ window: TopLevel, _ reason: String) {
    guard !window.hasComplained else { return }
    window.hasComplained = true
    batch.append(.fault("window \(window.windowID) (\"\(window.description.title)\") stays empty: \(reason)."))
  }

  /// Says once what holds for all windows.
  private func complainOfScreen(_ screen: ScreenSetup) {
    guard !surfaces.hasComplainedOfScreen else { return }
    surfaces.hasComplainedOfScreen = true
    batch.append(
      .fault(
        "nothing is drawn into any window: the screen (depth \(screen.rootVisual.depth)) has no TrueColor visual. Start "
          + "the X server with a depth of 24, 16 or 8, as in \"Xvfb -screen 0 1280x1024x24\"."))
  }

  // MARK: Frames

  func requestFrame(_ window: TopLevel) {
    guard !window.isBare, window.isShowRequested else { return }
    window.clock.request()
    askForSurfaces()
    advance(window)
  }

  /// Hands out the frame that was asked for, or sees to it that its moment is told.
  func advance(_ window: TopLevel) {
    guard surfaces.support.isKnown, !isLost, window.clock.isRequested else { return }
    var canDraw = true
    if let surface = window.surface { canDraw = surface.size != drawnSize(of: window) || surface.canDraw }
    switch window.clock.next(now: now, canDraw: canDraw, hasPresent: surfaces.support.presents) {
    case .wait: break
    case .frame(let timing): batch.append(.frame(window.windowID, timing))
    case .at(let due): loop.set(.frame(window.id), at: .seconds(due))
    case .ask(let serial):
      listenToPresent(window)
      extensions?.send(
        .presentNotifyMSC(window: window.id, serial: serial, target: 0, divisor: 1), onError: .surface)
    }
  }

  /// Frames stop until they are asked for again.
  func stopFrames(_ window: TopLevel) {
    window.clock.reset()
    loop.cancel(.frame(window.id))
    batch.removeAll { if case .frame(window.windowID, _) = $0 { true } else { false } }
  }

  // MARK: Giving back

  package func footprint(of id: WindowID) -> Int {
    windows[id.rawValue]?.surface?.buffers.reduce(0) { $0 + $1.memory.count } ?? 0
  }

  func purgeSurface(_ window: TopLevel) {
    stopFrames(window)
    dropSurface(window)
    ignorePresent(window)
    answerSync(window)
  }

  /// Without a surface the window looks as if nothing had been drawn yet.
  func dropSurface(_ window: TopLevel) {
    guard window.surface != nil else { return }
    freeSurface(window)
    connection?.changeAttributes(
      window.id, .init(backgroundPixel: backgroundPixel(of: window), bitGravity: 0), .surface)
  }

  /// Frees what both sides hold; what the server still copies from it frees when it is done (MIT-SHM, ShmDetach).
  func freeSurface(_ window: TopLevel) {
    guard let surface = window.surface else { return }
    window.surface = nil
    surfaces.toRepair.remove(window.id)
    for buffer in surface.buffers { giveBack(buffer) }
    if surface.region != 0 { extensions?.send(.fixesDestroyRegion(surface.region), onError: .surface) }
  }

  func purgeSpareBuffers(_ window: TopLevel) {
    for buffer in window.surface?.takeSpareBuffers() ?? [] { giveBack(buffer) }
  }

  private func giveBack(_ buffer: SurfaceBuffer) {
    if buffer.pixmap != 0 { connection?.freePixmap(buffer.pixmap) }
    if buffer.segment != 0 { extensions?.send(.shmDetach(buffer.segment), onError: .surface) }
  }

  /// What is drawn stays where it is while the window is resized, and nothing else is painted over it.
  private func prepare(_ window: TopLevel) {
    connection?.changeAttributes(window.id, .init(hasNoBackground: true, bitGravity: 1), .surface)
    forgetPicture(window)
  }

  func backgroundPixel(of window: TopLevel) -> UInt32 {
    window.isTransparent ? 0 : connection?.screen.pixel(window.description.background, in: window.visual) ?? 0
  }
}
