public import FoundationEssentials

// Typed notifications, each posted on the main thread right after the delegate's call of the same moment. Observe one
// subject or all of them, and keep the token:
// `NotificationCenter.default.addObserver(of: Scene.self, for: .didActivate) { message in ... }`.

extension Scene {
  /// Posted after `scene(_:willConnectTo:options:)`.
  public struct WillConnectMessage: SceneMessage {
    /// The scene.
    public let scene: Scene
  }
  /// Posted after `sceneDidDisconnect(_:)`.
  public struct DidDisconnectMessage: SceneMessage {
    /// The scene.
    public let scene: Scene
  }
  /// Posted after `sceneWillEnterForeground(_:)`.
  public struct WillEnterForegroundMessage: SceneMessage {
    /// The scene.
    public let scene: Scene
  }
  /// Posted after `sceneDidBecomeActive(_:)`.
  public struct DidActivateMessage: SceneMessage {
    /// The scene.
    public let scene: Scene
  }
  /// Posted after `sceneWillResignActive(_:)`.
  public struct WillDeactivateMessage: SceneMessage {
    /// The scene.
    public let scene: Scene
  }
  /// Posted after `sceneDidEnterBackground(_:)`.
  public struct DidEnterBackgroundMessage: SceneMessage {
    /// The scene.
    public let scene: Scene
  }
}

extension Application {
  /// Posted after `application(_:didFinishLaunchingWithOptions:)`.
  public struct DidFinishLaunchingMessage: ApplicationMessage {
    /// The application.
    public let application: Application
    /// The launch options.
    public let launchOptions: LaunchOptions
  }
  /// Posted when the most active scene became active, in both models.
  public struct DidBecomeActiveMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }
  /// Posted when no scene is about to be active any more, in both models.
  public struct WillResignActiveMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }
  /// Posted when the last scene entered the background, in both models.
  public struct DidEnterBackgroundMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }
  /// Posted when all scenes were in the background and one comes to the foreground, in both models.
  public struct WillEnterForegroundMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }
  /// Posted after `applicationSignificantTimeChange(_:)`, in both models.
  public struct SignificantTimeChangeMessage: ApplicationMessage {
    /// The application.
    public let application: Application
    /// The changes, at least one.
    public let changes: Set<SignificantTimeChange>
  }
  /// Posted after `applicationProtectedDataWillBecomeUnavailable(_:)`, in both models.
  public struct ProtectedDataWillBecomeUnavailableMessage: ApplicationMessage {
    /// The application.
    public let application: Application
    /// What says that the user has gone, as the trace names it: the bus names of logind (`org.freedesktop.login1`) and
    /// of screen savers; `locker` stands for a locker on X11 that says nothing on a bus.
    public let sources: Set<String>
  }
  /// Posted after `applicationProtectedDataDidBecomeAvailable(_:)`, in both models.
  public struct ProtectedDataDidBecomeAvailableMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }
  /// Posted when ``Application/backgroundRefreshStatus`` has changed.
  public struct BackgroundRefreshStatusDidChangeMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }
  /// Posted after `applicationWillTerminate(_:)`.
  public struct WillTerminateMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }
}

extension Window {
  /// Posted when `isHidden` became false; never because the window manager showed or hid the window.
  public struct DidBecomeVisibleMessage: WindowMessage {
    /// The window.
    public let window: Window
  }
  /// Posted when `isHidden` became true; never because the window manager showed or hid the window.
  public struct DidBecomeHiddenMessage: WindowMessage {
    /// The window.
    public let window: Window
  }
  /// Posted after `becomeKey()`.
  public struct DidBecomeKeyMessage: WindowMessage {
    /// The window.
    public let window: Window
  }
  /// Posted after `resignKey()`.
  public struct DidResignKeyMessage: WindowMessage {
    /// The window.
    public let window: Window
  }
}

extension Screen {
  /// Posted when a screen was added while the program runs; not for those that are there at launch.
  ///
  /// Then a scene may be made for it: ``SceneSession/Role/windowExternalDisplayNonInteractive``.
  public struct DidConnectMessage: ScreenMessage {
    /// The screen.
    public let screen: Screen
  }
  /// Posted when a screen was disconnected, before its scenes are.
  public struct DidDisconnectMessage: ScreenMessage {
    /// The screen.
    public let screen: Screen
  }
  /// Posted when the frame, size, scale, rotation or rank of a screen has changed.
  public struct ModeDidChangeMessage: ScreenMessage {
    /// The screen.
    public let screen: Screen
  }
  /// Posted when ``Screen/visibleFrame`` has changed: a panel has come, gone or changed, or the screen's mode has.
  ///
  /// After ``ModeDidChangeMessage`` of the same moment.
  public struct VisibleFrameDidChangeMessage: ScreenMessage {
    /// The screen.
    public let screen: Screen
  }
}

/// A message about the application; posted on the main thread.
public protocol ApplicationMessage: NotificationCenter.MainActorMessage where Subject == Application {
  /// The application.
  var application: Application { get }
}

extension ApplicationMessage {
  /// The type of the message's name.
  public typealias Identifier = NotificationCenter.BaseMessageIdentifier<Self>

  /// Posts the message about its application.
  @MainActor func post() { post(about: application) }
}

/// A message about a scene; posted on the main thread.
public protocol SceneMessage: NotificationCenter.MainActorMessage where Subject == Scene {
  /// The scene.
  var scene: Scene { get }
}

extension SceneMessage {
  /// The type of the message's name.
  public typealias Identifier = NotificationCenter.BaseMessageIdentifier<Self>

  /// Posts the message about its scene.
  @MainActor func post() { post(about: scene) }
}

/// A message about a window; posted on the main thread.
public protocol WindowMessage: NotificationCenter.MainActorMessage where Subject == Window {
  /// The window.
  var window: Window { get }
}

extension WindowMessage {
  /// The type of the message's name.
  public typealias Identifier = NotificationCenter.BaseMessageIdentifier<Self>

  /// Posts the message about its window.
  @MainActor func post() { post(about: window) }
}

/// A message about a screen; posted on the main thread.
public protocol ScreenMessage: NotificationCenter.MainActorMessage where Subject == Screen {
  /// The screen.
  var screen: Screen { get }
}

extension ScreenMessage {
  /// The type of the message's name.
  public typealias Identifier = NotificationCenter.BaseMessageIdentifier<Self>

  /// Posts the message about its screen.
  @MainActor func post() { NotificationCenter.default.post(self, subject: screen) }
}
