import ProsceniumPlatform

/// The three ways from a buffer to the screen, and what the server says about them.
extension X11Platform {
  /// Brings parts of a buffer onto the screen; the clock hears when that is done.
  func put(_ parts: Damage, of buffer: SurfaceBuffer, _ surface: Surface, _ window: TopLevel, isUrgent: Bool) {
    let (serial, isImmediate) = window.clock.present(now: now, isUrgent: isUrgent)
    switch surface.method {
    case .present:
      listenToPresent(window)
      buffer.uses += 1
      extensions?.send(
        .presentPixmap(
          .init(
            window: window.id, pixmap: buffer.pixmap, serial: serial, update: region(parts, surface),
            isImmediate: isImmediate)), onError: .surface)
      // After a rest somebody waits for this very frame: not for what else the turn has to do.
      if isImmediate, !isUrgent { connection?.flush() }
    case .sharedMemory: copySegment(parts, of: buffer, window)
    case .request:
      sendPixels(parts, of: buffer, window)
      // An answer to a later request: all of it has arrived. A slow link gets no more than it takes.
      connection?.whenDone { [weak self, weak window] in
        guard let self, let window, windows[window.id] === window else { return }
        window.clock.taken(serial)
        advance(window)
      }
    }
  }

  /// The update region, which Present copies when it is asked (presentproto.txt, PresentPixmap); 0 is everything.
  private func region(_ parts: Damage, _ surface: Surface) -> UInt32 {
    guard let connection, let extensions, parts.rects != [surface.whole] else { return 0 }
    // What blinks, and where somebody types, changes the same part again and again.
    if surface.region != 0, surface.regionParts == parts { return surface.region }
    surface.regionParts = parts
    if surface.region == 0 {
      surface.region = connection.makeID()
      extensions.send(.fixesCreateRegion(surface.region, parts.rects), onError: .surface)
    } else {
      extensions.send(.fixesSetRegion(surface.region, parts.rects), onError: .surface)
    }
    return surface.region
  }

  /// CompleteNotify 2, IdleNotify 4 (presentproto.txt, PresentSelectInput).
  func listenToPresent(_ window: TopLevel) {
    guard !window.hearsPresent, let connection, let extensions else { return }
    window.hearsPresent = true
    if window.presentEvents == 0 { window.presentEvents = connection.makeID() }
    extensions.send(.presentSelectInput(window.presentEvents, window: window.id, mask: 2 | 4), onError: .surface)
  }

  /// No events, and no memory for them on the server.
  func ignorePresent(_ window: TopLevel) {
    guard window.hearsPresent else { return }
    window.hearsPresent = false
    extensions?.send(.presentSelectInput(window.presentEvents, window: window.id, mask: 0), onError: .surface)
  }

  /// Each rectangle by itself, and one event at the end: requests are done in order.
  private func copySegment(_ parts: Damage, of buffer: SurfaceBuffer, _ window: TopLevel) {
    let context = context(for: window)
    buffer.uses += 1
    for (index, rect) in parts.rects.enumerated() {
      extensions?.send(
        .shmPutImage(
          .init(
            drawable: window.id, context: context, total: buffer.size, part: rect, depth: window.visual.depth,
            segment: buffer.segment, wantsEvent: index == parts.rects.count - 1)), onError: .surface)
    }
  }

  private func sendPixels(_ parts: Damage, of buffer: SurfaceBuffer, _ window: TopLevel) {
    for rect in parts.rects {
      sendImage(rect, to: window.id, of: window) { x, y in
        UnsafePointer((buffer.memory.base + y * buffer.bytesPerRow).assumingMemoryBound(to: UInt32.self) + x)
      }
    }
  }

  /// Sends an image in pieces that requests can carry, in the layout of a window's visual.
  ///
  /// `pixels` answers where the rest of a row begins; it is called for one row after the other.
  func sendImage(_ rect: Rect, to drawable: UInt32, of window: TopLevel, _ pixels: (Int, Int) -> UnsafePointer<UInt32>)
  {
    guard let connection, let format = window.visual.format else { return }
    let context = context(for: window)
    // PutImage's own fields take 24 bytes.
    let limit = min(connection.screen.longestRequest, 1 << 18) - 24
    for slice in ImageSlices.cut(rect, bytes: limit) {
      let length = format.bytesPerRow(slice.size.width)
      withUnsafeTemporaryAllocation(byteCount: length * slice.size.height, alignment: 4) { bytes in
        guard let base = bytes.baseAddress else { return }
        for row in 0..<slice.size.height {
          format.write(
            pixels(slice.origin.x, slice.origin.y + row), count: slice.size.width, to: base + row * length)
        }
        connection.putImage(
          drawable, context: context, depth: window.visual.depth, slice, UnsafeRawBufferPointer(bytes))
      }
    }
  }

