/// Every feature, in the order in which they act at one moment: see `docs/Architecture.md`.
@MainActor enum Features {
  static let all: [any Feature.Type] = [
    WatchdogFeature.self,
    Launch.self,
    OpenRequests.self,
    Presence.self,
    SessionRequests.self,
    WindowFacts.self,
    AccessibilityKeys.self,
    DragAndDropFeature.self,
    InputMethods.self,
    PopUps.self,
    Input.self,
    BackgroundTasks.self,
    InterfaceFiles.self,
    Restoration.self,
    ForegroundRights.self,
    ExternalDisplays.self,
    Surroundings.self,
    Drawing.self,
    LaunchGuard.self,
    ActiveWorks.self,
    WindowVisibility.self,
    Saving.self,
    PreferencesFeature.self,
    Snapshots.self,
    Memory.self,
    Closing.self,
    TimeChanges.self,
    Power.self,
    LocaleChanges.self,
    Termination.self,
    BackgroundReport.self,
    Suspension.self,
    RunLoopReport.self,
    FirstLaunch.self,
    DirectoriesFeature.self,
    Documents.self,
    ProtectedFiles.self,
    RemoteControl.self,
    UserNotifications.self,
    RemoteNotifications.self,
    Execution.self,
    BackgroundSchedulerFeature.self,
    AccessoriesFeature.self,
    LocationUpdates.self,
    AccountsFeature.self,
    HandoffFeature.self,
    Sensors.self,
    ScreenModesFeature.self,
    AccessibilityFeature.self,
    PanelMenus.self,
    Dialogs.self,
  ]
}

// The callbacks of features, beside those of the life cycle. A feature's line goes with the feature.

/// The application's delegate: its callbacks about launch, sessions, open requests, memory and termination.
///
/// Every requirement has a default, so a delegate implements the callbacks that it needs. All are called on the main
/// thread, one after the other, never nested in another callback; requests that a callback makes are performed after it
/// has returned.
///
/// In the **scene-based** model, which the manifest chooses (``ApplicationManifest/lifecycleModel``), each scene's
/// delegate receives its scene's state, and the four state callbacks here are not called. In the **app-based** model
/// there is one implicit scene without a delegate, which owns every ``Window`` that is made with `Window()`; one that
/// is made before the application is, from when it is shown on.
@preconcurrency @MainActor
public protocol ApplicationDelegate:
  OpenRequestsApplicationDelegate,
  MemoryApplicationDelegate,
  ApplicationLifecycleDelegate
{}

/// The delegate of one scene: its callbacks about connection, the states of the scene, and disconnection.
///
/// Each connection has a delegate object of its own, which its scene holds. Every requirement has a default. All are
/// called on the main thread, never nested in another callback. On X11 the states follow from the scene's windows: see
/// <doc:TheLifeCycleOfAScene>.
@preconcurrency @MainActor
public protocol SceneDelegate:
  OpenRequestsSceneDelegate,
  SceneLifecycleDelegate
{}

/// The delegate of a scene that owns windows.
@preconcurrency @MainActor
public protocol WindowSceneDelegate:
  OpenRequestsWindowSceneDelegate,
  WindowSceneLifecycleDelegate
{}
