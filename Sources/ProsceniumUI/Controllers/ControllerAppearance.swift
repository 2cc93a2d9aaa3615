import ProsceniumCore

/// Where a controller is between appearing and disappearing.
struct ControllerAppearance {
  enum Phase { case disappeared, appearing, appeared, disappearing }
  /// Why it appears.
  enum Arrival { case added, presented }
  /// Why it disappears.
  enum Departure { case removed, dismissed }
  var phase = Phase.disappeared
  /// Whether the view is on its way to its place, so that it has not appeared yet.
  var isMovingIn = false
  /// Whether the parent shows the view by itself, as one of a stack or of tabs; else the child appears with its view.
  var isShownByParent = false
  /// Until it has appeared.
  var arrival: Arrival?
  /// Until it has disappeared.
  var departure: Departure?
  /// Which view gets the keys as one of a stack or of tabs.
  var keys = PageKeys()
  /// Called after `viewDidAppear()`.
  var completion: (() -> Void)?

  /// Its parent or presenter lets go of it: before it disappears, where it has appeared.
  mutating func depart(_ reason: Departure) {
    (arrival, completion) = (nil, nil)
    if phase != .disappeared { departure = reason }
  }
}

extension ViewController {
  /// Whether the controller appears for the first time since it was added to its parent, as by a push.
  ///
  /// Of value within ``viewWillAppear()`` and ``viewDidAppear()``, and false when it comes back from beneath a
  /// controller that is popped, or with its scene. That of a child says nothing of its parent's.
  public final var isMovingToParent: Bool { isInSight && appearance.arrival == .added }

  /// Whether the controller disappears because it is taken from its parent, as by a pop.
  ///
  /// Of value within ``viewWillDisappear()`` and ``viewDidDisappear()``, and false when another controller is pushed
  /// above it, or its scene goes to the background. That of a child says nothing of its parent's.
  public final var isMovingFromParent: Bool { !isInSight && appearance.departure == .removed }

  /// Whether the controller appears because it has been presented.
  ///
  /// Of value within ``viewWillAppear()`` and ``viewDidAppear()``, and false when it comes back from beneath another
  /// one, or with its scene. That of a child says nothing of its parent's.
  public final var isBeingPresented: Bool { isInSight && appearance.arrival == .presented }

  /// Whether the controller disappears because it is dismissed, by the program or the user.
  ///
  /// Of value within ``viewWillDisappear()`` and ``viewDidDisappear()``, and false when another controller is presented
  /// above it, or its scene goes to the background. That of a child says nothing of its parent's.
  public final var isBeingDismissed: Bool { !isInSight && appearance.departure == .dismissed }
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
