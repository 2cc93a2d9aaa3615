/// Calls a function before each frame of a window: for animations and games.
///
/// Runs with the screen (on X11 the completion of Present's frames, else 60 times a second) and obeys the scene's state by
/// itself: in the background nothing is called, and nothing is caught up with on return. Made for one window and held by
/// it until ``invalidate()``.
@preconcurrency @MainActor public final class FrameLink {
  private let handler: @MainActor (FrameTiming) -> Void
  private weak var window: Window?
  private var lastCall = -Double.infinity

  /// Whether the function is not called for now; false at first.
  public var isPaused = false {
    didSet { if !isPaused { window?.display.requestFrame() } }
  }

  /// How often the function is called at most, in calls a second; as often as the screen shows frames where nil.
  public var preferredFramesPerSecond: Double?

  /// How often it is called at most while the scene is in the foreground but not active; as otherwise where nil.
  public var inactiveFramesPerSecond: Double?

  /// A link that runs at once.
  /// - Parameters:
  ///   - window: The window whose frames it follows.
  ///   - handler: Called before each frame, on the main thread; draws nothing itself, but says what needs display.
  public init(window: Window, handler: @escaping @MainActor (FrameTiming) -> Void) {
    self.window = window
    self.handler = handler
    window.display.add(self)
  }

  /// Ends the calls for good, and lets the function go.
  public func invalidate() {
    window?.display.remove(self)
    window = nil
  }

  func fire(_ timing: FrameTiming, isActive: Bool) {
    // Another link's function may have ended this one a moment ago.
    guard !isPaused, window != nil else { return }
    // A little early is on time: frames come as the screen shows them.
    guard timing.timestamp >= due(isActive: isActive) - 0.002 else { return }
    lastCall = timing.timestamp
    handler(timing)
  }

  /// When the function may be called next; never if it may not be called at all.
  func due(isActive: Bool) -> Double {
    let limits = [preferredFramesPerSecond, isActive ? nil : inactiveFramesPerSecond].compactMap { $0 }
    guard let limit = limits.min() else { return -.infinity }
    return limit > 0 ? lastCall + 1 / limit : .infinity
  }
}
