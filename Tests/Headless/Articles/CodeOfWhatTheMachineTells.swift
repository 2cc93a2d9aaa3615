import Proscenium

private struct Keys {
  func forget() {}
  func load() {}
}
private struct Calendar { func reload() {} }
private let (keys, calendar) = (Keys(), Calendar())

// Begin: code of WhatTheMachineTells.md
private final class AppDelegate: Responder {}

extension AppDelegate: ApplicationDelegate {
  func applicationProtectedDataWillBecomeUnavailable(_ application: Application) { keys.forget() }
  func applicationProtectedDataDidBecomeAvailable(_ application: Application) { keys.load() }
  func applicationSignificantTimeChange(_ application: Application) { calendar.reload() }
}
// End: code of WhatTheMachineTells.md
