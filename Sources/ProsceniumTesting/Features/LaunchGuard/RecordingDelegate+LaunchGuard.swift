public import ProsceniumCore

extension RecordingDelegate {
  /// Records `didHoldBackSceneSessions` with the number of sessions.
  public func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>) {
    record("didHoldBackSceneSessions", nil, "\(sceneSessions.count)", value: sceneSessions)
  }
}
