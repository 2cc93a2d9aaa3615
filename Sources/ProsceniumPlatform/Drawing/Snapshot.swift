/// The picture that represents a scene that is not running, smaller than its window where the window is large.
package struct Snapshot: Sendable {
  package let picture: Picture
  /// How large the window was.
  package let size: Size

  package init(_ picture: Picture, size: Size? = nil) {
    self.picture = picture
    self.size = size ?? picture.size
  }

  /// Fills a buffer: the picture in its upper left corner, at the size that the window had, and the colour beside it.
  package func fill(_ buffer: inout PixelBuffer, background: Color) {
    for y in 0..<buffer.size.height { buffer.withRow(y) { fill(row: y, &$0, background: background) } }
  }

  /// One row of the same.
  package func fill(row y: Int, _ row: inout MutableSpan<UInt32>, background: Color) {
    let rest = picture.isOpaque ? 0xFF00_0000 | background.rgb : 0
    let width = y < size.height ? min(row.count, size.width) : 0
    if width > 0 {
      picture.withRow(min(y * picture.size.height / size.height, picture.size.height - 1)) { source in
        if source.count == size.width {
          for x in 0..<width { row[x] = source[x] }
        } else {
          for x in 0..<width { row[x] = source[min(x * source.count / size.width, source.count - 1)] }
        }
      }
    }
    for x in width..<row.count { row[x] = rest }
  }
}

extension Snapshot: Equatable {
  package static func == (one: Snapshot, other: Snapshot) -> Bool {
    one.picture === other.picture && one.size == other.size
  }
}
