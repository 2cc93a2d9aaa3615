/// The object of a toolkit that draws a window and gets its input: the door for `ProsceniumUI` and every other toolkit.
///
/// A toolkit sets ``Window/content``; the window holds the object. A program that overrides ``Window/draw(_:damage:)``
/// or draws with GL, Vulkan or xcb needs none. All requirements but ``draw(_:damage:)`` have a default that does
/// nothing.
///
/// All functions are called on the main thread, never within one another except where this page says so, and after the
/// callbacks of the life cycle that cause them. What they ask of the framework is done after they return. Sizes,
/// positions and damage are pixels of the window, relative to its upper left corner; ``Window/scale`` is the number of
/// pixels a point has.
///
/// A frame is drawn only after ``Window/setNeedsDisplay(_:)``, and only while the window can be seen:
/// ``layout(_:)``, then ``draw(_:damage:)``, then ``frameDrawn()``. When a content is set on a window that can be seen
/// already, ``visibilityChanged(isVisible:)`` is not called for that; see ``Window/isHidden`` and
/// ``Scene/activationState``.
@MainActor public protocol WindowContent: AnyObject {
  // MARK: Drawing

  /// Places everything, before a frame or a picture is drawn.
  ///
  /// May call ``Window/setNeedsDisplay(_:)`` for what moves: that is drawn in the same frame. On X11 a frame follows
  /// the completion of the last one (Present), or a timer of 60 frames a second.
  /// - Parameter size: The size of the window's content in pixels.
  func layout(_ size: Size)

  /// Draws the damaged parts of the window.
  ///
  /// Called by ``Window/draw(_:damage:)``, for a frame and, within ``drawPicture(afterUpdates:_:)``, for a picture.
  /// Other pixels of the buffer are as they were drawn last.
  /// - Parameters:
  ///   - buffer: The pixels, valid during the call. Its size is the size of the window in pixels.
  ///   - damage: The parts to draw, in pixels; they may overlap.
  func draw(_ buffer: inout PixelBuffer, damage: [Rect])

  /// Called after a frame has been drawn, before it is on the screen.
  func frameDrawn()

  /// Draws a picture of the window: a snapshot of its scene, for example when that enters the background.
  ///
  /// ``layout(_:)`` is called before. Caches of the content stay unchanged.
  /// - Parameters:
  ///   - afterUpdates: Whether outdated caches are drawn anew for the picture; else they are used as they are.
  ///   - body: Calls ``draw(_:damage:)`` once, with all of the window as damage. The default only calls it.
  func drawPicture(afterUpdates: Bool, _ body: () -> Void)

  // MARK: Input

  /// The responder that gets an event first; the event then goes along the responder chain.
  ///
  /// Called once for each event, by ``Window/sendEvent(_:)``. Pointer, scroll and touch events have positions in
  /// pixels; on X11 they come from XInput 2 or the core protocol. For key events a content usually answers with
  /// ``Window/firstResponder``.
  /// - Parameter event: The event.
  /// - Returns: The responder; nil for the window.
  func responder(for event: Event) -> Responder?

  /// Called for an event that no responder of the chain handled.
  /// - Parameter event: The event.
  func unhandled(_ event: Event)

  /// Called before the scene of the window is disconnected, also at the program's end: what is being edited counts now.
  ///
  /// Before `sceneWillResignActive(_:)` where the scene is closed while it is used; where the program ends after every
  /// scene has entered the background, whose state has been saved with the first responder that it had. Not called
  /// where another client has destroyed the window.
  func endEditing()

  /// Called when input is withheld because the scene is interrupted: presses and touches under way end without an
  /// event.
  ///
  /// And before the release of a button in a window that nobody can see any more, which is no action.
  /// On X11 a lasting grab of another client interrupts, and so does ``Scene/beginInterruption()``.
  func inputWithheld()

  // MARK: Visibility

  /// Called when the window can be seen from now on, or cannot be seen any more.
  ///
  /// The window can be seen while it is shown and its scene is in the foreground. Called after
  /// `sceneWillEnterForeground(_:)` or `sceneDidEnterBackground(_:)`, in the app-based model after the application's
  /// callbacks that correspond to them, or after ``Window/isHidden`` changed. On X11 those follow from the window being
  /// mapped, iconified or on another workspace.
  /// - Parameter isVisible: Whether the window can be seen.
  func visibilityChanged(isVisible: Bool)

  /// Called after the program or the user hid the window, whether it could be seen before or not.
  func hidden()

  /// Called when the window belongs to a scene from now on, or to another one than before; not for its first scene if
  /// the content is set later.
  func attached()

  /// Called when the window no longer belongs to its scene: one of them is gone, or the window moves to another scene.
  func detached()

  /// Called when ``WindowScene/modalWindows`` of the window's scene has changed: the window may be beneath one from now
  /// on, or not any more.
  func modalWindowsChanged()

  // MARK: Surroundings

  /// Called when the screen, its orientation, or the scale of the window's scene has changed; all of it is drawn again.
  ///
  /// On X11 these come from RandR and `Xft.dpi`.
  func surroundingsChanged()

  /// Called when ``Application/traitCollection`` has changed, such as from light to dark; in the background too.
  ///
  /// On X11 these come from XSETTINGS and the desktop portal.
  func traitsChanged()

  /// The orientations in which the content can be shown; all by default.
  ///
  /// Asked after ``Window/setNeedsUpdateOfSupportedInterfaceOrientations()`` and when a screen changes.
  var supportedInterfaceOrientations: InterfaceOrientationMask { get }

  // MARK: Memory

  /// Frees memory that can be made again, such as caches; called when the window cannot be seen any more.
  func purge()

  /// The number of bytes that ``purge()`` would free; used to choose the scenes to reclaim.
  var footprint: Int { get }

  /// Called when memory is short, after ``MemoryApplicationDelegate/applicationDidReceiveMemoryWarning(_:)``.
  func didReceiveMemoryWarning()
}

extension WindowContent {
  /// Does nothing.
  public func layout(_ size: Size) {}
  /// Does nothing.
  public func frameDrawn() {}
  /// Calls the function.
  public func drawPicture(afterUpdates: Bool, _ body: () -> Void) { body() }
  /// Answers with the window.
  public func responder(for event: Event) -> Responder? { nil }
  /// Does nothing.
  public func unhandled(_ event: Event) {}
  /// Does nothing.
  public func endEditing() {}
  /// Does nothing.
  public func inputWithheld() {}
  /// Does nothing.
  public func visibilityChanged(isVisible: Bool) {}
  /// Does nothing.
  public func hidden() {}
  /// Does nothing.
  public func attached() {}
  /// Does nothing.
  public func detached() {}
  /// Does nothing.
  public func modalWindowsChanged() {}
  /// Does nothing.
  public func surroundingsChanged() {}
  /// Does nothing.
  public func traitsChanged() {}
  /// All orientations.
  public var supportedInterfaceOrientations: InterfaceOrientationMask { .all }
  /// Does nothing.
  public func purge() {}
  /// No bytes.
  public var footprint: Int { 0 }
  /// Does nothing.
  public func didReceiveMemoryWarning() {}
}
