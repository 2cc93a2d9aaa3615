/// The library that has made an adopted window, and owns it: an adapter of a few lines for each toolkit.
///
/// All methods are called on the main thread.
@MainActor public protocol AdoptedWindowOwner: AnyObject {
  /// Shows or hides the window, because ``Window/isHidden`` has changed: by the program, or by a close that keeps the
  /// scene (`SceneConfiguration.ClosePolicy.background`) and the activation after it.
  ///
  /// Also called to show it when the scene is brought forward while the window cannot be seen, which the toolkit may
  /// have hidden by itself; where it is minimised only, there is nothing to do. Called to hide it, too, while
  /// background tasks hold the program's end: `isHidden` stays as it is then.
  /// - Parameters:
  ///   - window: The window.
  ///   - isHidden: Whether it is to be hidden.
  func setWindow(_ window: Window, isHidden: Bool)

  /// Destroys the window: its scene has been disconnected, or the program removed it.
  ///
  /// Not called where the process ends, nor where the window has been destroyed already.
  /// - Parameter window: The window, which belongs to no scene any more.
  func destroyWindow(_ window: Window)
}

/// The reason why a window cannot be adopted.
public enum WindowAdoptionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The identifier is 0: the toolkit's window is not an X11 window.
  case noX11Window
  /// A scene of the program has the window already.
  case alreadyAdopted
  /// The scene is not connected, or a window cannot be added to it any more.
  case noScene

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .noX11Window:
      "The toolkit's window is no X11 window. Under Wayland start the program with GDK_BACKEND=x11 (GTK), "
        + "QT_QPA_PLATFORM=xcb (Qt) or SDL_VIDEODRIVER=x11 (SDL)."
    case .alreadyAdopted: "The window belongs to a scene already: adopt each window once."
    case .noScene:
      "The scene is not connected: "
        + "adopt the window in scene(_:willConnectTo:options:), or while the scene is connected."
    }
  }
}

extension Window {
  /// Makes a window of a scene from one that another toolkit of this process has made: GTK's, Qt's or SDL's.
  ///
  /// As the scene's first window it decides its states, as any primary window does, and the session keeps its place,
  /// size and workspace. The toolkit shows it and draws it, when it likes; adopt it before it is shown, so that it
  /// comes back where it was. What is the toolkit's (title, icon, cursor, size limits, ``setNeedsDisplay(_:)``,
  /// ``content``, a snapshot without ``WindowScene/snapshotPicture``) does nothing here, and an error is reported.
  ///
  /// The window manager sends the request to close to the toolkit alone: its handler ("close-request" of GTK,
  /// `closeEvent` of Qt, `SDL_WINDOWEVENT_CLOSE`) calls ``performClose()`` and closes nothing by itself. A
  /// disconnection destroys the window (``AdoptedWindowOwner/destroyWindow(_:)``) and keeps the session, without a
  /// window until it connects again. A window that the toolkit destroys by itself disconnects its scene with the reason
  /// ``DisconnectionReason/windowLost``.
  ///
  /// On X11 the window is followed from a connection of Proscenium's own, beside the toolkit's, whose event masks stay
  /// as they are. The window of another process is followed, too, and an error once the server has said whose it is:
  /// its owner here can neither hide nor destroy it. Main thread only.
  /// - Parameters:
  ///   - identifier: The XID: `gdk_x11_surface_get_xid`, `QWindow::winId`, `SDL_GetWindowWMInfo`.
  ///   - scene: The scene.
  ///   - owner: The toolkit's side; held until the window is gone.
  /// - Throws: ``WindowAdoptionError``.
  public convenience init(
    adopting identifier: UInt32, in scene: WindowScene, owner: any AdoptedWindowOwner
  ) throws(WindowAdoptionError) {
    guard identifier != 0 else { throw .noX11Window }
    guard let record = scene.record, let conductor = record.conductor, record.ending == nil else { throw .noScene }
    let id = WindowID(rawValue: identifier)
    guard conductor.roster[id] == nil else { throw .alreadyAdopted }
    self.init(withoutScene: ())
    assertMainThread()
    display.toolkit = owner
    isHidden = false
    attach(record.follow(self, id, in: scene), to: scene)
  }

  /// Whether another toolkit owns the window: see ``init(adopting:in:owner:)``.
  public var isAdopted: Bool { display.toolkit != nil }

  /// Closes the window as the user does by its close button: its scene's delegate decides (`sceneShouldClose(_:)`).
  ///
  /// For adopted windows, whose toolkit hears of the button, and for a "Close" of a menu. The scene of a primary window
  /// is asked, and disconnected or hidden by its close policy; another window is hidden. Nothing happens while the
  /// window belongs to no connected scene, and where its close would hide a scene that is hidden already.
  public func performClose() {
    assertMainThread()
    guard let id, let conductor = record?.conductor else { return }
    conductor.post(Closing.self, .closeRequested(id))
  }

  /// Whether something is for the window's toolkit to do, which is reported: it does nothing here.
  @discardableResult func leavesToToolkit(_ what: String) -> Bool {
    guard isAdopted else { return false }
    record?.conductor?.report("\(what) of an adopted window does nothing. Ask its toolkit, which owns it.")
    return true
  }
}

/// A request to the owner of an adopted window.
struct AdoptionCall: ProgramCall {
  enum Request: Equatable { case hidden(Bool), destroy }

  let window: Window
  /// Its owner, which the window itself holds no more once it is gone.
  let owner: any AdoptedWindowOwner
  let request: Request

  /// Nil for a window of our own.
  init?(_ window: Window, _ request: Request) {
    guard let owner = window.display.toolkit else { return nil }
    (self.window, self.owner, self.request) = (window, owner, request)
  }

  var call: CallDescription { CallDescription("the adopted window's owner", phase: .event) }

  func perform(for application: Application) -> [FeatureAction] {
    switch request {
    case .hidden(let isHidden): owner.setWindow(window, isHidden: isHidden)
    case .destroy: owner.destroyWindow(window)
    }
    return []
  }
}

extension SceneRecord {
  /// Adds a window that another toolkit owns.
  func follow(_ window: Window, _ id: WindowID, in scene: WindowScene) -> WindowID? {
    guard let conductor, self.scene === scene else { return nil }
    let isPrimary = windows.primary == nil
    let description = describe(window, in: scene, isPrimary: isPrimary, conductor)
    // The session's window of our own gives way to the toolkit's.
    if isPrimary { conductor.connector.destroyBareWindow(of: self) }
    scene.windows.append(window)
    windows.add(SceneWindows.State(id, window: window, isShown: true))
    if isPrimary { windows.primary = id }
    conductor.roster[id] = self
    window.scale = description.scale
    perform(.follow(id, description))
    conductor.announce(.windowCreated(id, self))
    conductor.roster.markDirty(self)
    conductor.settleLater()
    return id
  }
}
