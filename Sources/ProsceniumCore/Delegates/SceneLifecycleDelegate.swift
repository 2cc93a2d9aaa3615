/// The callbacks of a ``SceneDelegate`` about connection, states, state restoration and disconnection.
///
/// All functions are called on the main thread. On X11 a scene is visible where one of its windows is mapped, not
/// iconic (`WM_STATE`, ICCCM 4.1.3.1), not hidden (`_NET_WM_STATE_HIDDEN`) and on the current workspace
/// (`_NET_WM_DESKTOP`); it is active while one of them has the focus (FocusIn, ICCCM 4.1.7). ``HoldTimes`` delay the
/// falling edges.
@preconcurrency @MainActor public protocol SceneLifecycleDelegate: AnyObject {
  /// ``SceneCloseReply`` where ``sceneShouldClose(_:)`` is implemented; inferred.
  associatedtype CloseReply: OptionalCloseReply = NotImplemented
  /// `UserActivity?` where ``stateRestorationActivity(for:)`` is implemented; inferred.
  associatedtype RestorationActivity: OptionalRestorationActivity = NotImplemented

  /// Whether the delegate implements a callback whose presence changes the framework's behaviour.
  ///
  /// By default the type of the class that conforms decides. A delegate that forwards callbacks to another object
  /// implements this, and has the callback in its class. Subclasses override it: the framework does not find one that
  /// only a subclass has, which is reported where the answer is true. Called on the main thread, before each use.
  /// - Parameter callback: The callback.
  /// - Returns: Whether the framework calls it.
  func implements(_ callback: OptionalSceneCallback) -> Bool

  /// The scene has been made for a session: give it its window here. The state is still `.unattached`.
  ///
  /// Called once per connection. The URLs and activities of the options are not delivered again. With
  /// ``ApplicationManifest/replaysConnectionPayloads`` there are none.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - session: The session.
  ///   - connectionOptions: The options of the connection.
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: Scene.ConnectionOptions)

  /// The scene is about to become visible; also after connecting. The state is still `.background`.
  /// - Parameter scene: The scene.
  func sceneWillEnterForeground(_ scene: Scene)

  /// The scene is the one being used.
  /// - Parameter scene: The scene.
  func sceneDidBecomeActive(_ scene: Scene)

  /// The scene is about to stop being the one used: save, pause. The state is still `.foregroundActive`.
  /// - Parameter scene: The scene.
  func sceneWillResignActive(_ scene: Scene)

  /// The scene is not visible any more: free resources that can be made again.
  /// - Parameter scene: The scene.
  func sceneDidEnterBackground(_ scene: Scene)

  /// The scene is torn down; its session may stay. ``Scene/disconnectionReason`` is the reason.
  ///
  /// Never delete the user's data here, but in ``ApplicationDelegate``'s `didDiscardSceneSessions`.
  /// - Parameter scene: The scene.
  func sceneDidDisconnect(_ scene: Scene)

  /// Called when the user closes the scene's window (our addition): the scene closes now, not at all, or after
  /// ``Scene/reply(toShouldClose:)``.
  ///
  /// Not called when the program itself destroys the session, nor when the program ends. Driven by `WM_DELETE_WINDOW`
  /// (ICCCM 4.2.8.1).
  /// - Parameter scene: The scene.
  /// - Returns: The answer, a ``SceneCloseReply``.
  func sceneShouldClose(_ scene: Scene) -> CloseReply

  /// Returns the activity that restores the scene's present state; implementing it opts in to state restoration.
  ///
  /// Called on the main thread, often: on entry to the background, before a disconnection that keeps the session, on
  /// ``Application/requestSceneSessionRefresh(_:errorHandler:)``, when the program ends, within a second of the
  /// connection of a scene that was opened with an activity or a URL, and at most once a second after
  /// ``Scene/invalidateRestorableState()``. Most often it returns ``Responder/userActivity`` of the scene; nil
  /// clears the saved state. Then the activity's delegate receives ``UserActivityDelegate/userActivityWillSave(_:)``
  /// and each responder that has the activity ``Responder/updateUserActivityState(_:)``. It is stored with the session,
  /// on disk, and deleted with it; it is state of the interface, and must never be the only copy of the user's data.
  /// - Parameter scene: The scene.
  /// - Returns: The activity, a `UserActivity?`.
  func stateRestorationActivity(for scene: Scene) -> RestorationActivity

  /// Restores the state that ``stateRestorationActivity(for:)`` returned, in this run or an earlier one.
  ///
  /// Called once per connection, after `willConnectTo` and before the first `sceneWillEnterForeground`, if
  /// ``SceneSession/stateRestorationActivity`` is not nil.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - stateRestorationActivity: The stored activity.
  func scene(_ scene: Scene, restoreInteractionStateWith stateRestorationActivity: UserActivity)

  /// An activity of the scene has been brought up to date, right before it is saved, or given to another program that
  /// continues it: the last chance to add to it.
  ///
  /// After ``UserActivityDelegate/userActivityWillSave(_:)`` and the responders' `updateUserActivityState(_:)`; for the
  /// activity that ``stateRestorationActivity(for:)`` has returned, and for the current one, which another program
  /// continues (``HandoffCenter``). The latter belongs to the scene of the responder that has it, else to the scene
  /// that was active last. Added values come along.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - userActivity: The activity.
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity)
}

