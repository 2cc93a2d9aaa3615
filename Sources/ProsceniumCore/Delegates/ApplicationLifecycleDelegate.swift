/// The callbacks of an ``ApplicationDelegate`` about launch, configuration of scenes, end, and in the app-based model the
/// program's state.
@preconcurrency @MainActor public protocol ApplicationLifecycleDelegate: AnyObject {
  /// ``SceneConfiguration`` where ``application(_:configurationForConnecting:options:)`` is implemented; inferred.
  associatedtype ConnectingConfiguration = NotImplemented

  /// The program's manifest; without a scene configuration by default.
  ///
  /// Read once, on the main thread, before launch, and by `--install-desktop-entry`.
  var manifest: ApplicationManifest { get }

  /// Whether the delegate implements a callback whose presence changes what the framework does.
  ///
  /// By default the static type of the delegate decides. A delegate that passes callbacks on to another object, or a
  /// class whose subclasses override one, answers by itself. Asked on the main thread, before launch and before each use.
  /// - Parameter callback: The callback.
  /// - Returns: Whether the framework is to call it.
  func implements(_ callback: OptionalApplicationCallback) -> Bool

  /// Called first of all, before any scene connects. Windows made visible here appear after the second callback.
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool

  /// Called after ``application(_:willFinishLaunchingWithOptions:)``; then the notification is posted.
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool

  /// Asked for the configuration of each **new** session, before its scene is made.
  ///
  /// Not called for sessions that connect again; but a delegate without ``ApplicationManifest/sceneConfigurations`` is asked once more for
  /// each session of an earlier run, which has no configuration then. The role must be the session's.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> ConnectingConfiguration

  /// Called when sessions are gone for good: the user closed their windows, or the program asked for it.
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>)

  /// Called after the launch callbacks if stored sessions are not brought back: ``SceneSession/holdReason`` says why.
  ///
  /// They are kept, and stay in ``Application/openSessions``: activate one to try again, or destroy it.
  func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>)

  /// Called when sessions cannot be kept on disk: the directory cannot be made, read or written, or the disk is full.
  ///
  /// The program runs on; what could not be saved is tried again with the next save. Called once, and again only after
  /// saving has worked in between.
  func application(_ application: Application, didFailToSaveSceneSessions error: any Error)

  /// Asked before the program ends (our addition, AppKit's name): now, later or not at all.
  ///
  /// ``Application/terminationCause`` says why it is to end. A refusal is heard where the user or the program asks; a
  /// signal, the end of the session or the loss of the display ends the program anyway, and an answer that comes
  /// ``TerminateReply/later`` has five seconds then.
  func applicationShouldTerminate(_ application: Application) -> TerminateReply

  /// Whether the program ends when its last scene has been closed; true by default.
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool

  /// The orientations in which the program can show what is in a window; all by default.
  ///
  /// Asked often: keep it quick. See ``WindowScene/interfaceOrientation`` for what comes of it. None counts as all.
  func application(_ application: Application, supportedInterfaceOrientationsFor window: Window?)
    -> InterfaceOrientationMask

  /// Called last, after every scene has been disconnected.
  ///
  /// Not called when the process is killed, or dies, nor when it is told to end while it is suspended.
  func applicationWillTerminate(_ application: Application)

  /// Called when the time that the user reads has jumped: at midnight, when the clock is set, when the machine's time zone
  /// changes, when daylight saving begins or ends.
  ///
  /// In both models, on the main thread, once for all that has happened since it was called last; then observers of
  /// ``Application/SignificantTimeChangeMessage``, which says what it was, hear of it. A change while the program is suspended
  /// is told when it runs again, unless it was undone meanwhile. Driven by the kernel's clock and by `/etc/localtime`; the
  /// zone is not followed where `TZ` is set in the environment, and `tzset(3)` has been called when it is another one.
  func applicationSignificantTimeChange(_ application: Application)

  /// Called when the user has gone and somebody else may come: the screen has been locked, or another session is in front.
  ///
  /// In both models, after every scene has entered the background. A moment later (``HoldTimes/protectedData``)
  /// ``Application/isProtectedDataAvailable`` is false: close what only the user may see, and forget its keys. Nothing is
  /// encrypted by the framework. Driven by logind's `LockedHint` and `Active`, and by the screen savers of the desktops over
  /// D-Bus; not called where neither says that the screen is locked, as with a locker that tells nobody.
  func applicationProtectedDataWillBecomeUnavailable(_ application: Application)
  /// Called when the user is back, before any scene comes to the foreground.
  ///
  /// Once for each ``applicationProtectedDataWillBecomeUnavailable(_:)``.
  func applicationProtectedDataDidBecomeAvailable(_ application: Application)

  /// App-based model only: the implicit scene is about to become visible again.
  func applicationWillEnterForeground(_ application: Application)
  /// App-based model only: the implicit scene is the one being used.
  func applicationDidBecomeActive(_ application: Application)
  /// App-based model only: the implicit scene is about to stop being the one used.
  func applicationWillResignActive(_ application: Application)
  /// App-based model only: nobody can see the implicit scene any more, or the launch showed nothing.
  func applicationDidEnterBackground(_ application: Application)

  /// App-based model only: whether the program's state is to be saved, after it entered the background; false by
  /// default.
  ///
  /// Both this and ``application(_:shouldRestoreSecureApplicationState:)`` have to say yes for state to survive.
  func application(_ application: Application, shouldSaveSecureApplicationState state: UserActivity) -> Bool
  /// App-based model only: whether the state of the last run is to be brought back; false by default.
  ///
  /// Called between the two launch callbacks if there is such a state.
  func application(_ application: Application, shouldRestoreSecureApplicationState state: UserActivity) -> Bool
  /// App-based model only: puts into the activity what ``application(_:didDecodeRestorableStateWith:)`` will need.
  func application(_ application: Application, willEncodeRestorableStateWith state: UserActivity)
  /// App-based model only: the state of the last run; called between the two launch callbacks.
  func application(_ application: Application, didDecodeRestorableStateWith state: UserActivity)
}

