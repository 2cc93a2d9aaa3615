/// Grants the foreground's rights, and revokes them in the background: the inhibited screen saver, the grabs of
/// the pointer and of the keyboard.
final class ForegroundRights: FeatureBase, Feature {
  /// The state that the window system was set to.
  private var isScreenKeptAwake = false
  /// A scene is in the foreground, or was since the application last entered the background.
  private var isInForeground = false
  /// An execution mode delays the exit in the background.
  private var exitsLater = false
  /// The inhibitor besides the window system.
  private var inhibitor: (any IdleInhibitor)?

  /// Sets the inhibitor besides the window system.
  func use(_ inhibitor: any IdleInhibitor) {
    self.inhibitor = inhibitor
    if isScreenKeptAwake { inhibitor.setInhibited(true) }
  }

  override func join(_ lists: inout FeatureLists) {
    lists.observe(after: [.sceneWillEnterForeground], by: self)
    lists.observe(moments: .afterApplication, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .after(.sceneWillEnterForeground, _) where !isInForeground:
      (isInForeground, exitsLater) = (true, false)
      return updateInhibition()
    case .afterApplication(.applicationDidEnterBackground) where isInForeground:
      isInForeground = false
      return [.command(.releaseGrabs)] + updateInhibition() + exit()
    case .executionChanged where exitsLater: return exit()
    default: return []
    }
  }

  /// Inhibits the screen saver, or permits it: ``Application/isIdleTimerDisabled`` or the foreground has changed.
  fileprivate func updateInhibition() -> [FeatureAction] {
    let isKeptAwake = application.isIdleTimerDisabled && isInForeground
    guard exchange(&isScreenKeptAwake, with: isKeptAwake) != isKeptAwake else { return [] }
    inhibitor?.setInhibited(isKeptAwake)
    return [.command(.suspendScreenSaver(isKeptAwake))]
  }

  /// A program that does not stay in the background terminates, once it holds no execution mode.
  private func exit() -> [FeatureAction] {
    guard !conductor.machine.phase.isEnding, application.resolvedManifest.exitsOnSuspend else { return [] }
    exitsLater = conductor.holdsExecution
    if exitsLater { return [] }
    // About the last scene that is closed the program is asked later, for that cause.
    if let closing = conductor.feature(Closing.self), closing.isAnyClosing, !closing.isAnyOpen { return [] }
    return [.post(AnyMessage(Termination.self, .ask(.requested, status: 0)))]
  }
}

extension Application {
  /// Whether the screen saver is inhibited; false at first (UIKit's name).
  ///
  /// Counts while the program is in the foreground: in the background the framework permits the screen saver, and
  /// inhibits it again on return. On X11 by MIT-SCREEN-SAVER's Suspend, and over the bus, for savers that measure the
  /// time by themselves: `org.freedesktop.ScreenSaver`'s Inhibit, or the desktop portal's where only that is available.
  public var isIdleTimerDisabled: Bool {
    get { value(IdleTimerKey.self) }
    set {
      setValue(newValue, IdleTimerKey.self)
      if let conductor { conductor.perform(conductor.feature(ForegroundRights.self)?.updateInhibition() ?? []) }
    }
  }
}

private enum IdleTimerKey: ValueKey { static var initial: Bool { false } }