extension SceneLifecycleDelegate {
  /// Decides by the type of the class that conforms.
  public func implements(_ callback: OptionalSceneCallback) -> Bool {
    switch callback {
    case .stateRestorationActivity: RestorationActivity.self != NotImplemented.self
    case .shouldClose: CloseReply.self != NotImplemented.self
    }
  }
  /// Does nothing.
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: Scene.ConnectionOptions
  ) {}
  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: Scene) {}
  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: Scene) {}
  /// Does nothing.
  public func sceneWillResignActive(_ scene: Scene) {}
  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: Scene) {}
  /// Does nothing.
  public func sceneDidDisconnect(_ scene: Scene) {}
  /// Not implemented, as its type shows: the scene closes at once.
  public func sceneShouldClose(_ scene: Scene) -> NotImplemented { NotImplemented() }
  /// Not implemented, as its type shows: nothing is saved.
  public func stateRestorationActivity(for scene: Scene) -> NotImplemented { NotImplemented() }
  /// Does nothing.
  public func scene(_ scene: Scene, restoreInteractionStateWith stateRestorationActivity: UserActivity) {}
  /// Does nothing.
  public func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {}
}

/// A callback of a scene's delegate whose presence changes the framework's behaviour.
public enum OptionalSceneCallback: Hashable, Sendable, CaseIterable {
  /// ``SceneLifecycleDelegate/stateRestorationActivity(for:)``: the scene's state is saved.
  case stateRestorationActivity
  /// ``SceneLifecycleDelegate/sceneShouldClose(_:)``: a close may be refused.
  case shouldClose
}

/// A scene's answer to the user's request to close its window.
public enum SceneCloseReply: Hashable, Sendable, CaseIterable {
  /// The scene closes.
  case now
  /// The scene stays.
  case cancel
  /// ``Scene/reply(toShouldClose:)`` gives the answer; further requests of the user are ignored until then.
  case later
}

/// The callbacks of a ``WindowSceneDelegate`` about the geometry and the surroundings of its windows.
@preconcurrency @MainActor public protocol WindowSceneLifecycleDelegate: SceneDelegate {
  /// The type of ``window``; inferred, so that a subclass can be named there.
  associatedtype SceneWindow: Window = Window

  /// The scene's window. For the delegate's own use: the scene holds its windows itself.
  var window: SceneWindow? { get set }

  /// The primary window has another place, size or state (ConfigureNotify, `_NET_WM_STATE`).
  /// - Parameters:
  ///   - windowScene: The scene.
  ///   - previousGeometry: The geometry before, in points.
  func windowScene(_ windowScene: WindowScene, didUpdateEffectiveGeometry previousGeometry: WindowScene.Geometry)

  /// The size of the primary window, the screen of the scene, its orientation, its scale, or the user's appearance
  /// settings have changed.
  ///
  /// Called once for all simultaneous changes, in the foreground and in the background, after the notifications of the
  /// screens and after ``windowScene(_:didUpdateEffectiveGeometry:)``; the scene has the new values. The window's views
  /// are laid out once more before the next frame. On X11 a monitor that is rotated comes first and the window that the
  /// window manager fits to it a moment later: two calls. Not called where only the position on one screen has changed.
  /// - Parameters:
  ///   - windowScene: The scene.
  ///   - previousCoordinateSpace: The rectangle of its content before.
  ///   - previousInterfaceOrientation: ``WindowScene/interfaceOrientation`` before.
  ///   - previousTraitCollection: ``WindowScene/traitCollection`` before.
  func windowScene(
    _ windowScene: WindowScene, didUpdate previousCoordinateSpace: any CoordinateSpace,
    interfaceOrientation previousInterfaceOrientation: InterfaceOrientation,
    traitCollection previousTraitCollection: TraitCollection)
}

extension WindowSceneLifecycleDelegate {
  /// Does nothing.
  public func windowScene(
    _ windowScene: WindowScene, didUpdateEffectiveGeometry previousGeometry: WindowScene.Geometry
  ) {}
  /// Does nothing.
  public func windowScene(
    _ windowScene: WindowScene, didUpdate previousCoordinateSpace: any CoordinateSpace,
    interfaceOrientation previousInterfaceOrientation: InterfaceOrientation,
    traitCollection previousTraitCollection: TraitCollection
  ) {}
}

extension WindowSceneLifecycleDelegate where SceneWindow == Window {
  /// Nothing; setting it does nothing.
  public var window: Window? {
    get { nil }
    set { _ = newValue }
  }
}
