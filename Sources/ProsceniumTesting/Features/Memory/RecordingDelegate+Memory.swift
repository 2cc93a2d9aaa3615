public import ProsceniumCore

extension RecordingDelegate {
  public func applicationDidReceiveMemoryWarning(_ application: Application) {
    record("applicationDidReceiveMemoryWarning")
  }
}
