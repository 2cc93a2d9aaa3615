/// The picture that represents a scene that is not running, smaller than its window where the window is large.
package struct Snapshot: Equatable, Sendable {
  package let picture: Picture
  /// How large the window was.
  package let size: Size

  package init(_ picture: Picture, size: Size? = nil) {
    self.picture = picture
    self.size = size ?? picture.size
  }

  /// Fills a buffer: the picture in its upper left corner, at the size that the window had, and the colour beside it.
  package func fill(_ buffer: inout PixelBuffer, background: Color) {
    for y in 0..<buffer.size.height {
      buffer.withRow(y) { row in
        row.withUnsafeMutableBufferPointer { fill(row: y, $0, background: background) }
      }
    }
  }

  /// One row of the same.
  package func fill(row y: Int, _ row: UnsafeMutableBufferPointer<UInt32>, background: Color) {
    let rest = picture.isOpaque ? 0xFF00_0000 | background.rgb : 0
    guard y < size.height, let start = row.baseAddress else { return row.update(repeating: rest) }
    let source = picture.row(min(y * picture.size.height / size.height, picture.size.height - 1))
    let width = min(row.count, size.width)
    if picture.size.width == size.width {
      start.update(from: source, count: width)
    } else {
      for x in 0..<width { start[x] = source[min(x * picture.size.width / size.width, picture.size.width - 1)] }
    }
    if row.count > width { UnsafeMutableBufferPointer(rebasing: row[width...]).update(repeating: rest) }
  }

  package static func == (one: Snapshot, other: Snapshot) -> Bool {
    one.picture === other.picture && one.size == other.size
  }
}
