public import FoundationEssentials

/// The callback of an ``ApplicationDelegate`` about memory.
@preconcurrency @MainActor public protocol MemoryApplicationDelegate: AnyObject {
  /// Called when memory is short: free resources that can be made again.
  ///
  /// In both models, in the foreground and in the background, at most every ten seconds, and at once where the kernel
  /// is about to kill processes. Then view controllers are called (``ProsceniumUI``), then observers of
  /// ``Application/DidReceiveMemoryWarningMessage``; then the framework empties every ``PurgeableCache``, those of
  /// scenes in the background first, and disconnects scenes by the ``Application/reclaimPolicy``. Driven by
  /// `$MEMORY_PRESSURE_WATCH` (systemd's protocol), else the pressure files of Linux; never called where there are
  /// none.
  /// - Parameter application: The application.
  func applicationDidReceiveMemoryWarning(_ application: Application)
}

extension MemoryApplicationDelegate {
  /// Does nothing.
  public func applicationDidReceiveMemoryWarning(_ application: Application) {}
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.DidReceiveMemoryWarningMessage> {
  /// Names ``Application/DidReceiveMemoryWarningMessage``.
  public static var didReceiveMemoryWarning: Self { .init() }
}
