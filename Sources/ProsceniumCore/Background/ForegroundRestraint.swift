/// What a program may hold only while somebody looks: the screen awake, the pointer, the keyboard.
@MainActor struct ForegroundRestraint {
  /// What the window system has been told.
  var isScreenKeptAwake = false
  /// A scene is in the foreground, or was since the application last entered the background.
  var isInForeground = false
  /// Who keeps the screen awake besides the window system.
  var idleInhibitor: (any IdleInhibitor)?
}

extension Application {
  /// Whether the screen saver is kept away; false at first (UIKit's name).
  ///
  /// Counts while the program is in the foreground: in the background the framework lets the screen saver come, and
  /// keeps it away again on return. On X11 by MIT-SCREEN-SAVER's Suspend, and over the bus, for savers that watch the time
  /// by themselves: `org.freedesktop.ScreenSaver`'s Inhibit, or the desktop portal's where only that is there.
  public var isIdleTimerDisabled: Bool {
    get { choices.isIdleTimerDisabled }
    set {
      choices.isIdleTimerDisabled = newValue
      stage?.restrain()
    }
  }
}

extension Stage {
  /// The application's state has been set; it may be the same.
  func applicationStateChanged() {
    observeBackgroundTime()
    watchConduct()
  }

  /// A scene has come to the foreground.
  func sceneEnteredForeground() {
    guard !restraint.isInForeground else { return }
    restraint.isInForeground = true
    restrain()
  }

  /// The application has entered the background: what may be held in the foreground only is given up.
  func applicationEnteredBackground() {
    guard restraint.isInForeground else { return }
    restraint.isInForeground = false
    platform.perform(.releaseGrabs)
    restrain()
    if !isConcealing, application.delegate?.exitsOnSuspend == true { post(.terminate(.requested, status: 0)) }
  }

  fileprivate func restrain() {
    let keepsAwake = application.isIdleTimerDisabled && restraint.isInForeground
    guard keepsAwake != restraint.isScreenKeptAwake else { return }
    restraint.isScreenKeptAwake = keepsAwake
    platform.perform(.suspendScreenSaver(keepsAwake))
    restraint.idleInhibitor?.keepAwake(keepsAwake)
  }
}
