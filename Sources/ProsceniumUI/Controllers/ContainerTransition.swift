import ProsceniumCore

/// The changes of what a container shows, one after the other: what each of them calls may ask for the next.
@MainActor final class ContainerChanges {
  /// The one that is being made, and those after it.
  private var asked: [() -> Void] = []

  /// Makes a change, after those that were asked for before.
  func make(_ change: @escaping () -> Void) {
    asked.append(change)
    guard asked.count == 1 else { return }
    while let next = asked.first {
      next()
      asked.removeFirst()
    }
  }
}

/// The change from one shown child of a container to another one, in the order of UIKit's calls.
///
/// The old one will disappear, the new one will appear; after the way of the views the old one has disappeared, and the
/// new one has appeared with the next frame.
@MainActor final class ContainerTransition {
  // Let go of at the end, which may be long before that of the transition itself.
  private var old: ViewController?
  private var new: ViewController?
  private var completion: (() -> Void)?
  /// Called at the very end.
  var completed: (() -> Void)?
  private var isOver = false

  /// - Parameters:
  ///   - old: The child that is shown.
  ///   - new: The child that is shown from now on.
  ///   - size: The size that its view gets, before it is told that it appears.
  ///   - isInSight: Whether the container is: else neither of them appears or disappears.
  ///   - completion: Called after all.
  init(
    from old: ViewController?, to new: ViewController, size: Size, isInSight: Bool, completion: @escaping () -> Void
  ) {
    self.old = old
    self.new = new
    self.completion = completion
    guard isInSight else { return }
    old?.willDisappear()
    new.view.frame = Rect(.zero, size)
    new.willAppear(movesIn: true)
  }

  /// Moves the views to their places; ends with them there, now or later.
  /// - Parameter moves: Changes the views; nil where they are in place.
  func start(_ moves: (() -> Void)?) {
    guard let moves else { return finish() }
    View.animate(withDuration: .milliseconds(250), options: .curveEaseOut, animations: moves) { _ in self.finish() }
  }

  /// Ends the transition, if it has not ended.
  func finish() {
    guard !isOver else { return }
    isOver = true
    completion.take()?()
    let (old, new) = (old.take(), new.take())
    old?.didDisappear()
    new?.movedIn()
    completed.take()?()
  }
}
