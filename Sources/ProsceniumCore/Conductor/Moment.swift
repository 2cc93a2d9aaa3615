/// A point at which features act besides events; announced to each of them in the order of ``Features/all``.
///
/// Those of edges of scenes are announced only to the features that observe the edge
/// (``FeatureLists/observe(before:after:by:)``), each ``FrequentMoment`` only to those that have joined it.
///
/// Payloads of more than two words are indirect: each feature copies the value.
@MainActor enum Moment: Equatable {
  /// The delegate and the application's identifier are known; nothing has been opened.
  case configured
  /// The store of scene sessions is open, where there is one.
  case storeOpened
  /// The launch is prepared: the store is open, the platform has started; no callback has been called.
  case launching
  /// The bus has started the program for this request, which the options of the launch have; no callback has been
  /// called.
  indirect case launchRequested(IncomingRequest)
  /// The implicit scene of the app-based model has been made, before the launch callbacks.
  case implicitSceneMade(SceneRecord)
  /// Between the two launch callbacks.
  case betweenLaunchCallbacks
  /// Both launch callbacks have returned; nothing is connected yet.
  case launched
  /// A stored session would be restored; the number of the latest runs in a row that died while it was connecting, one
  /// more where the run before these held it back.
  case judging(SceneRecord, deaths: Int)
  /// It is decided which stored sessions are restored.
  case sessionsJudged
  /// These stored sessions are about to be connected, in this order.
  case restoring([SceneRecord])
  /// A stored session is about to be connected.
  case restoringSession(SceneRecord)
  /// A stored session that was to be restored is not.
  case notRestored(SceneRecord)
  /// Stored sessions have been restored, except those whose turn is later.
  case sessionsRestored
  /// The launch's content that no stored session shows needs a new scene.
  case launchClaimDue
  /// The program was launched without windows: the launch's requests are handled in the background.
  case launchedInBackground
  /// Stored sessions were found after the launch, and are left until the first request that shows the program.
  case sessionsLeft
  /// The implicit scene of the app-based model has connected; `opens` if the launch callbacks left the launch's URLs
  /// and its item to the framework.
  case implicitSceneConnected(opens: Bool)
  /// The launch's requests have been handled; the loop begins.
  case started
  /// The launch is about to be sent to another process.
  case handingOver
  /// The launch waits for the bus from now on, or has ended to wait.
  case launchWaits(Bool)
  /// A session is about to connect: its delegate and its scene are made next.
  case connecting(SceneRecord)
  /// A session could not be connected.
  case connectionFailed(SceneRecord)
  /// A scene has been made; the edge to `sceneWillConnect` is walked with the next settling.
  case sceneMade(SceneRecord)
  /// Before the callback of an edge, and before the trace's line of it.
  case before(SceneEdge, SceneRecord)
  /// After the callback of an edge and its notification.
  case after(SceneEdge, SceneRecord)
  /// After the callback of an application's edge and its notification.
  case afterApplication(ApplicationEdge)
  /// `applicationState` has been set; it may be the same as before.
  case applicationStateSet
  /// Background tasks or background time have changed.
  case backgroundTasksChanged
  /// An execution mode has begun or ended.
  case executionChanged
  /// A feature does work for the program until its end is announced: the execution mode is held meanwhile.
  indirect case workBegan(ExecutionMode, reason: String)
  /// The work of a feature has ended.
  case workEnded(ExecutionMode)
  /// A scene is in the background and its delegates have been called: its state and its picture are stored now.
  case leftForeground(SceneRecord)
  /// A scene in the background has nothing more to show: its drawing resources are freed.
  case unseen(SceneRecord)
  /// Work in the background is done whose result may be visible: for one scene, or for any where nil.
  case workDone(SceneRecord?)
  /// The program requested a refresh of a session's state and picture.
  case refreshed(SceneRecord)
  /// All scenes are updated for a refresh.
  case refreshEnded(SceneRecord)
  /// The program requested that a scene continues an activity.
  case continuing(UserActivity, SceneRecord)
  /// The scene's restoration has been completed, or its time is over.
  case restored(SceneRecord)
  /// The placement, size or state of a scene's primary window has changed.
  case geometryChanged(SceneRecord)
  /// The scale of a window of a scene has changed.
  case scaleChanged(SceneRecord)
  /// The windows of a scene may have become visible, or hidden.
  case visibilityMayHaveChanged(SceneRecord)
  /// A window was made for a scene; not where its bare window was adopted.
  case windowCreated(WindowID, SceneRecord)
  /// A session of an earlier run was found in the store.
  case sessionStored(SceneRecord)
  /// A scene is disconnected, and its windows are about to go.
  case tearingDown(SceneRecord)
  /// A session's bare window has become the first window of its new scene.
  case bareWindowAdopted(SceneRecord)
  /// A session's bare window is gone.
  case bareWindowGone(SceneRecord)
  /// A scene is being disconnected: payloads that wait for it are redirected.
  case leaving(SceneRecord)
  /// A session has been discarded; its record is gone from the roster.
  case discarded(SceneRecord)
  /// The scenes are concealed, or no longer.
  case presenceChanged
  /// Protected data is about to become unavailable, and the program has been called for it; has become unavailable; or
  /// is available again, and the program has been called for that.
  case protectedDataChanged(ProtectedDataMachine.State)
  /// What a scene shows is protected from now on, or no longer.
  case protectionChanged(SceneRecord)
  /// A screen saver has become active or inactive.
  case screenSaverChanged(isOn: Bool)
  /// Screens have been connected, disconnected or changed, and the program has been notified.
  case screensChanged
  /// The levels of a session's bare window have been observed.
  case bareWindowObserved(SceneRecord)
  /// The window manager or the user has placed the primary or bare window of a session.
  indirect case placed(SceneRecord, WindowGeometry)
  /// Changed state is passed to its writers.
  case saving(SavingReason)
  /// Sessions could not be saved, or something else because the disk is full; whether it is, as far as it is known.
  case savingFailed(isDiskFull: Bool)
  /// Waits for pending writes, until this time of the platform's clock.
  case awaitingDisk(SavingReason, until: Double)
  /// The program has saved for the machine's sleep, or its time limit is over.
  case savedForSleep
  /// The program is about to be suspended: resources are closed.
  case suspending
  /// The program is suspended; pending changes are written without a callback.
  case suspended
  /// The program runs again; missed events have not been handled yet.
  case resumed
  /// The program ends: scenes are about to go to the background.
  case ending
  /// The last callback is about to be called.
  case terminating
  /// All callbacks have returned: pending changes and the outcome of the run are written.
  case ended
  /// The loop has ended.
  case exiting
}

