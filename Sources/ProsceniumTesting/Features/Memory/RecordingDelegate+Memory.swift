public import ProsceniumCore

extension RecordingDelegate {
  /// Records the call.
  public func applicationDidReceiveMemoryWarning(_ application: Application) {
    record("applicationDidReceiveMemoryWarning")
  }
}
