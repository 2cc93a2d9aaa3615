import ProsceniumPlatform
import SceneLifecycle

/// Gives the program what it may hold in the foreground only, and takes it back in the background: the screen kept awake,
/// the pointer, the keyboard.
final class ForegroundRights: Feature {
  enum Message: Equatable {
    /// ``Application/isIdleTimerDisabled`` has been set.
    case idleTimerSet
  }

  private unowned let conductor: Conductor
  /// What the window system has been asked.
  private var isScreenKeptAwake = false
  /// A scene is in the foreground, or was since the application last entered the background.
  private var isInForeground = false
  /// What keeps the screen awake besides the window system.
  private var inhibitor: (any IdleInhibitor)?

  init(_ conductor: Conductor) { self.conductor = conductor }

  /// Keeps the screen awake by this, too.
  func use(_ inhibitor: any IdleInhibitor) {
    self.inhibitor = inhibitor
    if isScreenKeptAwake { inhibitor.keepAwake(true) }
  }

  func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .after(.sceneWillEnterForeground, _):
      guard !isInForeground else { return [] }
      isInForeground = true
      return keepScreenAwake()
    case .afterApplication(.applicationDidEnterBackground):
      guard isInForeground else { return [] }
      isInForeground = false
      return [.command(.releaseGrabs)] + keepScreenAwake() + exit()
    default: return []
    }
  }

  func receive(_ message: Message) -> [FeatureAction] { keepScreenAwake() }

  private func keepScreenAwake() -> [FeatureAction] {
    let isKeptAwake = conductor.application.isIdleTimerDisabled && isInForeground
    guard isKeptAwake != isScreenKeptAwake else { return [] }
    isScreenKeptAwake = isKeptAwake
    inhibitor?.keepAwake(isKeptAwake)
    return [.command(.suspendScreenSaver(isKeptAwake))]
  }

  /// A program that does not stay in the background ends by its own will.
  private func exit() -> [FeatureAction] {
    guard !conductor.law.isEnding, conductor.application.resolvedManifest.exitsOnSuspend else { return [] }
    return [.post(AnyMessage(Termination.self, .ask(.requested, status: 0)))]
  }
}

extension Application {
  /// Whether the screen saver is kept away; false at first (UIKit's name).
  ///
  /// Counts while the program is in the foreground: in the background the framework lets the screen saver come, and
  /// keeps it away again on return. On X11 by MIT-SCREEN-SAVER's Suspend, and over the bus, for savers that watch the time
  /// by themselves: `org.freedesktop.ScreenSaver`'s Inhibit, or the desktop portal's where only that is there.
  public var isIdleTimerDisabled: Bool {
    get { value(IdleTimerKey.self) }
    set {
      setValue(newValue, IdleTimerKey.self)
      conductor?.perform(.send(AnyMessage(ForegroundRights.self, .idleTimerSet)))
    }
  }
}

private enum IdleTimerKey: ValueKey {
  static var initial: Bool { false }
}
