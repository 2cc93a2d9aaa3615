/// What one scene's delegate is told: connection, its way between the states, disconnection.
///
/// One delegate object is made for each connection and held by its scene. Every requirement has a default. All are
/// called on the main thread, never nested in another callback. On X11 the states follow from the scene's windows:
/// see the article on the life cycle for what drives each.
@preconcurrency @MainActor public protocol SceneDelegate: AnyObject {
  /// ``SceneCloseReply`` where ``sceneShouldClose(_:)`` is implemented; inferred.
  associatedtype CloseReply = NotImplemented
  /// `UserActivity?` where ``stateRestorationActivity(for:)`` is implemented; inferred.
  associatedtype RestorationActivity = NotImplemented

  /// The scene has been made for a session: give it its window here. The state is still `.unattached`.
  ///
  /// Called once per connection. Look into the options for URLs and activities: they are not delivered again. With
  /// ``ApplicationDelegate/replaysConnectionPayloads`` there are none.
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

  /// URLs are to be opened in a scene that has been connected before: all those of one request that are for this scene.
  ///
  /// The scene is for each URL the one that can show it best (``Scene/activationConditions``), else the one that was
  /// active last. One in the background comes to the foreground first: called between `sceneWillEnterForeground` and
  /// `sceneDidBecomeActive`, or five seconds later where the window manager does not show it. URLs that a new session is
  /// connected for, or that the program was launched with, are in the connection options instead, unless
  /// ``ApplicationDelegate/replaysConnectionPayloads`` is true. Driven by second starts of the program, and by
  /// `org.freedesktop.Application` over D-Bus.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - urlContexts: The URLs, with what is known of whoever asks.
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>)

  /// An activity is about to be handed to the scene; called when
  /// ``scene(_:openURLContexts:)`` would be.
  ///
  /// Exactly one of ``scene(_:continue:)`` and ``scene(_:didFailToContinueUserActivityWithType:error:)`` follows. Driven by
  /// another instance's ``Application/handOff(_:)``; not called for an activity of an own request
  /// (``SceneSessionActivationRequest``), which is there at once.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - userActivityType: The kind of the activity.
  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String)

  /// An activity is handed to a scene that has been connected before.
  ///
  /// Chosen and brought forward as for ``scene(_:openURLContexts:)``, by ``UserActivity/targetContentIdentifier``.
  func scene(_ scene: Scene, continue userActivity: UserActivity)

  /// An activity of the scene has been brought up to date, right before it is saved: the last chance to add to it.
  ///
  /// After ``UserActivityDelegate/userActivityWillSave(_:)`` and the responders' `updateUserActivityState(_:)`; for the
  /// activity that ``stateRestorationActivity(for:)`` has answered. What is added is saved with it.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - userActivity: The activity.
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity)

  /// What came of an announced activity cannot be used.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - userActivityType: The kind of the activity.
  ///   - error: Why, as a ``UserActivityError``.
  func scene(_ scene: Scene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
}

extension SceneDelegate {
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
  public func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {}
  /// Does nothing.
  public func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {}
  /// Does nothing.
  public func scene(_ scene: Scene, continue userActivity: UserActivity) {}
  /// Does nothing.
  public func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {}
  /// Does nothing.
  public func scene(
    _ scene: Scene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {}

  /// Whether `stateRestorationActivity(for:)` is implemented; does not call it.
  var savesState: Bool { RestorationActivity.self != NotImplemented.self }

  /// Asks for the state to save; nil where there is none.
  func askState(of scene: Scene) -> UserActivity? {
    let answer: Any = stateRestorationActivity(for: scene)
    return answer as? UserActivity
  }

  /// Whether `sceneShouldClose(_:)` is implemented; does not call it.
  var mayRefuseClose: Bool { CloseReply.self != NotImplemented.self }

  /// Asks whether the scene may close.
  func askShouldClose(_ scene: Scene) -> SceneCloseReply {
    guard mayRefuseClose else { return .now }
    return sceneShouldClose(scene) as? SceneCloseReply ?? .now
  }
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

/// A scene delegate whose scene owns windows.
@preconcurrency @MainActor public protocol WindowSceneDelegate: SceneDelegate {
  /// The type of ``window``; inferred, so that a subclass can be named there.
  associatedtype SceneWindow: Window = Window

  /// The scene's window. For the delegate's own use: the scene holds its windows itself.
  var window: SceneWindow? { get set }

  /// A launcher asks for one of the program's ``ApplicationDelegate/shortcutItems``, in a scene that has been connected before.
  ///
  /// The scene is chosen by the item's ``ApplicationShortcutItem/targetContentIdentifier``, else it is the one that was active
  /// last, and it is called when ``SceneDelegate/scene(_:openURLContexts:)`` would be: brought to the foreground first, between
  /// `sceneWillEnterForeground` and `sceneDidBecomeActive`. An item for which a session is connected, or the program was
  /// launched, is in ``Scene/ConnectionOptions/shortcutItem`` instead, unless
  /// ``ApplicationDelegate/replaysConnectionPayloads`` is true. Driven by `ActivateAction` of `org.freedesktop.Application`
  /// over D-Bus, and by a second start with `--action`.
  /// - Parameters:
  ///   - windowScene: The scene.
  ///   - shortcutItem: The item.
  ///   - completionHandler: To be called on the main thread, now or later, with whether it was done; that is in the trace.
  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void)

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

extension WindowSceneDelegate {
  /// Does nothing, and says so.
  public func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) { completionHandler(false) }
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

extension WindowSceneDelegate where SceneWindow == Window {
  /// Nothing; setting it does nothing.
  public var window: Window? {
    get { nil }
    set { _ = newValue }
  }
}
