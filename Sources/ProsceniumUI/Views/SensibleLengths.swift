import ProsceniumCore

extension Int {
  /// The length, limited so that sums and products of such lengths cannot overflow; no view is so large.
  ///
  /// Programs write the largest number for "as much as possible", and a file may have any.
  var sensible: Int { Swift.min(Swift.max(self, -(1 << 24)), 1 << 24) }
}

extension Size {
  /// The size, limited as ``Swift/Int/sensible`` is, and not negative.
  var sensible: Size { Size(width: max(0, width.sensible), height: max(0, height.sensible)) }
}

extension Rect {
  /// The rectangle, limited so that sums and products of its numbers cannot overflow.
  ///
  /// A place may be far down in a long list.
  var sensible: Rect {
    func bounded(_ place: Int) -> Int { min(max(place, -(1 << 36)), 1 << 36) }
    return Rect(Point(x: bounded(origin.x), y: bounded(origin.y)), size.sensible)
  }
}
