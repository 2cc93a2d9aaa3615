/// What a program is told about itself: launch, configuration of scenes, end, and in the app-based model its state.
///
/// Every requirement has a default, so a delegate implements what it needs. All are called on the main thread, one
/// after the other, never nested in another callback; what they ask for happens after they have returned.
///
/// The **scene-based** model is in force if ``sceneConfigurations`` is not empty or
/// ``application(_:configurationForConnecting:options:)`` is implemented: then each scene's delegate hears of its
/// state, and the four state callbacks below are not called. Otherwise the **app-based** one is: one implicit scene
/// without a delegate, to which ``Window``s belong that are made with `Window()`.
@preconcurrency @MainActor public protocol ApplicationDelegate: AnyObject {
  /// ``SceneConfiguration`` where ``application(_:configurationForConnecting:options:)`` is implemented; inferred.
  associatedtype ConnectingConfiguration = NotImplemented

  /// The application's id, in reverse domain notation; the class part of `WM_CLASS` (ICCCM 4.1.2.5) and the name of
  /// its state directory. The default is the program's file name. Asked once, before launch.
  var applicationIdentifier: String { get }

  /// The manifest: every configuration by name. The first of each role is the default for new sessions.
  ///
  /// Asked once, before launch. Names must be unique. The default is empty.
  var sceneConfigurations: [SceneConfiguration] { get }

  /// Whether more than one scene may be open at a time; true by default (UIKit's default is false).
  var supportsMultipleScenes: Bool { get }

  /// URL schemes that the program opens: arguments of the command line that are such URLs are taken as URLs to open.
  var openedURLSchemes: Set<String> { get }

  /// File name extensions that the program opens, without the dot: arguments of the command line that name such a
  /// file that exists are taken as URLs to open.
  var openedFileExtensions: Set<String> { get }

  /// Called first of all, before any scene connects. Windows made visible here appear after the second callback.
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool

  /// Called after ``application(_:willFinishLaunchingWithOptions:)``; then the notification is posted.
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool

  /// Asked for the configuration of each **new** session, before its scene is made.
  ///
  /// Not called for sessions that connect again. The role must be the session's.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> ConnectingConfiguration

  /// Called when sessions are gone for good: the user closed their windows, or the program asked for it.
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>)

  /// Whether the program ends when its last scene has been closed; true by default.
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool

  /// Called last, after every scene has been disconnected.
  ///
  /// Not called when the process is killed, or dies.
  func applicationWillTerminate(_ application: Application)

  /// App-based model only: the implicit scene is about to become visible again.
  func applicationWillEnterForeground(_ application: Application)
  /// App-based model only: the implicit scene is the one being used.
  func applicationDidBecomeActive(_ application: Application)
  /// App-based model only: the implicit scene is about to stop being the one used.
  func applicationWillResignActive(_ application: Application)
  /// App-based model only: nobody can see the implicit scene any more, or the launch showed nothing.
  func applicationDidEnterBackground(_ application: Application)
}

extension ApplicationDelegate {
  /// The program's file name.
  public var applicationIdentifier: String { Application.programName }
  /// No configurations.
  public var sceneConfigurations: [SceneConfiguration] { [] }
  /// Several scenes.
  public var supportsMultipleScenes: Bool { true }
  /// No schemes.
  public var openedURLSchemes: Set<String> { [] }
  /// No files.
  public var openedFileExtensions: Set<String> { [] }
  /// Does nothing.
  public func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  { true }
  /// Does nothing.
  public func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  { true }
  /// Says by its type that it is not implemented; never called.
  public func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> NotImplemented { NotImplemented() }
  /// Does nothing.
  public func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {}
  /// The program ends.
  public func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { true }
  /// Does nothing.
  public func applicationWillTerminate(_ application: Application) {}
  /// Does nothing.
  public func applicationWillEnterForeground(_ application: Application) {}
  /// Does nothing.
  public func applicationDidBecomeActive(_ application: Application) {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: Application) {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: Application) {}

  /// Whether `application(_:configurationForConnecting:options:)` is implemented; does not call it.
  var configuresScenes: Bool { ConnectingConfiguration.self != NotImplemented.self }
}
