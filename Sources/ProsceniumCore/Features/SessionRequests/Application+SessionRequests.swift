extension Application {
  /// Requests a new scene, or brings an existing one forward.
  ///
  /// May be called anywhere on the main thread; performed after the present callback has returned. On
  /// X11 the state changes only when the window manager shows and focuses the window, which it may refuse.
  /// - Parameters:
  ///   - request: The request.
  ///   - errorHandler: Called on the main thread, only on failure; at once where the application is not launched.
  ///     Without one a later failure is written to standard error.
  public func activateSceneSession(
    for request: SceneSessionActivationRequest, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) { ask(.activate(request, SceneContent()), errorHandler) }

  /// Brings a session forward, or requests a new scene.
  ///
  /// The activity is in the connection options of a scene that is connected for the request; one that is connected
  /// already gets it by `scene(_:continue:)` (``SceneSessionActivationRequest/init(role:userActivity:)``).
  /// - Parameters:
  ///   - session: The session; nil for the open one that accepts the activity's target, or a new scene.
  ///   - userActivity: The activity that the scene continues.
  ///   - requestingScene: The scene that makes the request: a new scene gets its role. An ordinary window where nil.
  ///   - errorHandler: Called on the main thread, only on failure; at once where the application is not launched.
  public func requestSceneSessionActivation(
    _ session: SceneSession?, userActivity: UserActivity?, requestingScene: Scene? = nil,
    errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    let role = requestingScene.map(\.session.role) ?? .windowApplication
    let request =
      session.map { SceneSessionActivationRequest(session: $0, userActivity: userActivity) }
      ?? SceneSessionActivationRequest(role: role, userActivity: userActivity)
    activateSceneSession(for: request, errorHandler: errorHandler)
  }

  /// Requests that a session is discarded, its scene disconnected first.
  ///
  /// The scene's delegate is not asked. The last scene's destruction has the effects of a close.
  /// - Parameters:
  ///   - session: The session.
  ///   - options: The meaning of the destruction to the user.
  ///   - errorHandler: Called on the main thread, only on failure; at once where the application is not launched.
  public func requestSceneSessionDestruction(
    _ session: SceneSession, options: SceneDestructionRequestOptions? = nil,
    errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) { ask(.destroy(session, options ?? SceneDestructionRequestOptions()), errorHandler) }

  /// Requests a refresh of a session whose visible content changed.
  ///
  /// The state of a connected scene is read, and if it is in the background a new snapshot is captured; a
  /// session that is disconnected is connected in the background for that, where ``reclaimPolicy`` may disconnect it
  /// again.
  /// - Parameters:
  ///   - session: The session.
  ///   - errorHandler: Called on the main thread, only on failure; at once where the application is not launched.
  public func requestSceneSessionRefresh(
    _ session: SceneSession, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) { ask(.refresh(session), errorHandler) }

  /// Requests the disconnection of a scene in the background (our addition).
  ///
  /// Its scene, delegate, views and pixmaps are freed; the session stays, and a bare window that keeps its place in the
  /// taskbar. Shown or focused again, the session is connected with a new scene and a new delegate.
  /// - Parameters:
  ///   - session: The session of the scene.
  ///   - errorHandler: Called on the main thread, only on failure, as where the scene is not in the background; at once
  ///     where the application is not launched.
  public func requestSceneDisconnection(
    _ session: SceneSession, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) { ask(.disconnect(session), errorHandler) }

  private func ask(_ request: SessionRequests.Request, _ errorHandler: (@MainActor (any Error) -> Void)?) {
    assertMainThread()
    guard let conductor else {
      errorHandler?(SceneError(.requestDenied, "The application has not been launched."))
      return
    }
    let handler = errorHandler.map { ErrorHandler($0) }
    conductor.post(SessionRequests.self, SessionRequests.Message(request: request, errorHandler: handler))
  }
}
