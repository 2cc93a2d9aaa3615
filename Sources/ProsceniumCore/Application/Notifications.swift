public import FoundationEssentials

// Typed notifications, each posted on the main thread right after the delegate's call of the same moment. Observe one
// subject or all of them, and keep the token:
// `NotificationCenter.default.addObserver(of: Scene.self, for: .didActivate) { message in ... }`.

extension Scene {
  /// Posted after `scene(_:willConnectTo:options:)`.
  public struct WillConnectMessage: SceneMessage {
    public let scene: Scene
  }
  /// Posted after `sceneDidDisconnect(_:)`.
  public struct DidDisconnectMessage: SceneMessage {
    public let scene: Scene
  }
  /// Posted after `sceneWillEnterForeground(_:)`.
  public struct WillEnterForegroundMessage: SceneMessage {
    public let scene: Scene
  }
  /// Posted after `sceneDidBecomeActive(_:)`.
  public struct DidActivateMessage: SceneMessage {
    public let scene: Scene
  }
  /// Posted after `sceneWillResignActive(_:)`.
  public struct WillDeactivateMessage: SceneMessage {
    public let scene: Scene
  }
  /// Posted after `sceneDidEnterBackground(_:)`.
  public struct DidEnterBackgroundMessage: SceneMessage {
    public let scene: Scene
  }
}

extension Application {
  /// Posted after `application(_:didFinishLaunchingWithOptions:)`.
  public struct DidFinishLaunchingMessage: ApplicationMessage {
    public let application: Application
    /// What the program was launched with.
    public let launchOptions: LaunchOptions
  }
  /// Posted when the most active scene became active, in both models.
  public struct DidBecomeActiveMessage: ApplicationMessage {
    public let application: Application
  }
  /// Posted when no scene is going to be active any more, in both models.
  public struct WillResignActiveMessage: ApplicationMessage {
    public let application: Application
  }
  /// Posted when the last scene entered the background, in both models.
  public struct DidEnterBackgroundMessage: ApplicationMessage {
    public let application: Application
  }
  /// Posted when all scenes were in the background and one comes to the foreground, in both models.
  public struct WillEnterForegroundMessage: ApplicationMessage {
    public let application: Application
  }
  /// Posted after `applicationSignificantTimeChange(_:)`, in both models.
  public struct SignificantTimeChangeMessage: ApplicationMessage {
    public let application: Application
    /// What has happened, at least one thing.
    public let changes: Set<SignificantTimeChange>
  }
  /// Posted after `applicationProtectedDataWillBecomeUnavailable(_:)`, in both models.
  public struct ProtectedDataWillBecomeUnavailableMessage: ApplicationMessage {
    public let application: Application
  }
  /// Posted after `applicationProtectedDataDidBecomeAvailable(_:)`, in both models.
  public struct ProtectedDataDidBecomeAvailableMessage: ApplicationMessage {
    public let application: Application
  }
  /// Posted after `applicationWillTerminate(_:)`.
  public struct WillTerminateMessage: ApplicationMessage {
    public let application: Application
  }
}

extension Application {
  /// Posted when ``Application/backgroundRefreshStatus`` has changed.
  public struct BackgroundRefreshStatusDidChangeMessage: ApplicationMessage {
    public let application: Application
  }
}

extension Window {
  /// Posted when `isHidden` became false; never because the window manager showed or hid the window.
  public struct DidBecomeVisibleMessage: WindowMessage {
    public let window: Window
  }
  /// Posted when `isHidden` became true; never because the window manager showed or hid the window.
  public struct DidBecomeHiddenMessage: WindowMessage {
    public let window: Window
  }
  /// Posted after `becomeKey()`.
  public struct DidBecomeKeyMessage: WindowMessage {
    public let window: Window
  }
  /// Posted after `resignKey()`.
  public struct DidResignKeyMessage: WindowMessage {
    public let window: Window
  }
}

extension Screen {
  /// Posted when a screen was added while the program runs; not for those that are there at launch.
  ///
  /// Then a scene may be made for it: ``SceneSession/Role/windowExternalDisplayNonInteractive``.
  public struct DidConnectMessage: ScreenMessage {
    public let screen: Screen
  }
  /// Posted when a screen was taken away, before its scenes are disconnected.
  public struct DidDisconnectMessage: ScreenMessage {
    public let screen: Screen
  }
  /// Posted when a screen has another frame, size, scale, rotation or rank.
  public struct ModeDidChangeMessage: ScreenMessage {
    public let screen: Screen
  }
  /// Posted when ``Screen/visibleFrame`` is another one: a panel has come, gone or changed, or the screen's mode has.
  ///
  /// After ``ModeDidChangeMessage`` of the same moment.
  public struct VisibleFrameDidChangeMessage: ScreenMessage {
    public let screen: Screen
  }
}

/// A message about the application; posted on the main thread.
public protocol ApplicationMessage: NotificationCenter.MainActorMessage where Subject == Application {
  /// The application.
  var application: Application { get }
}

/// A message about a scene; posted on the main thread.
public protocol SceneMessage: NotificationCenter.MainActorMessage where Subject == Scene {
  /// The scene.
  var scene: Scene { get }
}

/// A message about a window; posted on the main thread.
public protocol WindowMessage: NotificationCenter.MainActorMessage where Subject == Window {
  /// The window.
  var window: Window { get }
}

/// A message about a screen; posted on the main thread.
public protocol ScreenMessage: NotificationCenter.MainActorMessage where Subject == Screen {
  /// The screen.
  var screen: Screen { get }
}
