package import ProsceniumCore

/// What has been drawn into a window without a display.
package final class HeadlessSurface {
  package let size: Size
  private let memory: UnsafeMutableBufferPointer<UInt32>

  init(size: Size) {
    self.size = size
    memory = .allocate(capacity: size.width * size.height)
    memory.initialize(repeating: 0)
  }

  deinit { memory.deallocate() }

  var buffer: PixelBuffer? {
    memory.baseAddress.map { PixelBuffer(pixels: UnsafeMutableRawPointer($0), bytesPerRow: size.width * 4, size: size) }
  }

  /// A pixel as `0xAARRGGBB`; 0 outside.
  package subscript(x: Int, y: Int) -> UInt32 {
    x >= 0 && y >= 0 && x < size.width && y < size.height ? memory[y * size.width + x] : 0
  }

  /// All pixels, row by row.
  package var pixels: [UInt32] { Array(memory) }
}

/// Drawing and copying without a display: sixty frames a second of the test's own time.
extension HeadlessPlatform {
  /// What a window shows; nil while nothing has been drawn, or after it was purged.
  package func surface(of id: WindowID) -> HeadlessSurface? { surfaces[id] }

  package func keepsPixels(_ id: WindowID) -> Bool { isComposing && windows[id]?.isMapped == true }

  package func draw(_ id: WindowID, damage: Damage, _ body: (PixelBuffer, Damage) -> Void) -> Bool {
    guard let window = windows[id], window.isMapped, !window.isBare else { return false }
    let size = window.frame.size
    guard (1...32_767).contains(size.width), (1...32_767).contains(size.height) else { return false }
    var parts = damage
    let surface: HeadlessSurface
    if let known = surfaces[id], known.size == size {
      surface = known
    } else {
      surface = HeadlessSurface(size: size)
      surfaces[id] = surface
      parts = Damage([Rect(x: 0, y: 0, width: size.width, height: size.height)])
    }
    guard let buffer = surface.buffer else { return false }
    drawCount += 1
    pictures[id] = nil
    body(buffer, parts)
    return true
  }

  package func footprint(of id: WindowID) -> Int {
    surfaces[id].map { $0.size.width * $0.size.height * 4 } ?? 0
  }

  package func write(_ items: [PasteboardItem], to pasteboard: PasteboardName) { pasteboards[pasteboard] = items }

  package func read(
    _ types: [String], from pasteboard: PasteboardName, _ completion: @escaping @MainActor (PasteboardItem?) -> Void
  ) {
    let items = pasteboards[pasteboard] ?? []
    let item = types.lazy.compactMap { type in items.first { $0.type == type } }.first
    answers.append { completion(item) }
  }

  package func readTypes(of pasteboard: PasteboardName, _ completion: @escaping @MainActor ([String]) -> Void) {
    let types = (pasteboards[pasteboard] ?? []).map(\.type)
    answers.append { completion(types) }
  }
}
