import ProsceniumPlatform

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
