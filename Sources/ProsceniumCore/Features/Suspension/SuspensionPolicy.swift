/// Whether a program stops running while nobody can see it; see ``ApplicationManifest/suspensionPolicy``.
public enum SuspensionPolicy: Hashable, Sendable, CaseIterable {
  /// It always runs.
  case never
  /// It is suspended when every connected scene has been in the background, and no background task open, for as long as
  /// ``HoldTimes/suspension`` says.
  ///
  /// Suspended means: nothing of the main queue runs, no main-actor task, timer or callback, and nothing is drawn. It comes
  /// in silence: no call, notification or state says so, and no state changes with it; a line of the trace does. What has
  /// to be done before belongs into `sceneDidEnterBackground` or a background task. The state of the scenes has been
  /// saved.
  ///
  /// The framework itself goes on listening. It answers the window system (`_NET_WM_PING`, `_NET_WM_SYNC_REQUEST`) and other
  /// programs that paste what was copied here, so that nobody hangs on a suspended program. The program runs again when
  /// a window is shown or focused again or asked to close, and when the session manager, the kernel or the bus says
  /// something that it has to hear. What else happened meanwhile (screens, places of windows) is told then, before any
  /// input: each kind once, as it is at the end, and not at all if that is how it was. For as long as every scene stays in
  /// the background, the program is suspended again after another grace.
  ///
  /// A program that is told to end while it is suspended (SIGTERM, SIGHUP, SIGINT, the end of the session, the loss of the
  /// display) ends at once: without callbacks, ``ApplicationLifecycleDelegate/applicationWillTerminate(_:)`` too.
  ///
  /// Threads of the program's own run on, unless they wait at ``Application/executionGate``. libdispatch's timers stand
  /// still on all queues, and with them `Task.sleep`; a thread that sets another timer meanwhile, or uses libdispatch's
  /// global queues, sets them going again.
  case whenAllInBackground
}

extension ApplicationManifest {
  /// Whether the program stops running while every scene is in the background; ``SuspensionPolicy/never`` by default.
  public var suspensionPolicy: SuspensionPolicy {
    get { values[SuspensionPolicyKey.self] }
    set { values[SuspensionPolicyKey.self] = newValue }
  }
}

private enum SuspensionPolicyKey: FeatureValueKey { static var initial: SuspensionPolicy { .never } }
