public import FoundationEssentials

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Scene.WillConnectMessage> {
  /// Names ``Scene/WillConnectMessage``.
  public static var willConnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Scene.DidDisconnectMessage> {
  /// Names ``Scene/DidDisconnectMessage``.
  public static var didDisconnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Scene.WillEnterForegroundMessage> {
  /// Names ``Scene/WillEnterForegroundMessage``.
  public static var willEnterForeground: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Scene.DidActivateMessage> {
  /// Names ``Scene/DidActivateMessage``.
  public static var didActivate: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Scene.WillDeactivateMessage> {
  /// Names ``Scene/WillDeactivateMessage``.
  public static var willDeactivate: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Scene.DidEnterBackgroundMessage> {
  /// Names ``Scene/DidEnterBackgroundMessage``.
  public static var didEnterBackground: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.DidFinishLaunchingMessage> {
  /// Names ``Application/DidFinishLaunchingMessage``.
  public static var didFinishLaunching: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.DidBecomeActiveMessage> {
  /// Names ``Application/DidBecomeActiveMessage``.
  public static var didBecomeActive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.WillResignActiveMessage> {
  /// Names ``Application/WillResignActiveMessage``.
  public static var willResignActive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.SignificantTimeChangeMessage> {
  /// Names ``Application/SignificantTimeChangeMessage``.
  public static var significantTimeChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.ProtectedDataWillBecomeUnavailableMessage> {
  /// Names ``Application/ProtectedDataWillBecomeUnavailableMessage``.
  public static var protectedDataWillBecomeUnavailable: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.ProtectedDataDidBecomeAvailableMessage> {
  /// Names ``Application/ProtectedDataDidBecomeAvailableMessage``.
  public static var protectedDataDidBecomeAvailable: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.DidEnterBackgroundMessage> {
  /// Names ``Application/DidEnterBackgroundMessage``.
  public static var didEnterBackground: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.WillEnterForegroundMessage> {
  /// Names ``Application/WillEnterForegroundMessage``.
  public static var willEnterForeground: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.WillTerminateMessage> {
  /// Names ``Application/WillTerminateMessage``.
  public static var willTerminate: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.BackgroundRefreshStatusDidChangeMessage> {
  /// Names ``Application/BackgroundRefreshStatusDidChangeMessage``.
  public static var backgroundRefreshStatusDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Window.DidBecomeVisibleMessage> {
  /// Names ``Window/DidBecomeVisibleMessage``.
  public static var didBecomeVisible: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Window.DidBecomeHiddenMessage> {
  /// Names ``Window/DidBecomeHiddenMessage``.
  public static var didBecomeHidden: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Window.DidBecomeKeyMessage> {
  /// Names ``Window/DidBecomeKeyMessage``.
  public static var didBecomeKey: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Window.DidResignKeyMessage> {
  /// Names ``Window/DidResignKeyMessage``.
  public static var didResignKey: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Screen.DidConnectMessage> {
  /// Names ``Screen/DidConnectMessage``.
  public static var didConnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Screen.DidDisconnectMessage> {
  /// Names ``Screen/DidDisconnectMessage``.
  public static var didDisconnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Screen.ModeDidChangeMessage> {
  /// Names ``Screen/ModeDidChangeMessage``.
  public static var modeDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Screen.VisibleFrameDidChangeMessage> {
  /// Names ``Screen/VisibleFrameDidChangeMessage``.
  public static var visibleFrameDidChange: Self { .init() }
}