/// The moments that come with each session, each window, or each change of the program's state, without their values:
/// announced only to the features that have joined them (``FeatureLists/observe(moments:by:)``).
enum FrequentMoment: Int, CaseIterable {
  case sessionStored, judging, restoringSession, connecting, sceneMade, tearingDown, leaving, discarded
  case windowCreated, placed, geometryChanged, scaleChanged
  case visibilityMayHaveChanged, leftForeground, unseen
  case applicationStateSet, afterApplication, backgroundTasksChanged, workDone
}

extension Moment {
  /// The frequent moment that this one is; nil for one that is announced otherwise.
  var frequent: FrequentMoment? {
    switch self {
    case .sessionStored: .sessionStored
    case .judging: .judging
    case .restoringSession: .restoringSession
    case .connecting: .connecting
    case .sceneMade: .sceneMade
    case .windowCreated: .windowCreated
    case .placed: .placed
    case .geometryChanged: .geometryChanged
    case .scaleChanged: .scaleChanged
    case .visibilityMayHaveChanged: .visibilityMayHaveChanged
    case .leftForeground: .leftForeground
    case .unseen: .unseen
    case .tearingDown: .tearingDown
    case .leaving: .leaving
    case .discarded: .discarded
    case .applicationStateSet: .applicationStateSet
    case .afterApplication: .afterApplication
    case .backgroundTasksChanged: .backgroundTasksChanged
    case .workDone: .workDone
    default: nil
    }
  }
}

/// A point of each turn of the loop; announced to the features that observe it (``FeatureLists/observe(_:by:)``).
enum LoopMoment: Int, CaseIterable {
  /// The loop has turned: before the inbox is handled.
  case turnBegan
  /// The item has been settled; calls that waited for the settling follow.
  case settled
  /// The item has been handled completely.
  case handled
  /// Between two items of the inbox.
  case betweenItems
  /// The inbox is empty, before the loop sleeps.
  case turnEnded
  /// The requests that followed from the inbox have been sent.
  case resting
  /// A batch of the window system has been handled completely.
  case batchHandled
  /// The loop would sleep, and a feature has idle work.
  case idle
}

/// The reason of a save.
enum SavingReason: Equatable {
  /// The machine is about to sleep, or to be shut down.
  case sleep
  /// The program is about to be suspended.
  case suspension
}
