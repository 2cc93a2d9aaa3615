/// The callback of an ``ApplicationDelegate`` about sessions that are not restored.
@preconcurrency @MainActor public protocol LaunchGuardApplicationDelegate: AnyObject {
  /// Called after the launch callbacks if stored sessions are not brought back: ``SceneSession/holdReason`` says why.
  ///
  /// They are kept, and stay in ``Application/openSessions``: activate one to try again, or destroy it.
  func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>)
}

extension LaunchGuardApplicationDelegate {
  /// Does nothing.
  public func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>) {}
}