extension ApplicationLifecycleDelegate {
  /// Declares nothing.
  public var manifest: ApplicationManifest { ApplicationManifest() }
  /// Decides by the delegate's static type.
  public func implements(_ callback: OptionalApplicationCallback) -> Bool {
    switch callback {
    case .configurationForConnecting: ConnectingConfiguration.self != NotImplemented.self
    }
  }
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
  /// Does nothing.
  public func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>) {}
  /// Does nothing; the failure has been written to standard error.
  public func application(_ application: Application, didFailToSaveSceneSessions error: any Error) {}
  /// The program ends at once.
  public func applicationShouldTerminate(_ application: Application) -> TerminateReply { .now }
  /// The program ends.
  public func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { true }
  /// All of them.
  public func application(_ application: Application, supportedInterfaceOrientationsFor window: Window?)
    -> InterfaceOrientationMask
  { .all }
  /// Does nothing.
  public func applicationWillTerminate(_ application: Application) {}
  /// Does nothing.
  public func applicationSignificantTimeChange(_ application: Application) {}
  /// Does nothing.
  public func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {}
  /// Does nothing.
  public func applicationProtectedDataDidBecomeAvailable(_ application: Application) {}
  /// Does nothing.
  public func applicationWillEnterForeground(_ application: Application) {}
  /// Does nothing.
  public func applicationDidBecomeActive(_ application: Application) {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: Application) {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: Application) {}

  /// Nothing is saved.
  public func application(_ application: Application, shouldSaveSecureApplicationState state: UserActivity) -> Bool {
    false
  }
  /// Nothing is restored.
  public func application(_ application: Application, shouldRestoreSecureApplicationState state: UserActivity) -> Bool {
    false
  }
  /// Does nothing.
  public func application(_ application: Application, willEncodeRestorableStateWith state: UserActivity) {}
  /// Does nothing.
  public func application(_ application: Application, didDecodeRestorableStateWith state: UserActivity) {}
}

/// A callback of the application's delegate whose presence changes what the framework does.
public enum OptionalApplicationCallback: Hashable, Sendable, CaseIterable {
  /// `application(_:configurationForConnecting:options:)`: the life cycle is scene-based.
  case configurationForConnecting
}
