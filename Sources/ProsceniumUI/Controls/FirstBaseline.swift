import ProsceniumCore

/// Where the first line of a view's text stands.
@MainActor enum FirstBaseline {
  /// The distance of the first baseline from the upper edge of a view.
  /// - Parameters:
  ///   - view: The view.
  ///   - height: The height of the view in points.
  /// - Returns: The distance in points; the whole height where the view has no text.
  static func of(_ view: View, height: Int) -> Int {
    if let stack = view as? StackView { return stack.firstBaseline }
    // A text is at the upper edge where it is higher than the view.
    if let text = view.texts.first { return max(0, (height - text.size.height) / 2) + text.baseline }
    let line = TextLayout(in: view)
    switch view {
    case let text as TextView:
      line.font = text.font
      return text.inset.height + line.baseline
    case is Control, is ProgressView, is ActivityIndicator: return (height - line.size.height) / 2 + line.baseline
    default: return height
    }
  }

  /// How far below the upper edge of a row its views begin, so that their first baselines are on one line.
  /// - Parameters:
  ///   - views: The views.
  ///   - wishes: The rooms that they wish for, with their margins.
  ///   - alignment: The alignment of those that say nothing of it.
  /// - Returns: The distances; nil for a view that is aligned otherwise.
  static func shifts(of views: [View], _ wishes: [Size], otherwise alignment: StackView.Alignment) -> [Int?] {
    let baselines = zip(views, wishes).map { view, wish in
      (view.stackPlacement.vertical ?? alignment) == .firstBaseline ? self.of(view, wish: wish) : nil
    }
    let common = baselines.reduce(0) { max($0, $1 ?? 0) }
    return baselines.map { $0.map { common - $0 } }
  }

  /// The room above the views of a row that share a baseline: where it is higher, they are in its middle.
  static func room(above views: [(shift: Int?, wish: Size)], in height: Int) -> Int {
    let deepest = views.compactMap { view in view.shift.map { $0 + view.wish.height } }.max() ?? 0
    return max(0, (height - deepest) / 2)
  }

  /// The distance of the first baseline from the upper edge of the room that a view wishes for.
  static func of(_ view: View, wish: Size) -> Int {
    let margins = view.stackPlacement.margins.sensible
    return margins.top + of(view, height: wish.height - margins.top - margins.bottom)
  }
}
