/// The callbacks of an ``ApplicationDelegate`` about launch, configuration of scenes, end, and in the app-based model
/// the program's state.
///
/// All functions are called on the main thread.
@preconcurrency @MainActor public protocol ApplicationLifecycleDelegate: AnyObject {
  /// ``SceneConfiguration`` where ``application(_:configurationForConnecting:options:)`` is implemented; inferred.
  associatedtype ConnectingConfiguration: OptionalConnectingConfiguration = NotImplemented

  /// The program's manifest; without a scene configuration by default.
  ///
  /// Read once, on the main thread, before launch, and by `--install-desktop-entry`.
  var manifest: ApplicationManifest { get }

  /// Whether the delegate implements a callback whose presence changes the framework's behaviour.
  ///
  /// By default the type of the class that conforms decides. A delegate that forwards callbacks to another object
  /// implements this, and has the callback in its class. Subclasses override it: the framework does not find one that
  /// only a subclass has, which is an error where the answer is true. Called on the main thread, before launch and
  /// before each use.
  /// - Parameter callback: The callback.
  /// - Returns: Whether the framework calls it.
  func implements(_ callback: OptionalApplicationCallback) -> Bool

  /// Called first of all, before any scene connects. Windows made visible here appear after the second callback.
  /// - Parameters:
  ///   - application: The application.
  ///   - launchOptions: The options of the launch; never nil.
  /// - Returns: False where the launch's URLs and shortcut item have been handled, in the app-based model.
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool

  /// Called after ``application(_:willFinishLaunchingWithOptions:)``; then the notification is posted.
  /// - Parameters:
  ///   - application: The application.
  ///   - launchOptions: The options of the launch; never nil.
  /// - Returns: False where the launch's URLs and shortcut item have been handled, in the app-based model.
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool

  /// Called where ``application(_:didFinishLaunchingWithOptions:)`` is not implemented, in its place.
  /// - Parameter application: The application.
  func applicationDidFinishLaunching(_ application: Application)

  /// Returns the configuration of each **new** session, before its scene is made.
  ///
  /// Not called for sessions that connect again, except once more at a launch for each session of an earlier run whose
  /// configuration is not in ``ApplicationManifest/sceneConfigurations``: of a configuration its name is stored, and no
  /// class or function. `options.isReconnect` is true then, and the configuration of the session has the stored name. A
  /// session for which no configuration of its role is returned is held back. The role must be the session's.
  /// - Parameters:
  ///   - application: The application.
  ///   - session: The session.
  ///   - options: The options of the connection.
  /// - Returns: The configuration, a ``SceneConfiguration``.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> ConnectingConfiguration

