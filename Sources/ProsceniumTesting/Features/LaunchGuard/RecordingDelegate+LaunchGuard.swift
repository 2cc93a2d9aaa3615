public import ProsceniumCore

extension RecordingDelegate {
  public func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>) {
    record("didHoldBackSceneSessions", nil, "\(sceneSessions.count)", value: sceneSessions)
  }
}
