public import ProsceniumCore

/// The place of a view in its part of a ``StackView``: the room around it, its least size and its alignment.
///
/// A view that is stretching fills its part, or is placed in it. All lengths are points.
public struct StackPlacement: Hashable, Sendable {
  /// The room at the sides of a view, in points.
  public struct Margins: Hashable, Sendable {
    /// The room at the left.
    public var left: Int
    /// The room at the top.
    public var top: Int
    /// The room at the right.
    public var right: Int
    /// The room at the bottom.
    public var bottom: Int

    /// Makes margins; none by default.
    /// - Parameters:
    ///   - left: The room at the left.
    ///   - top: The room at the top.
    ///   - right: The room at the right.
    ///   - bottom: The room at the bottom.
    public init(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) {
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
    }

    /// The margins as they are laid out: as far as lengths make sense.
    var sensible: Margins {
      Margins(left: left.sensible, top: top.sensible, right: right.sensible, bottom: bottom.sensible)
    }
  }

  /// The room around the view.
  public var margins = Margins()
  /// The least size that the view gets, without its margins, where there is room.
  public var minimumSize = Size(width: 0, height: 0)
  /// The alignment from left to right; where nil, the stack's across its axis, and `fill` along it.
  public var horizontal: StackView.Alignment?
  /// The alignment from top to bottom; where nil, the stack's across its axis, and `fill` along it.
  public var vertical: StackView.Alignment?

  /// Makes a placement without margins, aligned as the stack says.
  public init() {}

  /// The room that a view wishes for, with its margins.
  @MainActor func wish(of view: View, in room: Size) -> Size {
    let (room, least, margins) = (room.sensible, minimumSize.sensible, margins.sensible)
    let around = Size(width: margins.left + margins.right, height: margins.top + margins.bottom)
    let size = view.sizeThatFits(
      Size(width: max(0, room.width - around.width), height: max(0, room.height - around.height))
    ).sensible
    return Size(
      width: max(size.width, least.width) + around.width, height: max(size.height, least.height) + around.height)
  }

  /// The frame of a view.
  /// - Parameters:
  ///   - part: The part of the stack that is the view's.
  ///   - wish: The room that the view wishes for, with its margins.
  ///   - otherwise: The alignments where the placement has none.
  /// - Returns: The frame.
  func frame(
    in part: Rect, wish: Size, otherwise: (horizontal: StackView.Alignment, vertical: StackView.Alignment)
  ) -> Rect {
    let margins = margins.sensible
    let (x, width) = Self.place(
      part.origin.x, part.size.width, wish.width, (margins.left, margins.right), horizontal ?? otherwise.horizontal)
    let (y, height) = Self.place(
      part.origin.y, part.size.height, wish.height, (margins.top, margins.bottom), vertical ?? otherwise.vertical)
    return Rect(x: x, y: y, width: width, height: height)
  }

  private static func place(
    _ start: Int, _ room: Int, _ wish: Int, _ margins: (before: Int, after: Int), _ alignment: StackView.Alignment
  ) -> (start: Int, length: Int) {
    let length = alignment == .fill ? room : min(wish, room)
    let shift =
      switch alignment {
      // The part begins below the top already where there is a baseline.
      case .fill, .leading, .firstBaseline: 0
      case .center: (room - length) / 2
      case .trailing: room - length
      }
    return (start + shift + margins.before, max(0, length - margins.before - margins.after))
  }
}
