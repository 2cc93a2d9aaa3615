import ProsceniumCore

/// The frames of a window for its animations: requested while one runs, and not else.
@MainActor final class AnimationClock {
  private unowned let tree: ViewTree
  private var link: FrameLink?
  private var animators: [Animator] = []

  init(_ tree: ViewTree) { self.tree = tree }

  func add(_ animator: Animator) {
    guard let window = tree.window else { return }
    // One that goes on may have been in its delay.
    if !animators.contains(where: { $0 === animator }) { animators.append(animator) }
    if link == nil { link = FrameLink(window: window) { [weak self] in self?.frame($0) } }
    settle()
  }

  private func frame(_ timing: FrameTiming) {
    for animator in animators { animator.advance(to: timing.timestamp) }
    settle()
  }

  /// Ends what concerns views of the window, because it cannot be seen any more.
  func end() {
    for animator in animators { animator.end(viewsOf: tree) }
    animators = []
    settle()
  }

  /// Adapts the frames to what still runs.
  private func settle() {
    animators.removeAll { !$0.isRunning }
    guard !animators.isEmpty else {
      link?.invalidate()
      link = nil
      return
    }
    // Nothing moves before the shortest delay has passed.
    let wait = animators.map { $0.remainingDelay / .seconds(1) }.min() ?? 0
    link?.preferredFramesPerSecond = wait > 0.05 ? 1 / wait : nil
  }
}
