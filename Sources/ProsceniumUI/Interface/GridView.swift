import ProsceniumCore

/// A view that lays out its subviews in rows and columns, for interface files.
///
/// A column is as wide as the widest view that is in it alone, and a row as high as the highest. The room that is left
/// goes to those with a view that asks for it, in equal parts.
final class GridView: View {
  /// The place of a view in the grid.
  struct Cell: Hashable {
    var column = 0
    var row = 0
    var columns = 1
    var rows = 1
  }

  /// The rows, or the columns.
  struct Lines {
    var spacing = 0
    /// Whether all of them have the same length.
    var areEqual = false
  }

  /// A part of the lines that a view is in, and what it wishes for there.
  struct Part {
    var first: Int
    var count: Int
    var wish: Int
    var expands: Bool
  }

  var columns = Lines() { didSet { setNeedsLayout() } }
  var rows = Lines() { didSet { setNeedsLayout() } }
  private var places: [(view: View, cell: Cell, expands: (horizontal: Bool, vertical: Bool))] = []

  /// Adds a view: behind those that keys go through before, row by row.
  func add(_ view: View, at cell: Cell, expands: (horizontal: Bool, vertical: Bool)) {
    let next = places.firstIndex { ($0.cell.row, $0.cell.column) > (cell.row, cell.column) } ?? places.count
    places.insert((view, cell, expands), at: next)
    insertSubview(view, at: next)
  }

  override func setNeedsLayout() {
    let isNew = !layoutState.isNeeded
    super.setNeedsLayout()
    if isNew { superview?.setNeedsLayout() }
  }

  override var intrinsicContentSize: Size { fitting(Size(width: 1 << 20, height: 1 << 20)) }
  override func sizeThatFits(_ size: Size) -> Size { wished(over: fitting(size)) }

  private func fitting(_ size: Size) -> Size {
    let parts = parts(in: size)
    func sum(_ lines: Lines, _ parts: [Part]) -> Int {
      let lengths = lines.lengths(parts, in: nil)
      return lengths.reduce(0, +) + max(0, lengths.count - 1) * lines.spacing
    }
    return Size(width: sum(columns, parts.map(\.column)), height: sum(rows, parts.map(\.row)))
  }

  private func parts(in room: Size) -> [(view: View, wish: Size, shift: Int?, column: Part, row: Part)] {
    let shown = places.filter { $0.view.superview === self && !$0.view.isHidden }
    let wishes = shown.map { $0.view.stackPlacement.wish(of: $0.view, in: room) }
    let shifts = shifts(of: shown.map { ($0.view, $0.cell.row) }, wishes)
    return shown.indices.map { index in
      let ((view, cell, expands), wish) = (shown[index], wishes[index])
      return (
        view, wish, shifts[index],
        Part(first: cell.column, count: cell.columns, wish: wish.width, expands: expands.horizontal),
        Part(first: cell.row, count: cell.rows, wish: wish.height + (shifts[index] ?? 0), expands: expands.vertical)
      )
    }
  }

  /// How far below the upper edge of its row each view begins; nil for one that is not aligned by its baseline.
  private func shifts(of views: [(view: View, row: Int)], _ wishes: [Size]) -> [Int?] {
    var shifts: [Int?] = views.map { _ in nil }
    for row in Set(views.map(\.row)) {
      let indices = views.indices.filter { views[$0].row == row }
      let own = FirstBaseline.shifts(of: indices.map { views[$0].view }, indices.map { wishes[$0] }, otherwise: .fill)
      for (index, shift) in zip(indices, own) { shifts[index] = shift }
    }
    return shifts
  }

  override func layoutSubviews() {
    let parts = parts(in: bounds.size)
    let across = columns.places(parts.map(\.column), from: bounds.origin.x, in: bounds.size.width)
    let down = rows.places(parts.map(\.row), from: bounds.origin.y, in: bounds.size.height)
    for (index, part) in parts.enumerated() {
      let shift =
        part.shift.map { shift in
          let row = parts.filter { $0.row.first == part.row.first }
          return shift + FirstBaseline.room(above: row.map { ($0.shift, $0.wish) }, in: down[index].length)
        } ?? 0
      let place = Rect(
        x: across[index].start, y: down[index].start + shift, width: across[index].length,
        height: down[index].length - shift)
      part.view.frame = part.view.stackPlacement.frame(in: place, wish: part.wish, otherwise: (.fill, .fill))
    }
  }
}

extension GridView.Lines {
  /// The length of each line.
  /// - Parameters:
  ///   - parts: What is in the lines.
  ///   - room: The length of all together; as much as they wish for where nil.
  /// - Returns: The lengths, without the spacing.
  func lengths(_ parts: [GridView.Part], in room: Int?) -> [Int] {
    var lengths = [Int](repeating: 0, count: parts.map { $0.first + $0.count }.max() ?? 0)
    var isStretching = [Bool](repeating: areEqual, count: lengths.count)
    for part in parts.sorted(by: { $0.count < $1.count }) {
      let lines = part.first..<part.first + part.count
      let last = lines.upperBound - 1
      // What a view of several lines lacks is the last one's.
      lengths[last] += max(0, part.wish - lengths[lines].reduce(0, +) - (part.count - 1) * spacing)
      if part.expands, !isStretching[lines].contains(true) { isStretching[last] = true }
    }
    if areEqual, let most = lengths.max() { lengths = lengths.map { _ in most } }
    guard let room else { return lengths }
    var left = room - lengths.reduce(0, +) - max(0, lengths.count - 1) * spacing
    let stretching = isStretching.indices.filter { isStretching[$0] }
    if left > 0 {
      for (number, index) in stretching.enumerated() {
        let part = left / (stretching.count - number)
        lengths[index] += part
        left -= part
      }
    }
    // With too little room the last lines get less.
    for index in lengths.indices.reversed() where left < 0 {
      let less = min(lengths[index], -left)
      lengths[index] -= less
      left += less
    }
    return lengths
  }

  /// The start and the length of each part.
  func places(_ parts: [GridView.Part], from start: Int, in room: Int) -> [(start: Int, length: Int)] {
    let lengths = lengths(parts, in: room)
    var starts = [start]
    for length in lengths { starts.append((starts.last ?? start) + length + spacing) }
    return parts.map { part in
      (starts[part.first], starts[part.first + part.count] - spacing - starts[part.first])
    }
  }
}
