public import FoundationEssentials

// Typed notifications, each posted on the main thread right after the delegate's call of the same moment. Observe one
// subject or all of them, and keep the token:
// `NotificationCenter.default.addObserver(of: Scene.self, for: .didActivate) { message in ... }`.

extension Scene {
  /// Posted after `scene(_:willConnectTo:options:)`.
  public struct WillConnectMessage: NotificationCenter.MainActorMessage {
    /// The scene concerned.
    public typealias Subject = Scene
    /// The scene concerned.
    public let scene: Scene
  }
  /// Posted after `sceneDidDisconnect(_:)`.
  public struct DidDisconnectMessage: NotificationCenter.MainActorMessage {
    /// The scene concerned.
    public typealias Subject = Scene
    /// The scene concerned.
    public let scene: Scene
  }
  /// Posted after `sceneWillEnterForeground(_:)`.
  public struct WillEnterForegroundMessage: NotificationCenter.MainActorMessage {
    /// The scene concerned.
    public typealias Subject = Scene
    /// The scene concerned.
    public let scene: Scene
  }
  /// Posted after `sceneDidBecomeActive(_:)`.
  public struct DidActivateMessage: NotificationCenter.MainActorMessage {
    /// The scene concerned.
    public typealias Subject = Scene
    /// The scene concerned.
    public let scene: Scene
  }
  /// Posted after `sceneWillResignActive(_:)`.
  public struct WillDeactivateMessage: NotificationCenter.MainActorMessage {
    /// The scene concerned.
    public typealias Subject = Scene
    /// The scene concerned.
    public let scene: Scene
  }
  /// Posted after `sceneDidEnterBackground(_:)`.
  public struct DidEnterBackgroundMessage: NotificationCenter.MainActorMessage {
    /// The scene concerned.
    public typealias Subject = Scene
    /// The scene concerned.
    public let scene: Scene
  }
}

extension Application {
  /// Posted after `application(_:didFinishLaunchingWithOptions:)`.
  public struct DidFinishLaunchingMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
    /// The launch options.
    public let launchOptions: LaunchOptions
  }
  /// Posted when the most active scene became active, in both models.
  public struct DidBecomeActiveMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
  /// Posted when no scene is about to be active any more, in both models.
  public struct WillResignActiveMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
  /// Posted when the last scene entered the background, in both models.
  public struct DidEnterBackgroundMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
  /// Posted when all scenes were in the background and one comes to the foreground, in both models.
  public struct WillEnterForegroundMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
  /// Posted after `applicationDidReceiveMemoryWarning(_:)` and the view controllers' calls, in both models.
  public struct DidReceiveMemoryWarningMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
  /// Posted after `applicationSignificantTimeChange(_:)`, in both models.
  public struct SignificantTimeChangeMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
    /// The changes, at least one.
    public let changes: Set<SignificantTimeChange>
  }
  /// Posted after `applicationProtectedDataWillBecomeUnavailable(_:)`, in both models.
  public struct ProtectedDataWillBecomeUnavailableMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
  /// Posted after `applicationProtectedDataDidBecomeAvailable(_:)`, in both models.
  public struct ProtectedDataDidBecomeAvailableMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
  /// Posted after `applicationWillTerminate(_:)`.
  public struct WillTerminateMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
}

extension Application {
  /// Posted when ``Application/backgroundRefreshStatus`` has changed.
  public struct BackgroundRefreshStatusDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }
}

extension Window {
  /// Posted when `isHidden` became false; never because the window manager showed or hid the window.
  public struct DidBecomeVisibleMessage: NotificationCenter.MainActorMessage {
    /// The window concerned.
    public typealias Subject = Window
    /// The window concerned.
    public let window: Window
  }
  /// Posted when `isHidden` became true; never because the window manager showed or hid the window.
  public struct DidBecomeHiddenMessage: NotificationCenter.MainActorMessage {
    /// The window concerned.
    public typealias Subject = Window
    /// The window concerned.
    public let window: Window
  }
  /// Posted after `becomeKey()`.
  public struct DidBecomeKeyMessage: NotificationCenter.MainActorMessage {
    /// The window concerned.
    public typealias Subject = Window
    /// The window concerned.
    public let window: Window
  }
  /// Posted after `resignKey()`.
  public struct DidResignKeyMessage: NotificationCenter.MainActorMessage {
    /// The window concerned.
    public typealias Subject = Window
    /// The window concerned.
    public let window: Window
  }
}

extension Screen {
  /// Posted when a screen was added while the program runs; not for those that are there at launch.
  ///
  /// Then a scene may be made for it: ``SceneSession/Role/windowExternalDisplayNonInteractive``.
  public struct DidConnectMessage: NotificationCenter.MainActorMessage {
    /// The screen concerned.
    public typealias Subject = Screen
    /// The screen concerned.
    public let screen: Screen
  }
  /// Posted when a screen was disconnected, before its scenes are.
  public struct DidDisconnectMessage: NotificationCenter.MainActorMessage {
    /// The screen concerned.
    public typealias Subject = Screen
    /// The screen concerned.
    public let screen: Screen
  }
  /// Posted when the frame, size, scale, rotation or rank of a screen has changed.
  public struct ModeDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The screen concerned.
    public typealias Subject = Screen
    /// The screen concerned.
    public let screen: Screen
  }
  /// Posted when ``Screen/visibleFrame`` has changed: a panel has come, gone or changed, or the screen's mode has.
  ///
  /// After ``ModeDidChangeMessage`` of the same moment.
  public struct VisibleFrameDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The screen concerned.
    public typealias Subject = Screen
    /// The screen concerned.
    public let screen: Screen
  }
}
