import ProsceniumCore

/// The blinking of a caret: on and off while the user types, and on after ten seconds without a key.
///
/// Frames are requested only while the caret blinks: without focus, and when the caret stays on, there are none.
@MainActor final class CaretBlink {
  private static let half = Duration.milliseconds(600)
  private static let limit = Duration.seconds(10)

  private(set) var isOn = true
  private var link: FrameLink?
  private weak var window: Window?
  private var start: Duration?
  private let mayRun: @MainActor () -> Bool
  private let changed: @MainActor () -> Void

  /// - Parameters:
  ///   - mayRun: Whether the caret is visible.
  ///   - changed: Called when the caret appears or disappears.
  init(mayRun: @escaping @MainActor () -> Bool, changed: @escaping @MainActor () -> Void) {
    self.mayRun = mayRun
    self.changed = changed
  }

  var isRunning: Bool { link != nil }

  /// Starts blinking with the caret on: after a key, a click, and when the view gets the focus.
  func restart(in window: Window?) {
    show(true)
    start = nil
    if window !== self.window { stop() }
    // A setting of the user.
    guard link == nil, let window, mayRun(), Application.sharedIfLaunched?.caretBlinks != false else { return }
    self.window = window
    let link = FrameLink(window: window) { [weak self] in self?.frame($0) }
    link.preferredFramesPerSecond = 10
    self.link = link
  }

  /// Stops blinking with the caret on.
  func stop() {
    link?.invalidate()
    link = nil
    show(true)
  }

  private func frame(_ timing: FrameTiming) {
    guard mayRun() else {
      stop()
      return changed()
    }
    let start = self.start ?? timing.timestamp
    self.start = start
    let elapsed = timing.timestamp - start
    guard elapsed < Self.limit else { return stop() }
    show(Int(elapsed / Self.half).isMultiple(of: 2))
  }

  private func show(_ isOn: Bool) {
    guard isOn != self.isOn else { return }
    self.isOn = isOn
    changed()
  }
}
