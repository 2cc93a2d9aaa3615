import ProsceniumCore

/// The order in which Tab goes through the views of a window.
@MainActor struct TabOrder {
  /// What is known of the first responders of a window.
  struct Focus {
    /// The view that was the first responder last, or the one directly before the place where that was: Tab goes on
    /// from there.
    private(set) weak var last: View?
    /// Whether Tab goes on from behind it, so that it is the previous one.
    private(set) var isBehind = false
    /// How often a view has been told that it is the first responder, or is so no longer.
    private(set) var changes = 0

    @MainActor mutating func note(_ view: View, isFirst: Bool) {
      if !isFirst { (last, isBehind) = (view, false) }
      changes += 1
    }

    /// Has Tab go on at the beginning of a view where it would go on in another one.
    @MainActor mutating func goOn(in new: View, insteadOf old: View) {
      if last?.isDescendant(of: old) == true { (last, isBehind) = (new, true) }
    }

    /// Keeps the place of a view that is about to be removed.
    @MainActor mutating func keepPlace(of view: View) {
      guard last?.isDescendant(of: view) == true, let superview = view.superview else { return }
      var before = superview
      let others = TabOrder.subviews(of: superview)
      if let index = others.firstIndex(where: { $0 === view }), index > 0 {
        before = others[index - 1]
        while let inner = TabOrder.subviews(of: before).last { before = inner }
      }
      (last, isBehind) = (before, true)
    }
  }

  private let tree: ViewTree
  private let window: Window
  /// All views, from the root view on.
  private let places: [Place]
  private typealias Place = (view: View, isStop: Bool)

  /// Nil where there is no view.
  init?(_ tree: ViewTree) {
    guard let root = tree.root, let window = tree.window else { return nil }
    (self.tree, self.window) = (tree, window)
    places = Self.places(from: root)
  }

  /// A view and all in it, in order.
  private static func places(from view: View, _ canBeUsed: Bool = true) -> [Place] {
    var places: [Place] = []
    func collect(_ view: View, _ canBeUsed: Bool) {
      let canBeUsed = canBeUsed && ViewInput(view).takesInput
      places.append((view, canBeUsed && view.isTabStop))
      for subview in subviews(of: view) { collect(subview, canBeUsed) }
    }
    collect(view, canBeUsed)
    return places
  }

  private static func subviews(of view: View) -> [View] { (view as? ListView)?.tabOrder ?? view.subviews }

  /// Makes the next or the previous view that accepts keys the first responder, cyclically.
  ///
  /// In a list that is the next one of all its rows, which are scrolled into sight, and not of those alone that have
  /// cells.
  /// - Parameters:
  ///   - backwards: Whether it is the previous one.
  ///   - leavesList: Whether the other rows of a list are left out.
  func move(backwards: Bool, leavesList: Bool = false) {
    let places = backwards ? self.places.reversed() : self.places
    // It goes on from a view that is no stop as well, such as a button that has disabled itself.
    let first = window.firstResponder as? View
    let last = first ?? tree.focus.last
    let place = last?.selfAndSuperviews.lazy.compactMap { view in places.firstIndex { $0.view === view } }.first
    let includesLast = backwards && first == nil && tree.focus.isBehind
    let start = place.map { includesLast ? $0 : $0 + 1 } ?? 0
    var rest = (places[start...] + places[..<start]).filter(\.isStop).map(\.view)[...]
    let changes = tree.focus.changes
    if let list = first as? ListView, !backwards, !leavesList, let lead = list.core.selection.lead,
      rest.contains(where: { ListRows.cell(around: $0, in: list) != nil })
    {
      if enter(ListRows(list, from: lead, backwards), changes) { return }
      rest.removeAll { ListRows.cell(around: $0, in: list) != nil }
    }
    for case let cell as ListCell in last.map({ Array($0.selfAndSuperviews) }) ?? [] {
      guard let list = cell.superview as? ListView, let item = list.core.item(of: cell) else { continue }
      while let view = rest.first, view.isDescendant(of: cell) {
        if take(view, changes) { return }
        rest.removeFirst()
      }
      if !leavesList, enter(ListRows(list, from: backwards ? item - 1 : item + 1, backwards), changes) { return }
      rest.removeAll { ListRows.cell(around: $0, in: list) != nil }
    }
    for view in rest where take(view, changes) { return }
  }

  /// Makes the first view in a view the first responder.
  func enter(_ view: View) {
    let changes = tree.focus.changes
    for place in places where place.isStop && place.view.isDescendant(of: view) && take(place.view, changes) { return }
  }

  /// Makes a view the first responder; one that refuses is left out.
  /// - Returns: Whether Tab has come to its end.
  private func take(_ view: View, _ changes: Int) -> Bool {
    if view.becomeFirstResponder() {
      view.scrollIntoView()
      return true
    }
    // A view to which the program gives the keys as it hears of an end keeps them.
    return changes != tree.focus.changes && window.firstResponder != nil
  }

  /// Makes the first view in rows of a list the first responder.
  /// - Returns: Whether Tab has come to its end.
  private func enter(_ rows: ListRows, _ changes: Int) -> Bool {
    let canBeUsed = rows.list.selfAndSuperviews.allSatisfy { ViewInput($0).takesInput }
    return canBeUsed
      && rows.reach { cell in
        let places = Self.places(from: cell)
        let stops = (rows.isBackwards ? places.reversed() : places).filter(\.isStop)
        guard !stops.isEmpty else { return nil }
        return stops.contains { take($0.view, changes) }
      }
  }
}
