import ProsceniumCore

/// Where a controller is between appearing and disappearing.
struct ControllerAppearance {
  enum Phase { case disappeared, appearing, appeared, disappearing }
  var phase = Phase.disappeared
  /// Whether the view is on its way to its place, so that it has not appeared yet.
  var isMovingIn = false
  /// Whether the parent shows the view by itself, as one of a stack or of tabs; else the child appears with its view.
  var isShownByParent = false
}

/// The children whose views are in a view that comes into a window, or leaves it: they appear and disappear with it.
@MainActor struct MovedChildren {
  private let children: [ViewController]

  /// Those that leave the view of their parent.
  /// - Parameters:
  ///   - view: A view that is about to leave its superview.
  ///   - superview: Where it goes; nil for nowhere.
  init(leavingWith view: View, for superview: View?) {
    children = Self.children(in: view) { child, place in
      child.isInSight && !place.isDescendant(of: view) && superview?.isDescendant(of: place) != true
    }
  }

  /// Those that are shown from now on.
  /// - Parameter view: A view that has come into a window.
  init(enteringWith view: View) {
    children = Self.children(in: view) { child, _ in child.parent?.isInSight == true }
  }

  private static func children(in view: View, where condition: (ViewController, View) -> Bool) -> [ViewController] {
    guard view.tree != nil else { return [] }
    var children: [ViewController] = []
    view.forEach { view in
      guard let child = view.host.controller, !child.appearance.isShownByParent, let place = child.parent?.loadedView,
        condition(child, place)
      else { return }
      children.append(child)
    }
    return children
  }

  /// What is told of it may change anything: whoever is shown by then appears.
  func willAppear() {
    for child in children {
      guard let parent = child.parent, parent.isInSight, child.isShownInParent else { continue }
      child.willAppear()
    }
  }

  func willDisappear() { for child in children { child.willDisappear() } }

  /// Called after the views are gone: what has come back while it was told of that disappears once more.
  func didDisappear() { for child in children where !child.isShownInParent { child.disappear() } }
}
