/// The parts of a surface that have to be drawn again: a few rectangles, never more than ``most``.
package struct Damage: Hashable, Sendable {
  /// More rectangles cost more than the pixels that they save.
  package static let most = 16

  package private(set) var rects: [Rect] = []

  package init(_ rects: [Rect] = []) { for rect in rects { add(rect) } }

  package var isEmpty: Bool { rects.isEmpty }

  /// Whether one of the rectangles has all of another one.
  package func covers(_ rect: Rect) -> Bool { rects.contains { $0.contains(rect) } }

  /// The smallest rectangle that has them all; nil if there are none.
  package var bounds: Rect? {
    guard var bounds = rects.first else { return nil }
    for rect in rects.dropFirst() { bounds = bounds.union(rect) }
    return bounds
  }

  /// Adds a rectangle; nothing where it is empty.
  package mutating func add(_ rect: Rect) {
    guard rect.size.width > 0, rect.size.height > 0 else { return }
    if covers(rect) { return }
    rects.removeAll { rect.contains($0) }
    rects.append(rect)
    if rects.count > Self.most, let bounds { rects = [bounds] }
  }

  package mutating func add(_ other: Damage) { for rect in other.rects { add(rect) } }

  /// The damage within a size.
  package func clipped(to size: Size) -> Damage {
    let whole = Rect(x: 0, y: 0, width: size.width, height: size.height)
    if rects.allSatisfy({ whole.contains($0) }) { return self }
    return Damage(rects.compactMap { $0.intersection(whole) })
  }
}
