/// Calls a function before each frame of a window: for animations and games.
///
/// Runs with the screen (on X11 with the completion of Present's frames, else 60 times a second) and follows the state
/// of the scene: in the background there are no calls, and missed ones are not made up for. The window holds the link
/// until ``invalidate()``. Used on the main thread.
@preconcurrency @MainActor public final class FrameLink {
  private let handler: @MainActor (FrameTiming) -> Void
  private weak var window: Window?
  private var lastCall = -Double.infinity

  /// Whether calls are paused; false at first.
  public var isPaused = false {
    didSet {
      assertMainThread()
      if !isPaused { window?.display.requestFrame() }
    }
  }

  /// The largest number of calls a second; that of the screen's frames where nil or, as in UIKit, 0.
  public var preferredFramesPerSecond: Double? { didSet { rateChanged() } }

  /// The largest number of calls a second while the scene is in the foreground but not active; no other limit where
  /// nil, no calls where 0.
  public var inactiveFramesPerSecond: Double? { didSet { rateChanged() } }

  /// Creates a link that runs at once.
  /// - Parameters:
  ///   - window: The window whose frames it follows.
  ///   - handler: Called before each frame on the main thread. It does not draw, but calls
  ///     ``Window/setNeedsDisplay(_:)``.
  public init(window: Window, handler: @escaping @MainActor (FrameTiming) -> Void) {
    assertMainThread()
    self.window = window
    self.handler = handler
    window.leavesToToolkit("A FrameLink")
    window.display.add(self)
  }

  /// Ends the calls permanently, and releases the function.
  public func invalidate() {
    assertMainThread()
    window?.display.remove(self)
    window = nil
  }

  /// The next call may be due earlier than the frame that is requested.
  private func rateChanged() {
    assertMainThread()
    window?.display.requestFrame()
  }

  func fire(_ timing: FrameTiming, isActive: Bool) {
    // The function of another link may have ended this one in the same frame.
    guard !isPaused, window != nil else { return }
    // Frames follow the screen, so a call may be slightly early.
    let time = timing.timestamp / .seconds(1)
    guard time >= due(isActive: isActive) - 0.002 else { return }
    lastCall = time
    handler(timing)
  }

  /// The time in seconds of the next call; infinite if there is none.
  func due(isActive: Bool) -> Double {
    let preferred = preferredFramesPerSecond.flatMap { $0 > 0 ? $0 : nil }
    let limits = [preferred, isActive ? nil : inactiveFramesPerSecond].compactMap { $0 }
    guard let limit = limits.min() else { return -.infinity }
    return limit > 0 ? lastCall + 1 / limit : .infinity
  }
}
