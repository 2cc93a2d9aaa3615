/// A view that has entered another window, or left its window.
@MainActor struct MovedView {
  private let view: View

  init(_ view: View) { self.view = view }

  /// Tells the view, and all views in it.
  func tellOfWindow() {
    // Told of its window, a view may measure any of them.
    view.tree?.followScale(with: view)
    view.forEach { view in
      view.cache.purge()
      for motion in view.host.motions { motion.animator.end(view) }
      view.isHovered = false
      view.didMoveToWindow()
      view.tree?.viewEntered(view)
    }
  }
}
