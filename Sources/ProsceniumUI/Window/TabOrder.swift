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
  private var places: [(view: View, isStop: Bool)] = []

  /// Nil where there is no view.
  init?(_ tree: ViewTree) {
    guard let root = tree.root, let window = tree.window else { return nil }
    (self.tree, self.window) = (tree, window)
    collect(root, true)
  }

  private mutating func collect(_ view: View, _ canBeUsed: Bool) {
    let canBeUsed = canBeUsed && ViewInput(view).takesInput
    places.append((view, canBeUsed && view.isTabStop))
    for subview in Self.subviews(of: view) { collect(subview, canBeUsed) }
  }

  private static func subviews(of view: View) -> [View] { (view as? ListView)?.tabOrder ?? view.subviews }

  /// Makes the next or the previous view that accepts keys the first responder, cyclically.
  func move(backwards: Bool) {
    let places = backwards ? self.places.reversed() : self.places
    // It goes on from a view that is no stop as well, such as a button that has disabled itself.
    let first = window.firstResponder as? View
    let last = first ?? tree.focus.last
    let place = last?.selfAndSuperviews.lazy.compactMap { view in places.firstIndex { $0.view === view } }.first
    let includesLast = backwards && first == nil && tree.focus.isBehind
    let start = place.map { includesLast ? $0 : $0 + 1 } ?? 0
    let changes = tree.focus.changes
    for (view, _) in (places[start...] + places[..<start]).filter(\.isStop) where take(view, changes) { return }
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
}
