/// What features can act at besides events; told to each of them in the order of ``Features/all``.
@MainActor enum Moment: Equatable {
  /// The delegate and the application's identifier are known; nothing has been opened.
  case configured
  /// The store of scene sessions is open, where there is one.
  case storeOpened
  /// The launch is prepared: the store is open, the platform has started; no callback has been called.
  case launching
  /// Between the two launch callbacks.
  case betweenLaunchCallbacks
  /// Both launch callbacks have returned; nothing is connected yet.
  case launched
  /// A stored session would come back; so many of the latest runs, on end, died while it was connecting.
  case judging(SceneRecord, deaths: Int)
  /// It is decided which stored sessions come back.
  case sessionsJudged
  /// These stored sessions are about to be connected, in this order.
  case restoring([SceneRecord])
  /// A stored session is about to be connected.
  case restoringSession(SceneRecord)
  /// A stored session that was to come back does not.
  case notRestored(SceneRecord)
  /// Stored sessions have been brought back, but for those whose turn is later.
  case sessionsRestored
  /// What the launch was asked for and no stored session shows is for a new scene.
  case launchClaimDue
  /// The program was launched to show nothing: what the launch asked for is handled in the background.
  case launchedInBackground
  /// The implicit scene of the app-based model has connected; `opens` if the launch callbacks left the launch's URLs
  /// and its item to the framework.
  case implicitSceneConnected(opens: Bool)
  /// What the launch asked for has been handled; the loop begins.
  case started
  /// The launch is about to be handed over to another process.
  case handingOver
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
  /// A scene is in the background and its delegates know: its state and its picture are kept now.
  case leftForeground(SceneRecord)
  /// A scene in the background has nothing more to show: what it holds for drawing is given back.
  case unseen(SceneRecord)
  /// Work that may show has been done in the background: for one scene, or for any where nil.
  case workDone(SceneRecord?)
  /// The program asked for a session's state and picture to be brought up to date.
  case refreshed(SceneRecord)
  /// Everything has been brought up to date for a refresh.
  case refreshEnded(SceneRecord)
  /// The program asked a scene to go on with an activity.
  case continuing(UserActivity, SceneRecord)
  /// The scene's restoration has been completed, or its time is over.
  case restored(SceneRecord)
  /// The primary window of a scene has another place, size or state.
  case geometryChanged(SceneRecord)
  /// Points have another size in a window of a scene.
  case scaleChanged(SceneRecord)
  /// What the windows of a scene show may be seen from now on, or not any more.
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
  /// A scene was asked to leave: what waits for it goes elsewhere.
  case leaving(SceneRecord)
  /// A session has been discarded; its record is gone from the roster.
  case discarded(SceneRecord)
  /// The user has gone, or is back.
  case presenceChanged
  /// A screen saver has come on or gone.
  case screenSaverChanged(isOn: Bool)
  /// Screens have come, gone or changed, and the program knows.
  case screensChanged
  /// The levels of a session's bare window have been observed.
  case bareWindowObserved(SceneRecord)
  /// The primary or bare window of a session is where the window manager or the user put it.
  case placed(SceneRecord, WindowGeometry)
  /// The facts of these scenes have been observed; edges are walked next.
  case observed([SceneRecord])
  /// The item has been settled; calls that wait for the settling follow.
  case settled
  /// The item has been handled to its end.
  case handled
  /// The loop has turned: before the inbox is handled.
  case turnBegan
  /// Between two items of the inbox.
  case betweenItems
  /// The inbox is empty, before the loop sleeps.
  case turnEnded
  /// What followed from the inbox has been sent.
  case resting
  /// A batch of the window system has been handled to its end.
  case batchHandled
  /// The loop would sleep, and a feature has idle work.
  case idle
  /// What has been changed is handed to those who write it.
  case saving(SavingReason)
  /// What is being written is waited for, until this time of the platform's clock.
  case awaitingDisk(SavingReason, until: Double)
  /// Everything has been saved for the sleep of the machine, or could not be in time.
  case savedForSleep
  /// The program is about to be suspended: resources are closed.
  case suspending
  /// Nothing of the program runs any more; what is left is written without a callback.
  case suspended
  /// The program runs again; what it missed has not been told.
  case resumed
  /// The program ends: scenes are about to go to the background.
  case ending
  /// The last callback is about to be called.
  case terminating
  /// Everything has been called: what is left is written, and how the run ended.
  case ended
  /// The loop has ended.
  case exiting
}

/// Why everything is saved.
enum SavingReason: Equatable {
  /// The machine is about to sleep, or to be shut down.
  case sleep
  /// The program is about to be suspended.
  case suspension
}
