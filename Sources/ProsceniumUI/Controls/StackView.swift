public import ProsceniumCore

/// A view that lays out its subviews in a row or a column.
///
/// Each subview gets its preferred size (``View/sizeThatFits(_:)``); the remaining room goes to those that are
/// ``View/isStretching``, in equal parts. Hidden views take no room. All lengths are points.
open class StackView: View {
  /// The axis along which the subviews are placed.
  public enum Axis: Hashable, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical
  }
  /// The alignment of subviews across the axis.
  public enum Alignment: Hashable, Sendable {
    /// As large as the stack.
    case fill
    /// At the left or top edge.
    case leading
    /// In the middle.
    case center
    /// At the right or bottom edge.
    case trailing
    /// In a row: with the first lines of all texts on one line, at which views without a text end. As ``leading``
    /// across a column.
    ///
    /// Switches, sliders and the like are placed as if they had a title.
    case firstBaseline
  }
  /// The distribution of the room along the axis.
  public enum Distribution: Hashable, Sendable {
    /// Each subview has its preferred size.
    case fill
    /// All subviews have the same size.
    case fillEqually
  }

  /// Creates an empty row.
  public override init() { super.init() }

  /// Creates a stack of views.
  /// - Parameters:
  ///   - axis: The axis.
  ///   - spacing: The room between two subviews in points.
  ///   - margin: The room around the subviews in points.
  ///   - views: The subviews.
  public convenience init(_ axis: Axis, spacing: Int = 8, margin: Int = 0, _ views: [View] = []) {
    self.init()
    self.axis = axis
    self.spacing = spacing
    self.margin = margin
    for view in views { addSubview(view) }
  }

  /// The axis along which the subviews are placed.
  open var axis = Axis.horizontal { didSet { setNeedsLayout() } }
  /// The room between two subviews in points.
  open var spacing = 8 { didSet { setNeedsLayout() } }
  /// The room around the subviews in points.
  open var margin = 0 { didSet { setNeedsLayout() } }
  /// The alignment of subviews across the axis.
  open var alignment = Alignment.fill { didSet { setNeedsLayout() } }
  /// The distribution of the room along the axis.
  open var distribution = Distribution.fill { didSet { setNeedsLayout() } }

  /// Invalidates the layout of the superview too, because the size of the stack depends on its subviews.
  open override func setNeedsLayout() {
    super.setNeedsLayout()
    // Also where the layout is due already: a new size requests that, and the superview has not been told.
    superview?.setNeedsLayout()
  }

  private var shown: [View] { subviews.filter { !$0.isHidden } }

  open override var intrinsicContentSize: Size { fitting(Size(width: 1 << 20, height: 1 << 20)) }

  open override func sizeThatFits(_ size: Size) -> Size { wished(over: fitting(size)) }

  /// The room between two subviews, and around all of them, as far as lengths make sense.
  private var gaps: (spacing: Int, margin: Int) { (spacing.sensible, margin.sensible) }

  private func fitting(_ size: Size) -> Size {
    let (views, size, (spacing, margin)) = (shown, size.sensible, gaps)
    let room = Size(width: max(0, size.width - 2 * margin), height: max(0, size.height - 2 * margin))
    var (along, across) = (max(0, views.count - 1) * spacing, 0)
    var most = 0
    let wishes = views.map { $0.stackPlacement.wish(of: $0, in: room) }
    let shifts = shifts(of: views, wishes)
    for (index, wish) in wishes.enumerated() {
      along += length(wish)
      most = max(most, length(wish))
      across = max(across, breadth(wish) + (shifts[index] ?? 0))
    }
    if distribution == .fillEqually { along = most * views.count + max(0, views.count - 1) * spacing }
    return axis == .horizontal
      ? Size(width: along + 2 * margin, height: across + 2 * margin)
      : Size(width: across + 2 * margin, height: along + 2 * margin)
  }

  open override func layoutSubviews() {
    let (views, (spacing, margin)) = (shown, gaps)
    guard !views.isEmpty else { return }
    let area = bounds.inset(x: margin, y: margin)
    let room = length(area.size) - (views.count - 1) * spacing
    let wishes = views.map { $0.stackPlacement.wish(of: $0, in: area.size) }
    let lengths = share(room, views, wishes.map(length))
    var place = axis == .horizontal ? area.origin.x : area.origin.y
    let own = shifts(of: views, wishes)
    let above = FirstBaseline.room(above: Array(zip(own, wishes)), in: area.size.height)
    let shifts = own.map { $0.map { $0 + above } ?? 0 }
    for (index, view) in views.enumerated() {
      let part =
        axis == .horizontal
        ? Rect(
          x: place, y: area.origin.y + shifts[index], width: lengths[index], height: area.size.height - shifts[index])
        : Rect(x: area.origin.x, y: place, width: area.size.width, height: lengths[index])
      let across = axis == .horizontal ? (Alignment.fill, alignment) : (alignment, Alignment.fill)
      view.frame = view.stackPlacement.frame(in: part, wish: wishes[index], otherwise: across)
      place += lengths[index] + spacing
    }
  }

  private func shifts(of views: [View], _ wishes: [Size]) -> [Int?] {
    guard axis == .horizontal else { return views.map { _ in nil } }
    return FirstBaseline.shifts(of: views, wishes, otherwise: alignment)
  }

  /// The distance of the first baseline from the upper edge, where the stack has its preferred size.
  var firstBaseline: Int {
    let (views, margin) = (shown, gaps.margin)
    let wishes = views.map { $0.stackPlacement.wish(of: $0, in: Size(width: 1 << 20, height: 1 << 20)) }
    let shifts = shifts(of: views, wishes)
    guard let index = shifts.firstIndex(where: { $0 != nil }) ?? views.indices.first else { return margin }
    return margin + (shifts[index] ?? 0) + FirstBaseline.of(views[index], wish: wishes[index])
  }

  /// Distributes the room along the axis.
  private func share(_ room: Int, _ views: [View], _ wishes: [Int]) -> [Int] {
    guard distribution == .fill else {
      return views.indices.map { max(0, room * ($0 + 1) / views.count - room * $0 / views.count) }
    }
    var lengths = wishes
    var left = room - wishes.reduce(0, +)
    let stretching = views.indices.filter { views[$0].isStretching }
    for (number, index) in stretching.enumerated() {
      let part = left / (stretching.count - number)
      let length = max(0, lengths[index] + part)
      left -= length - lengths[index]
      lengths[index] = length
    }
    // With too little room the last subviews get less.
    for index in lengths.indices.reversed() where left < 0 {
      let less = min(lengths[index], -left)
      lengths[index] -= less
      left += less
    }
    return lengths
  }

  private func length(_ size: Size) -> Int { axis == .horizontal ? size.width : size.height }
  private func breadth(_ size: Size) -> Int { axis == .horizontal ? size.height : size.width }
}

/// Room in a ``StackView``: as much as there is left.
public final class Spacer: View {
  /// Room of whatever size is left.
  public override init() {
    super.init()
    isStretching = true
    isUserInteractionEnabled = false
  }
}