  func context(for window: TopLevel) -> UInt32 {
    let depth = window.visual.depth
    if let known = surfaces.contexts[depth] { return known }
    guard let connection else { return 0 }
    let context = connection.makeID()
    connection.createContext(context, for: window.id)
    surfaces.contexts[depth] = context
    return context
  }

  // MARK: What the server says

  func presentCompleted(_ completion: PresentCompletion) {
    guard let window = windows[completion.window] else { return }
    window.clock.complete(completion, now: now)
    advance(window)
  }

  func presentIdle(_ id: UInt32, _ pixmap: UInt32) {
    guard let window = windows[id], let buffer = window.surface?.buffer(pixmap: pixmap) else { return }
    buffer.uses = max(0, buffer.uses - 1)
    advance(window)
  }

  func segmentCopied(_ id: UInt32, _ segment: UInt32) {
    guard let window = windows[id], let buffer = window.surface?.buffer(segment: segment) else { return }
    buffer.uses = max(0, buffer.uses - 1)
    guard buffer.uses == 0 else { return }
    if let serial = window.clock.awaited { window.clock.taken(serial) }
    advance(window)
  }

  // MARK: What the server has lost

  /// Whether the front buffer has what was lost; then nobody has to draw it again.
  func canRepair(_ window: TopLevel, _ rect: Rect) -> Bool {
    guard !window.isBare, let surface = window.surface, surface.front != nil,
      surface.size == geometry(of: window).frame.size
    else { return false }
    if let part = rect.intersection(surface.whole) {
      surface.toRepair.add(part)
      surfaces.toRepair.insert(window.id)
    }
    return true
  }

  /// Once a batch: exposures come in rows.
  func repair() {
    guard !surfaces.toRepair.isEmpty, !isLost else { return }
    let ids = surfaces.toRepair.sorted()
    surfaces.toRepair = []
    for id in ids {
      guard let window = windows[id], let surface = window.surface, let front = surface.front else { continue }
      let parts = surface.toRepair
      surface.toRepair = Damage()
      switch surface.method {
      case .present:
        let context = context(for: window)
        for rect in parts.rects { connection?.copyArea(from: front.pixmap, to: id, context: context, rect) }
        // What is drawn meanwhile goes elsewhere: half of it would be seen.
        front.uses += 1
        connection?.whenDone { [weak self, weak window] in
          front.uses -= 1
          if let self, let window, windows[id] === window { advance(window) }
        }
      case .sharedMemory: copySegment(parts, of: front, window)
      case .request: sendPixels(parts, of: front, window)
      }
    }
  }

  // MARK: What goes wrong

  /// A request of a surface has failed: another way is found for what is drawn from now on.
  ///
  /// Whether that is all there is to say about it.
  func surfaceFailed(_ error: XError, _ note: RequestNote) -> Bool {
    if let settled = surfaces.settledErrors, Int32(bitPattern: error.sequence &- settled) <= 0 { return true }
    let method = surfaces.support.method
    // Another client may have destroyed the window; its DestroyNotify came before.
    let window = windows[note.window]
    let isAboutMemory = "\(note.name)".hasPrefix("ShmAttach") || "\(note.name)".hasPrefix("ShmCreate")
    guard window != nil || isAboutMemory else { return true }
    guard method != .request else { return false }
    surfaces.support.fallBack(from: isAboutMemory ? .sharedMemory : method)
    surfaces.settledErrors = UInt32(truncatingIfNeeded: connection?.lastRequest ?? 0)
    for id in windows.keys.sorted() {
      guard let window = windows[id], let surface = window.surface else { continue }
      freeSurface(window)
      window.clock.abandon()
      batch.append(.exposed(window.windowID, surface.whole))
      advance(window)
    }
    return true
  }
}
