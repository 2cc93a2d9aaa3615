public import ProsceniumCore

/// Views one after the other, in a row or a column.
///
/// Each gets the size that it asks for (``View/sizeThatFits(_:)``); the room that is left goes to those that are
/// ``View/isStretching``, in equal parts. Hidden views take no room.
open class StackView: View {
  /// Which way the views go.
  public enum Axis: Hashable, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical
  }
  /// Where the views are across the axis.
  public enum Alignment: Hashable, Sendable {
    /// As wide as the stack.
    case fill
    /// At the left or top edge.
    case leading
    /// In the middle.
    case center
    /// At the right or bottom edge.
    case trailing
  }
  /// How the room along the axis is given out.
  public enum Distribution: Hashable, Sendable {
    /// Each has what it asks for.
    case fill
    /// All have the same.
    case fillEqually
  }

  /// An empty row.
  public override init() { super.init() }

  /// Views one after the other.
  public convenience init(_ axis: Axis, spacing: Int = 8, margin: Int = 0, _ views: [View] = []) {
    self.init()
    self.axis = axis
    self.spacing = spacing
    self.margin = margin
    for view in views { addSubview(view) }
  }

  /// Which way the views go.
  open var axis = Axis.horizontal { didSet { setNeedsLayout() } }
  /// How much room is between two views.
  open var spacing = 8 { didSet { setNeedsLayout() } }
  /// How much room is around all of them.
  open var margin = 0 { didSet { setNeedsLayout() } }
  /// Where the views are across the axis.
  open var alignment = Alignment.fill { didSet { setNeedsLayout() } }
  /// How the room along the axis is given out.
  open var distribution = Distribution.fill { didSet { setNeedsLayout() } }

  /// The stack's own size depends on what is in it.
  open override func setNeedsLayout() {
    let isNew = !layoutState.isNeeded
    super.setNeedsLayout()
    if isNew { superview?.setNeedsLayout() }
  }

  private var shown: [View] { subviews.filter { !$0.isHidden } }

  open override var intrinsicContentSize: Size { fitting(Size(width: 1 << 20, height: 1 << 20)) }

  open override func sizeThatFits(_ size: Size) -> Size {
    var fitting = fitting(size)
    if let wished = preferredSize {
      if wished.width >= 0 { fitting.width = wished.width }
      if wished.height >= 0 { fitting.height = wished.height }
    }
    return fitting
  }

  private func fitting(_ size: Size) -> Size {
    let views = shown
    let room = Size(width: max(0, size.width - 2 * margin), height: max(0, size.height - 2 * margin))
    var (along, across) = (max(0, views.count - 1) * spacing, 0)
    var most = 0
    for view in views {
      let wish = view.sizeThatFits(room)
      along += length(wish)
      most = max(most, length(wish))
      across = max(across, breadth(wish))
    }
    if distribution == .fillEqually { along = most * views.count + max(0, views.count - 1) * spacing }
    return axis == .horizontal
      ? Size(width: along + 2 * margin, height: across + 2 * margin)
      : Size(width: across + 2 * margin, height: along + 2 * margin)
  }

  open override func layoutSubviews() {
    let views = shown
    guard !views.isEmpty else { return }
    let area = bounds.inset(x: margin, y: margin)
    let room = length(area.size) - (views.count - 1) * spacing
    var wishes = views.map { $0.sizeThatFits(area.size) }
    if views.count > 1, distribution == .fill {
      // What the others need is not there to be wrapped in.
      wishes = views.indices.map { index in axis == .vertical ? wishes[index] : views[index].sizeThatFits(area.size) }
    }
    let lengths = share(room, views, wishes.map(length))
    var place = axis == .horizontal ? area.origin.x : area.origin.y
    for (index, view) in views.enumerated() {
      let most = breadth(area.size)
      let side = alignment == .fill ? most : min(breadth(wishes[index]), most)
      let shift =
        switch alignment {
        case .fill, .leading: 0
        case .center: (most - side) / 2
        case .trailing: most - side
        }
      view.frame =
        axis == .horizontal
        ? Rect(x: place, y: area.origin.y + shift, width: lengths[index], height: side)
        : Rect(x: area.origin.x + shift, y: place, width: side, height: lengths[index])
      place += lengths[index] + spacing
    }
  }

  /// Gives out the room along the axis.
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
    // Too little room for all: the last ones go short.
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
