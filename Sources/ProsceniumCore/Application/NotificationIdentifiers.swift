public import FoundationEssentials

extension NotificationCenter.MessageIdentifier where Self == Scene.WillConnectMessage.Identifier {
  /// Names ``Scene/WillConnectMessage``.
  public static var willConnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Scene.DidDisconnectMessage.Identifier {
  /// Names ``Scene/DidDisconnectMessage``.
  public static var didDisconnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Scene.WillEnterForegroundMessage.Identifier {
  /// Names ``Scene/WillEnterForegroundMessage``.
  public static var willEnterForeground: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Scene.DidActivateMessage.Identifier {
  /// Names ``Scene/DidActivateMessage``.
  public static var didActivate: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Scene.WillDeactivateMessage.Identifier {
  /// Names ``Scene/WillDeactivateMessage``.
  public static var willDeactivate: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Scene.DidEnterBackgroundMessage.Identifier {
  /// Names ``Scene/DidEnterBackgroundMessage``.
  public static var didEnterBackground: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Application.DidFinishLaunchingMessage.Identifier {
  /// Names ``Application/DidFinishLaunchingMessage``.
  public static var didFinishLaunching: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Application.DidBecomeActiveMessage.Identifier {
  /// Names ``Application/DidBecomeActiveMessage``.
  public static var didBecomeActive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Application.WillResignActiveMessage.Identifier {
  /// Names ``Application/WillResignActiveMessage``.
  public static var willResignActive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Application.SignificantTimeChangeMessage.Identifier {
  /// Names ``Application/SignificantTimeChangeMessage``.
  public static var significantTimeChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == Application.ProtectedDataWillBecomeUnavailableMessage.Identifier {
  /// Names ``Application/ProtectedDataWillBecomeUnavailableMessage``.
  public static var protectedDataWillBecomeUnavailable: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == Application.ProtectedDataDidBecomeAvailableMessage.Identifier {
  /// Names ``Application/ProtectedDataDidBecomeAvailableMessage``.
  public static var protectedDataDidBecomeAvailable: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Application.DidEnterBackgroundMessage.Identifier {
  /// Names ``Application/DidEnterBackgroundMessage``.
  public static var didEnterBackground: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Application.WillEnterForegroundMessage.Identifier {
  /// Names ``Application/WillEnterForegroundMessage``.
  public static var willEnterForeground: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Application.WillTerminateMessage.Identifier {
  /// Names ``Application/WillTerminateMessage``.
  public static var willTerminate: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == Application.BackgroundRefreshStatusDidChangeMessage.Identifier {
  /// Names ``Application/BackgroundRefreshStatusDidChangeMessage``.
  public static var backgroundRefreshStatusDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Window.DidBecomeVisibleMessage.Identifier {
  /// Names ``Window/DidBecomeVisibleMessage``.
  public static var didBecomeVisible: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Window.DidBecomeHiddenMessage.Identifier {
  /// Names ``Window/DidBecomeHiddenMessage``.
  public static var didBecomeHidden: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Window.DidBecomeKeyMessage.Identifier {
  /// Names ``Window/DidBecomeKeyMessage``.
  public static var didBecomeKey: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Window.DidResignKeyMessage.Identifier {
  /// Names ``Window/DidResignKeyMessage``.
  public static var didResignKey: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Screen.DidConnectMessage.Identifier {
  /// Names ``Screen/DidConnectMessage``.
  public static var didConnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Screen.DidDisconnectMessage.Identifier {
  /// Names ``Screen/DidDisconnectMessage``.
  public static var didDisconnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Screen.ModeDidChangeMessage.Identifier {
  /// Names ``Screen/ModeDidChangeMessage``.
  public static var modeDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Screen.VisibleFrameDidChangeMessage.Identifier {
  /// Names ``Screen/VisibleFrameDidChangeMessage``.
  public static var visibleFrameDidChange: Self { .init() }
}
