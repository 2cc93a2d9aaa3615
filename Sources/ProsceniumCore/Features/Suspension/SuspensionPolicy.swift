/// Whether a program stops running in the background; see ``ApplicationManifest/suspensionPolicy``.
public enum SuspensionPolicy: Hashable, Sendable, CaseIterable {
  /// It always runs.
  case never
  /// It is suspended when every connected scene has been in the background, no background task open and no execution
  /// mode held, for as long as ``HoldTimes/suspension``.
  ///
  /// Suspended means: nothing of the main queue runs, no main-actor task, timer or callback, and nothing is drawn. It
  /// comes without a callback, notification or change of state; a line of the trace records it. Work that has to be
  /// done before belongs in `sceneDidEnterBackground` or a background task. The state of the scenes has been saved.
  ///
  /// The framework itself keeps running. It answers the window system (`_NET_WM_PING`, `_NET_WM_SYNC_REQUEST`) and
  /// other programs that paste the program's data, so that none of them waits for a suspended program. The program runs
  /// again when a window is shown or focused again or asked to close, and on events of the session manager, the kernel
  /// or the bus that require a callback. Other events (screens, window geometry) are handled then, before any input:
  /// each kind once, in its final state, and not at all if that is unchanged. As long as every scene stays in the
  /// background, the program is suspended again after another grace period.
  ///
  /// A program that is terminated while it is suspended (SIGTERM, SIGHUP, SIGINT, the end of the session, the loss of
  /// the display) ends at once: without callbacks, ``ApplicationLifecycleDelegate/applicationWillTerminate(_:)`` too.
  ///
  /// Threads of the program's own run on, unless they wait at ``Application/executionGate``. libdispatch's timers stand
  /// still on all queues, and with them `Task.sleep`; a thread that sets another timer in that time, or uses
  /// libdispatch's global queues, restarts them.
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