  /// Called when sessions have been permanently discarded: the user closed their windows, or the program requested it.
  /// - Parameters:
  ///   - application: The application.
  ///   - sceneSessions: The sessions.
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>)

  /// Called after the launch callbacks if stored sessions are held back; ``SceneSession/holdReason`` is the reason.
  ///
  /// They stay in ``Application/openSessions``: activate one to try again, or destroy it.
  /// - Parameters:
  ///   - application: The application.
  ///   - sceneSessions: The sessions.
  func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>)

  /// Called when sessions cannot be saved on disk: the directory cannot be made, read or written, or the disk is full.
  ///
  /// The program continues, and what was not saved is tried again every second. Called once, and again only after
  /// everything has been saved in between, which is written to standard error and to the trace.
  /// - Parameters:
  ///   - application: The application.
  ///   - error: The error of the file system.
  func application(_ application: Application, didFailToSaveSceneSessions error: any Error)

  /// Called before the program terminates (our addition, AppKit's name): now, later or not at all.
  ///
  /// ``Application/terminationCause`` is the reason. A refusal has an effect where the user or the program requests the
  /// end; a signal, the end of the session or the loss of the display ends the program anyway, and an answer
  /// ``TerminateReply/later`` has five seconds then. On X11 also driven by the session manager's SaveYourself
  /// (XSMP).
  /// - Parameter application: The application.
  /// - Returns: The answer.
  func applicationShouldTerminate(_ application: Application) -> TerminateReply

  /// Whether the program ends when its last scene has been closed; true by default.
  ///
  /// Not asked where a callback about that scene's end, ``application(_:didDiscardSceneSessions:)`` among them, has
  /// asked for another scene.
  /// - Parameter application: The application.
  /// - Returns: Whether it ends.
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool

  /// The orientations that the program supports for a window; all by default.
  ///
  /// Called often: keep it quick. ``WindowScene/interfaceOrientation`` follows from it. None counts as all.
  /// - Parameters:
  ///   - application: The application.
  ///   - window: The window; nil for the whole program.
  /// - Returns: The orientations.
  func application(_ application: Application, supportedInterfaceOrientationsFor window: Window?)
    -> InterfaceOrientationMask

  /// Called last, after every scene has been disconnected.
  ///
  /// The process ends within ten seconds of this call, whatever holds it up: the method itself, a thread, the disk, or
  /// a function that runs at its end.
  ///
  /// Not called when the process is killed, crashes, or is terminated while it is suspended.
  /// - Parameter application: The application.
  func applicationWillTerminate(_ application: Application)

  /// Called when the local time has jumped: at midnight, when the clock is set, when the machine's time zone
  /// changes, when daylight saving begins or ends.
  ///
  /// In both models, on the main thread, once for all changes since the last call; before the observers of
  /// ``Application/SignificantTimeChangeMessage``, which contains the changes. A change while the program is suspended
  /// is reported when it runs again, unless it was undone in between. Driven by the kernel's clock and by
  /// `/etc/localtime`; the zone is not followed where `TZ` is set in the environment. After a change of the zone
  /// `tzset(3)` has been called.
  /// - Parameter application: The application.
  func applicationSignificantTimeChange(_ application: Application)

  /// Called when the screen has been locked, or another session is in front, so that another person may use the
  /// machine.
  ///
  /// In both models, after every scene has entered the background. A moment later (``HoldTimes/protectedData``)
  /// ``Application/isProtectedDataAvailable`` is false: close files that only the user may read, and discard their
  /// keys. It is false in the call already where the program was suspended at the lock, and for that moment after it.
  /// The framework encrypts nothing. Driven by logind's `LockedHint` and `Active`, by the screen savers of the
  /// desktop environments over D-Bus, and by what the X server shows of a locker that reports to neither;
  /// ``Application/ProtectedDataWillBecomeUnavailableMessage/sources`` says by which.
  ///
  /// Not called for a lock under which the program was started, where a bus tells of it within a tenth of a second:
  /// ``Application/isProtectedDataAvailable`` is false as soon as it has.
  /// - Parameter application: The application.
  func applicationProtectedDataWillBecomeUnavailable(_ application: Application)
  /// Called when the user is back, before any scene comes to the foreground.
  ///
  /// Once for each ``applicationProtectedDataWillBecomeUnavailable(_:)``, and after a start while the user was away.
  /// - Parameter application: The application.
  func applicationProtectedDataDidBecomeAvailable(_ application: Application)

  /// App-based model only: the implicit scene is about to become visible again.
  ///
  /// Not called for a launch to the foreground. Views appear and are drawn after it.
  /// - Parameter application: The application.
  func applicationWillEnterForeground(_ application: Application)
  /// App-based model only: the implicit scene is the one being used.
  /// - Parameter application: The application.
  func applicationDidBecomeActive(_ application: Application)
  /// App-based model only: the implicit scene is about to stop being the one used.
  /// - Parameter application: The application.
  func applicationWillResignActive(_ application: Application)
  /// App-based model only: the implicit scene is not visible any more, or the launch showed nothing.
  /// - Parameter application: The application.
  func applicationDidEnterBackground(_ application: Application)

  /// App-based model only: whether the program's state is to be saved, after it entered the background; false by
  /// default.
  ///
  /// Both this and ``application(_:shouldRestoreSecureApplicationState:)`` have to return true for state to survive.
  /// - Parameters:
  ///   - application: The application.
  ///   - state: The activity that state is added to.
  /// - Returns: Whether it is saved.
  func application(_ application: Application, shouldSaveSecureApplicationState state: UserActivity) -> Bool
  /// App-based model only: whether the state of the last run is to be restored; false by default.
  ///
  /// Called between the two launch callbacks if there is such a state.
  /// - Parameters:
  ///   - application: The application.
  ///   - state: The stored state.
  /// - Returns: Whether it is restored.
  func application(_ application: Application, shouldRestoreSecureApplicationState state: UserActivity) -> Bool
  /// App-based model only: adds the values for ``application(_:didDecodeRestorableStateWith:)`` to the activity.
  /// - Parameters:
  ///   - application: The application.
  ///   - state: The activity.
  func application(_ application: Application, willEncodeRestorableStateWith state: UserActivity)
  /// An activity has been brought up to date, right before it is saved, or given to another program that continues it:
  /// the last chance to add to it.
  ///
  /// In the app-based model the activity is that with the program's state, after
  /// ``application(_:willEncodeRestorableStateWith:)``, or the current one, which another program continues
  /// (``HandoffCenter``). Added values come along. In the scene-based model it is
  /// ``SceneLifecycleDelegate/scene(_:didUpdate:)``; only the current activity comes here where no scene is connected.
  /// - Parameters:
  ///   - application: The application.
  ///   - userActivity: The activity.
  func application(_ application: Application, didUpdate userActivity: UserActivity)
  /// App-based model only: the state of the last run; called between the two launch callbacks.
  /// - Parameters:
  ///   - application: The application.
  ///   - state: The stored state.
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
  /// Calls ``applicationDidFinishLaunching(_:)``, and returns true.
  public func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    applicationDidFinishLaunching(application)
    return true
  }
  /// Does nothing.
  public func applicationDidFinishLaunching(_ application: Application) {}
  /// Not implemented, as its type shows; never called.
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
  public func application(_ application: Application, didUpdate userActivity: UserActivity) {}
  /// Does nothing.
  public func application(_ application: Application, didDecodeRestorableStateWith state: UserActivity) {}
}

/// A callback of the application's delegate whose presence changes the framework's behaviour.
public enum OptionalApplicationCallback: Hashable, Sendable, CaseIterable {
  /// `application(_:configurationForConnecting:options:)`: the life cycle is scene-based.
  case configurationForConnecting
}
