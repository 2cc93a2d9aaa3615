public import FoundationEssentials

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

  /// What the program does when a launcher asks for it: entries of the menu of its icon; none by default.
  ///
  /// UIKit has them in the property list. Asked once, before launch, and by `--install-desktop-entry`, which writes them as
  /// actions of the desktop entry. A launcher calls `ActivateAction` over D-Bus, or starts the program with
  /// `--action <type>`; any other name is refused. Without items `--action` is the program's own.
  var shortcutItems: [ApplicationShortcutItem] { get }

  /// Whether URLs, shortcut items and activities that a scene would find in its connection options come through the callbacks for a running
  /// program instead (our addition); false by default.
  ///
  /// Then ``SceneDelegate/scene(_:openURLContexts:)``, ``SceneDelegate/scene(_:continue:)`` and
  /// ``WindowSceneDelegate/windowScene(_:performActionFor:completionHandler:)`` are the one place to handle them: they are called between the first `sceneWillEnterForeground` and `sceneDidBecomeActive`, also after a launch.
  /// Asked for each scene that connects.
  var replaysConnectionPayloads: Bool { get }

  /// A second start of the program has handed over to this one, with something on its command line (our addition).
  ///
  /// In both models, on the main thread, after the launch callbacks, and before any scene is brought forward for it or
  /// called. Not called for a request that has no command line, as a launcher's over D-Bus.
  /// - Parameters:
  ///   - application: The application.
  ///   - launch: The command line, and where it was typed.
  func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch)

  /// App-based model only: a URL is to be opened; called once for each.
  ///
  /// Those of the launch come after ``application(_:didFinishLaunchingWithOptions:)``, before the scene becomes active, and
  /// not at all if one of the two launch callbacks returned false, which says that they have been handled. Later ones
  /// bring the program forward first: between `applicationWillEnterForeground` and `applicationDidBecomeActive`, or five
  /// seconds later where the window manager does not show it.
  /// - Parameters:
  ///   - application: The application.
  ///   - url: The URL.
  ///   - options: What is known of whoever asks.
  /// - Returns: Whether it was opened; nobody is told.
  func application(_ application: Application, open url: URL, options: Scene.OpenURLOptions) -> Bool

  /// App-based model only: a launcher asks for one of the ``shortcutItems``.
  ///
  /// Called when ``application(_:open:options:)`` would be: at a launch after
  /// ``application(_:didFinishLaunchingWithOptions:)``, unless one of the launch callbacks returned false; later between
  /// `applicationWillEnterForeground` and `applicationDidBecomeActive`.
  /// - Parameters:
  ///   - application: The application.
  ///   - shortcutItem: The item.
  ///   - completionHandler: To be called on the main thread, now or later, with whether it was done; that is in the trace.
  func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void)

  /// App-based model only: an activity is about to be handed over; see
  /// ``SceneDelegate/scene(_:willContinueUserActivityWithType:)``.
  /// - Returns: Whether the program tells the user by itself; nobody else does.
  func application(_ application: Application, willContinueUserActivityWithType userActivityType: String) -> Bool

  /// App-based model only: an activity is handed over.
  /// - Parameters:
  ///   - application: The application.
  ///   - userActivity: What is to be gone on with.
  ///   - restorationHandler: May be called, now or later, on the main thread, with the responders that are to go on with
  ///     it: each one's ``Responder/restoreUserActivityState(_:)`` is called.
  /// - Returns: Whether it was gone on with: only then its delegate hears
  ///   ``UserActivityDelegate/userActivityWasContinued(_:)``. If not, its ``UserActivity/webpageURL`` is opened by whoever
  ///   opens pages of the web.
  func application(
    _ application: Application, continue userActivity: UserActivity,
    restorationHandler: @escaping @MainActor ([Responder]?) -> Void
  ) -> Bool

  /// App-based model only: what came of an announced activity cannot be used.
  func application(
    _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)

  /// Called first of all, before any scene connects. Windows made visible here appear after the second callback.
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool

  /// Called after ``application(_:willFinishLaunchingWithOptions:)``; then the notification is posted.
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool

  /// Asked for the configuration of each **new** session, before its scene is made.
  ///
  /// Not called for sessions that connect again; but a delegate without ``sceneConfigurations`` is asked once more for
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

  /// What a second process of the program does while a first one runs; ``InstancePolicy/single`` by default.
  ///
  /// Asked once, before launch.
  var instancePolicy: InstancePolicy { get }

  /// What follows when a callback takes longer than it may (our addition): ``WatchdogPolicy/report`` by default.
  ///
  /// Asked once, before launch. `PROSCENIUM_WATCHDOG` in the environment goes before it; a test in memory has no watchdog.
  var watchdogPolicy: WatchdogPolicy { get }

  /// How long callbacks may take (our addition); asked once, before launch.
  var watchdogLimits: WatchdogLimits { get }
  /// Whether the program stops running while every scene is in the background; ``SuspensionPolicy/never`` by default.
  ///
  /// Asked once, before launch.
  var suspensionPolicy: SuspensionPolicy { get }

  /// Asked before the program ends (our addition, AppKit's name): now, later or not at all.
  ///
  /// ``Application/terminationCause`` says why it is to end. A refusal is heard where the user or the program asks; a
  /// signal, the end of the session or the loss of the display ends the program anyway, and an answer that comes
  /// ``TerminateReply/later`` has five seconds then.
  func applicationShouldTerminate(_ application: Application) -> TerminateReply

  /// Whether the program ends when its last scene has been closed; true by default.
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool

  /// Whether the program ends instead of staying in the background, as UIKit's `UIApplicationExitsOnSuspend` has it; false
  /// by default.
  ///
  /// Asked when the last scene has entered the background, if a scene has been in the foreground. The end is one that the
  /// program asked for itself: it may be refused, it waits for background tasks, and the sessions come back.
  var exitsOnSuspend: Bool { get }

  /// The orientations in which the program can show what is in a window; all by default.
  ///
  /// Asked often: keep it quick. See ``WindowScene/interfaceOrientation`` for what comes of it. None counts as all.
  func application(_ application: Application, supportedInterfaceOrientationsFor window: Window?)
    -> InterfaceOrientationMask

  /// Called last, after every scene has been disconnected.
  ///
  /// Not called when the process is killed, or dies, nor when it is told to end while it is suspended.
  func applicationWillTerminate(_ application: Application)

  /// Called when memory is short: give back what can be made again.
  ///
  /// In both models, in the foreground and in the background, at most every ten seconds, and at once where the kernel is
  /// about to end processes. Then view controllers hear of it (``ProsceniumUI``), then observers of
  /// ``Application/DidReceiveMemoryWarningMessage``; then the framework empties every ``PurgeableCache``, those of scenes in
  /// the background first, and disconnects scenes as ``Application/reclaimPolicy`` says. Driven by
  /// `$MEMORY_PRESSURE_WATCH` (systemd's protocol), else the pressure files of Linux; never called where there are none.
  func applicationDidReceiveMemoryWarning(_ application: Application)

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
  /// None.
  public var shortcutItems: [ApplicationShortcutItem] { [] }
  /// They are in the connection options.
  public var replaysConnectionPayloads: Bool { false }
  /// Does nothing.
  public func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {}
  /// Opens nothing.
  public func application(_ application: Application, open url: URL, options: Scene.OpenURLOptions) -> Bool { false }
  /// Does nothing, and says so.
  public func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) { completionHandler(false) }
  /// Tells the user nothing.
  public func application(_ application: Application, willContinueUserActivityWithType userActivityType: String) -> Bool
  { false }
  /// Goes on with nothing.
  public func application(
    _ application: Application, continue userActivity: UserActivity,
    restorationHandler: @escaping @MainActor ([Responder]?) -> Void
  ) -> Bool { false }
  /// Does nothing.
  public func application(
    _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {}
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
  /// One process at a time.
  public var instancePolicy: InstancePolicy { .single }
  /// A report.
  public var watchdogPolicy: WatchdogPolicy { .report }
  /// The default limits.
  public var watchdogLimits: WatchdogLimits { WatchdogLimits() }
  /// The program always runs.
  public var suspensionPolicy: SuspensionPolicy { .never }
  /// The program ends at once.
  public func applicationShouldTerminate(_ application: Application) -> TerminateReply { .now }
  /// The program ends.
  public func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { true }
  /// The program stays in the background.
  public var exitsOnSuspend: Bool { false }
  /// All of them.
  public func application(_ application: Application, supportedInterfaceOrientationsFor window: Window?)
    -> InterfaceOrientationMask
  { .all }
  /// Does nothing.
  public func applicationWillTerminate(_ application: Application) {}
  /// Does nothing.
  public func applicationDidReceiveMemoryWarning(_ application: Application) {}
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

  /// Whether `application(_:configurationForConnecting:options:)` is implemented; does not call it.
  var configuresScenes: Bool { ConnectingConfiguration.self != NotImplemented.self }
}
