public import FoundationEssentials

/// A scene that owns windows: one primary top-level window, and transient ones above it.
@preconcurrency @MainActor open class WindowScene: Scene {
  /// Makes a window scene; see ``Scene/init(session:connectionOptions:)``.
  /// - Parameters:
  ///   - session: The session that connects.
  ///   - connectionOptions: The options of the connection.
  public override init(session: SceneSession, connectionOptions: ConnectionOptions) {
    super.init(session: session, connectionOptions: connectionOptions)
  }

  /// The placement of the primary window, and the states that the window manager gave it.
  public struct Geometry: Hashable, Sendable {
    /// The content's rectangle on the desktop, in points: see ``Window/frame``.
    public var frame: Rect
    /// Maximised both ways (`_NET_WM_STATE_MAXIMIZED_*`).
    public var isMaximized = false
    /// Over the whole screen (`_NET_WM_STATE_FULLSCREEN`).
    public var isFullScreen = false
    /// Iconified, where the window manager reports it.
    public var isMinimized = false
  }

  /// The scene's windows, the primary one first; held by the scene.
  public internal(set) var windows: [Window] = []

  /// The file that the scene shows, as AppKit's `NSWindow.representedURL`; nil at first.
  ///
  /// A scene that has a `Document` gets its file when it connects, when the document is opened, and when it moves.
  /// Dialogs for files begin in its folder, and one that saves suggests its name, where their options say nothing else.
  /// X11 knows no such property; a `DocumentProxyView` of `ProsceniumUI` shows a file that it is given.
  public var representedURL: URL? { didSet { assertMainThread() } }

  /// Windows that are modal for the scene, such as alerts, the topmost last.
  ///
  /// While there are any, the other windows of the scene get no input, and a press in them makes the topmost one key. A
  /// toolkit appends a window before it shows it, and removes it when it hides it.
  public var modalWindows: [Window] = [] {
    didSet {
      assertMainThread()
      record?.conductor?.feature(PopUps.self)?.modalWindowsChanged(in: self)
      for window in windows { window.content?.modalWindowsChanged() }
    }
  }

  /// The window that last became key: the one that gets the scene's keyboard events.
  public internal(set) weak var keyWindow: Window?

  /// The primary window's geometry; nil while there is none.
  public var effectiveGeometry: Geometry? {
    guard var geometry = pixelGeometry else { return nil }
    if let scale = windows.first?.pixelScale { geometry.frame = scale.points(geometry.frame) }
    return geometry
  }
  /// The same in pixels.
  var pixelGeometry: Geometry?

  /// Whether the primary window fills the screen.
  public var isFullScreen: Bool { pixelGeometry?.isFullScreen ?? false }

  /// Requests a position and size of the primary window from the window manager.
  /// - Parameters:
  ///   - frame: The content's rectangle on the desktop, in points.
  ///   - errorHandler: Called on the main thread, only if it is not done: later, but before this returns where the
  ///     scene has no window, or the size is one that no window can have.
  public func requestGeometryUpdate(_ frame: Rect, errorHandler: (@MainActor (any Error) -> Void)? = nil) {
    assertMainThread()
    guard let window = windows.first else {
      errorHandler?(SceneError(.geometryRequestUnsupported, "The scene has no window to move or resize."))
      return
    }
    window.requestFrame(frame) { outcome in
      switch outcome {
      case .done: break
      case .refused(let reason): errorHandler?(SceneError(.geometryRequestUnsupported, reason))
      case .ignored:
        errorHandler?(SceneError(.geometryRequestDenied, "The window manager did not move or resize the window."))
      }
    }
  }
}
