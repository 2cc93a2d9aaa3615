/// The callbacks of a ``SceneDelegate`` about connection, states, state restoration and disconnection.
@preconcurrency @MainActor public protocol SceneLifecycleDelegate: AnyObject {
  /// ``SceneCloseReply`` where ``sceneShouldClose(_:)`` is implemented; inferred.
  associatedtype CloseReply = NotImplemented
  /// `UserActivity?` where ``stateRestorationActivity(for:)`` is implemented; inferred.
  associatedtype RestorationActivity = NotImplemented

  /// Whether the delegate implements a callback whose presence changes what the framework does.
  ///
  /// By default the static type of the delegate decides. A delegate that passes callbacks on to another object, or a
  /// class whose subclasses override one, answers by itself. Asked on the main thread, before each use.
  /// - Parameter callback: The callback.
  /// - Returns: Whether the framework is to call it.
  func implements(_ callback: OptionalSceneCallback) -> Bool

  /// The scene has been made for a session: give it its window here. The state is still `.unattached`.
  ///
  /// Called once per connection. Look into the options for URLs and activities: they are not delivered again. With
  /// ``ApplicationManifest/replaysConnectionPayloads`` there are none.
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: Scene.ConnectionOptions)

  /// The scene is about to become visible; also after connecting. The state is still `.background`.
  func sceneWillEnterForeground(_ scene: Scene)

  /// The scene is the one being used.
  func sceneDidBecomeActive(_ scene: Scene)

  /// The scene is about to stop being the one used: save, pause. The state is still `.foregroundActive`.
  func sceneWillResignActive(_ scene: Scene)

  /// Nobody can see the scene any more: give back what can be made again.
  func sceneDidEnterBackground(_ scene: Scene)

  /// The scene is torn down; its session may live on. ``Scene/disconnectionReason`` says why.
  ///
  /// Never delete the user's data here; do that in ``ApplicationDelegate``'s `didDiscardSceneSessions`.
  func sceneDidDisconnect(_ scene: Scene)

  /// The user asks to close the scene's window (our addition): now, not at all, or after an answer given later with
  /// ``Scene/reply(toShouldClose:)``.
  ///
  /// Not called when the program itself destroys the session, nor when the program ends.
  func sceneShouldClose(_ scene: Scene) -> CloseReply

  /// Asked for what brings the scene back as it is now; implementing it is opting in to state restoration.
  ///
  /// Called on the main thread, often: on entry to the background, before a disconnection that keeps the session, on
  /// ``Application/requestSceneSessionRefresh(_:errorHandler:)``, when the program ends, and at most once a second after
  /// ``Scene/invalidateRestorableState()``. Most often it returns ``Responder/userActivity`` of the scene; nil clears
  /// what was saved before. Then the activity's delegate hears
  /// ``UserActivityDelegate/userActivityWillSave(_:)`` and each responder that has the activity
  /// ``Responder/updateUserActivityState(_:)``. It is kept with the session, on disk, and deleted with it; it is state
  /// of the interface, and must never be the only copy of the user's data.
  func stateRestorationActivity(for scene: Scene) -> RestorationActivity

  /// Brings back what ``stateRestorationActivity(for:)`` saved, in this run or an earlier one.
  ///
  /// Called once per connection, after `willConnectTo` and before the first `sceneWillEnterForeground`, if
  /// ``SceneSession/stateRestorationActivity`` is not nil.
  func scene(_ scene: Scene, restoreInteractionStateWith stateRestorationActivity: UserActivity)

  /// An activity of the scene has been brought up to date, right before it is saved: the last chance to add to it.
  ///
  /// After ``UserActivityDelegate/userActivityWillSave(_:)`` and the responders' `updateUserActivityState(_:)`; for the
  /// activity that ``stateRestorationActivity(for:)`` has answered. What is added is saved with it.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - userActivity: The activity.
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity)
}

extension SceneLifecycleDelegate {
  /// Decides by the delegate's static type.
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
  /// Says by its type that it is not implemented: the scene closes at once.
  public func sceneShouldClose(_ scene: Scene) -> NotImplemented { NotImplemented() }
  /// Says by its type that it is not implemented: nothing is saved.
  public func stateRestorationActivity(for scene: Scene) -> NotImplemented { NotImplemented() }
  /// Does nothing.
  public func scene(_ scene: Scene, restoreInteractionStateWith stateRestorationActivity: UserActivity) {}
  /// Does nothing.
  public func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {}

  /// Asks for the state to save; nil where there is none.
  func askState(of scene: Scene) -> UserActivity? {
    let answer: Any = stateRestorationActivity(for: scene)
    return answer as? UserActivity
  }

  /// Asks whether the scene may close.
  func askShouldClose(_ scene: Scene) -> SceneCloseReply {
    guard implements(.shouldClose) else { return .now }
    return sceneShouldClose(scene) as? SceneCloseReply ?? .now
  }
}

/// A callback of a scene's delegate whose presence changes what the framework does.
public enum OptionalSceneCallback: Hashable, Sendable, CaseIterable {
  /// ``SceneLifecycleDelegate/stateRestorationActivity(for:)``: the scene's state is saved.
  case stateRestorationActivity
  /// ``SceneLifecycleDelegate/sceneShouldClose(_:)``: a close may be refused.
  case shouldClose
}

/// What a scene answers to a user who asks to close its window.
public enum SceneCloseReply: Hashable, Sendable, CaseIterable {
  /// The scene closes.
  case now
  /// The scene stays.
  case cancel
  /// ``Scene/reply(toShouldClose:)`` will say; further requests of the user are ignored until then.
  case later
}

/// The callbacks of a ``WindowSceneDelegate`` about the geometry and the surroundings of its windows.
@preconcurrency @MainActor public protocol WindowSceneLifecycleDelegate: SceneDelegate {
  /// The type of ``window``; inferred, so that a subclass can be named there.
  associatedtype SceneWindow: Window = Window

  /// The scene's window. For the delegate's own use: the scene holds its windows itself.
  var window: SceneWindow? { get set }

  /// The primary window has another place, size or state (ConfigureNotify, `_NET_WM_STATE`).
  func windowScene(_ windowScene: WindowScene, didUpdateEffectiveGeometry previousGeometry: WindowScene.Geometry)

  /// The primary window has another size, the scene is on another screen or another way up, points have another size, or the
  /// user wants programs to look otherwise: dark, say.
  ///
  /// Called once for all that happened at a time, in the foreground and in the background, after the notifications of the
  /// screens and after ``windowScene(_:didUpdateEffectiveGeometry:)``; the scene has the new values. The window's views are
  /// laid out once more before the next frame. On X11 a monitor that is turned comes first and the window that the window
  /// manager makes fit it a moment later: two calls. Not called where only the place on one screen has changed.
  /// - Parameters:
  ///   - windowScene: The scene.
  ///   - previousCoordinateSpace: What its content covered before.
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
