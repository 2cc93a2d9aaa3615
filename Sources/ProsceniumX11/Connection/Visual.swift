import ProsceniumPlatform

/// One of the screen's visuals: the meaning of a window's pixels (X protocol, section 8, VISUALTYPE).
struct Visual: Hashable, Sendable {
  var id: UInt32
  var depth: UInt8
  /// The layout of pixels; nil where they do not consist of colours, but name entries of a colormap: nothing is drawn
  /// there.
  var format: PixelFormat?

  var isPlain: Bool { format?.isPlain == true }

  /// The bits that compositing managers use as alpha: all that are no colour, where all 32 bits are used.
  var alphaMask: UInt32 {
    guard depth == 32, let format else { return 0 }
    return ~(format.red | format.green | format.blue)
  }

  /// The visual for windows without transparency.
  ///
  /// The root's own, if pixels can be shown there as they are. Else another one where they can, preferably without
  /// alpha; else one for which they are converted, preferably the root's own, whose colormap is always there.
  static func usual(root: Visual, others: [Visual]) -> Visual {
    if root.isPlain { return root }
    let plain = others.filter(\.isPlain)
    if let visual = plain.first(where: { $0.alphaMask == 0 }) ?? plain.first { return visual }
    if root.format != nil { return root }
    return others.filter { $0.format != nil }.max { $0.depth < $1.depth } ?? root
  }
}
