extension Application {
  /// Asks for a new scene, or for one that exists to be brought forward.
  ///
  /// May be called anywhere on the main thread; what it causes happens after the present callback has returned. On
  /// X11 the state changes only when the window manager shows and focuses the window, which it may refuse.
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - errorHandler: Called later, on the main thread, only on failure; without one the failure is written to
  ///     standard error.
  public func activateSceneSession(
    for request: SceneSessionActivationRequest, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    ask(.activate(request, SceneContent(), errorHandler.map { ErrorHandler($0) }), errorHandler)
  }

  /// Asks for a session to be brought forward, or for a new scene where it is nil.
  /// - Parameters:
  ///   - session: The session; nil for a new scene.
  ///   - userActivity: What the scene is to go on with.
  ///   - requestingScene: The scene that makes the request: a new scene gets its role. An ordinary window where nil.
  ///   - errorHandler: Called later, on the main thread, only on failure.
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

  /// Asks for a session to be discarded, its scene disconnected first.
  ///
  /// The scene's delegate is not asked. What follows when it was the last one is what follows a close.
  /// - Parameters:
  ///   - session: The session.
  ///   - options: What the destruction means to the user.
  ///   - errorHandler: Called later, on the main thread, only on failure.
  public func requestSceneSessionDestruction(
    _ session: SceneSession, options: SceneDestructionRequestOptions? = nil,
    errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    let options = options ?? SceneDestructionRequestOptions()
    ask(.destroy(session, options, errorHandler.map { ErrorHandler($0) }), errorHandler)
  }

  /// Asks for a session whose visible content changed to be brought up to date.
  ///
  /// A scene that is connected is asked for its state, and if it is in the background a new snapshot is taken; a session
  /// that is disconnected is connected in the background for that, where ``reclaimPolicy`` may disconnect it again.
  /// - Parameters:
  ///   - session: The session.
  ///   - errorHandler: Called later, on the main thread, only on failure.
  public func requestSceneSessionRefresh(
    _ session: SceneSession, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    ask(.refresh(session, errorHandler.map { ErrorHandler($0) }), errorHandler)
  }

  /// Asks for a scene in the background to be disconnected (our addition).
  ///
  /// Its scene, delegate, views and pixmaps go; the session stays, and a bare window that keeps its place in the
  /// taskbar. Shown or focused again, the session is connected with a new scene and a new delegate.
  /// - Parameters:
  ///   - session: The session of the scene.
  ///   - errorHandler: Called later, on the main thread, only on failure: if the scene is not in the background.
  public func requestSceneDisconnection(
    _ session: SceneSession, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    ask(.disconnect(session, errorHandler.map { ErrorHandler($0) }), errorHandler)
  }

  private func ask(_ message: SessionRequests.Message, _ errorHandler: (@MainActor (any Error) -> Void)?) {
    guard let conductor else {
      errorHandler?(SceneError(.requestDenied, "The application has not been launched."))
      return
    }
    conductor.post(SessionRequests.self, message)
  }
}
