extension X11Platform {
  /// The server keeps count for each client, and gives up what a client holds when it goes (MIT-SCREEN-SAVER, Suspend).
  func suspendScreenSaver(_ isOn: Bool) {
    guard !isLost, let extensions, extensions.has(.screenSaver) else { return }
    extensions.send(.screenSaverSuspend(isOn))
  }
}
