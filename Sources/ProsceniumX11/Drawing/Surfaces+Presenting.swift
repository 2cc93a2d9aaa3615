import ProsceniumLoop
import ProsceniumPlatform

/// The three ways from a buffer to the screen.
extension Surfaces {
  /// Shows parts of a buffer; the frame clock advances when that is done.
  /// - Parameters:
  ///   - parts: The parts that have been drawn.
  ///   - buffer: The buffer.
  ///   - surface: Its surface.
  ///   - window: The window.
  ///   - isUrgent: Whether it does not wait for the screen's next frame.
  func show(_ parts: Damage, of buffer: SurfaceBuffer, _ surface: Surface, _ window: TopLevel, isUrgent: Bool) {
    let (serial, isImmediate) = window.drawing.clock.present(now: frames.now, isUrgent: isUrgent)
    switch surface.method {
    case .present:
      frames.selectPresentEvents(of: window)
      buffer.uses += 1
      let region = region(parts, surface)
      server.extensions.send(
        .presentPixmap(
          buffer.pixmap, on: window.id, serial: serial, update: region, isImmediate: isImmediate), onError: .surface)
      // After a rest this very frame is waited for: it does not wait for the rest of the turn.
      if isImmediate, !isUrgent { connection.flush() }
    case .sharedMemory: copySegment(parts, of: buffer, window)
    case .request:
      sendPixels(parts, of: buffer, window)
      // All of it has arrived by then. A slow link gets no more than it can carry.
      connection.whenDone { [weak self, weak window] in
        guard let self, let window, windows[window.id] === window else { return }
        window.drawing.clock.accepted(serial)
        frames.advance(window)
      }
    }
  }

  /// Shows again parts of the front buffer that the server has lost.
  func repair(_ parts: Damage, from front: SurfaceBuffer, _ surface: Surface, _ window: TopLevel) {
    switch surface.method {
    case .present:
      let context = graphicsContext(for: window)
      for rect in parts.rects { connection.copyArea(from: front.pixmap, to: window.id, context: context, rect) }
      // Not drawn into meanwhile: half of it would be visible.
      front.uses += 1
      connection.whenDone { [weak self, weak window] in
        front.uses -= 1
        if let self, let window, windows[window.id] === window { frames.advance(window) }
      }
    case .sharedMemory: copySegment(parts, of: front, window)
    case .request: sendPixels(parts, of: front, window)
    }
  }

  /// The update region, which Present copies when it is asked (presentproto.txt, PresentPixmap); 0 is everything.
  private func region(_ parts: Damage, _ surface: Surface) -> UInt32 {
    guard parts.rects != [surface.whole] else { return 0 }
    // A caret that blinks, and text that is typed, change the same part again and again.
    if surface.region != 0, surface.regionParts == parts { return surface.region }
    surface.regionParts = parts
    if surface.region == 0 {
      surface.region = connection.makeID()
      server.extensions.send(.fixesCreateRegion(surface.region, parts.rects), onError: .surface)
    } else {
      server.extensions.send(.fixesSetRegion(surface.region, parts.rects), onError: .surface)
    }
    return surface.region
  }

  /// Copies each rectangle by itself, with one event at the end: requests are done in order.
  private func copySegment(_ parts: Damage, of buffer: SurfaceBuffer, _ window: TopLevel) {
    let context = graphicsContext(for: window)
    buffer.uses += 1
    for (index, rect) in parts.rects.enumerated() {
      server.extensions.send(
        .shmPutImage(
          rect, of: buffer.segment, buffer.size, to: window.id, context, depth: window.visual.depth,
          wantsEvent: index == parts.rects.count - 1), onError: .surface)
    }
  }

  private func sendPixels(_ parts: Damage, of buffer: SurfaceBuffer, _ window: TopLevel) {
    for rect in parts.rects {
      sendImage(rect, to: window.id, of: window) { x, y in
        UnsafePointer((buffer.base + y * buffer.bytesPerRow).assumingMemoryBound(to: UInt32.self) + x)
      }
    }
  }

  /// Sends an image in pieces that requests can carry, in the layout of a window's visual.
  /// - Parameters:
  ///   - rect: The part of the drawable.
  ///   - drawable: The window, or a pixmap of its depth.
  ///   - window: The window.
  ///   - pixels: The pixels of a row from a point on; called for one row after the other.
  func sendImage(
    _ rect: Rect, to drawable: UInt32, of window: TopLevel, _ pixels: (Int, Int) -> UnsafePointer<UInt32>
  ) {
    guard let format = window.visual.format else { return }
    let context = graphicsContext(for: window)
    // PutImage's own fields take 24 bytes.
    let limit = min(connection.screen.longestRequest, 1 << 18) - 24
    for slice in ImageSlices.cut(rect, bytes: limit) {
      let length = format.bytesPerRow(slice.size.width)
      withUnsafeTemporaryAllocation(byteCount: length * slice.size.height, alignment: 4) { bytes in
        guard let base = bytes.baseAddress else { return }
        for row in 0..<slice.size.height {
          format.write(pixels(slice.origin.x, slice.origin.y + row), count: slice.size.width, to: base + row * length)
        }
        connection.putImage(
          drawable, context: context, depth: window.visual.depth, slice, UnsafeRawBufferPointer(bytes))
      }
    }
  }
}

/// Cuts images into pieces that requests can carry.
enum ImageSlices {
  /// Pieces of at most so many bytes, four a pixel: rows together where a row fits, else parts of rows.
  static func cut(_ rect: Rect, bytes: Int) -> [Rect] {
    let pixels = max(bytes / 4, 1)
    var slices: [Rect] = []
    let width = min(rect.size.width, pixels)
    guard width > 0 else { return [] }
    let height = max(pixels / width, 1)
    for y in stride(from: 0, to: rect.size.height, by: height) {
      for x in stride(from: 0, to: rect.size.width, by: width) {
        slices.append(
          Rect(
            x: rect.origin.x + x, y: rect.origin.y + y, width: min(width, rect.size.width - x),
            height: min(height, rect.size.height - y)))
      }
    }
    return slices
  }
}
