import ProsceniumCore

/// Repeats what a press does while it is held: after half a second ten times a second.
///
/// It runs on frames of the window, none of which are requested while nothing is pressed or the scene is not active.
@MainActor final class PressRepeat {
  private static let perSecond = 10.0
  private var link: FrameLink?
  private var frames = 0

  /// Begins a press.
  /// - Parameters:
  ///   - window: The window in which it is.
  ///   - body: What is repeated until ``end()``.
  func begin(in window: Window?, _ body: @escaping @MainActor () -> Void) {
    end()
    guard let window else { return }
    let link = FrameLink(window: window) { [weak self] _ in
      guard let self else { return }
      frames += 1
      if Double(frames) > Self.perSecond / 2 { body() }
    }
    link.preferredFramesPerSecond = Self.perSecond
    link.inactiveFramesPerSecond = 0
    self.link = link
  }

  func end() {
    link?.invalidate()
    link = nil
    frames = 0
  }
}
