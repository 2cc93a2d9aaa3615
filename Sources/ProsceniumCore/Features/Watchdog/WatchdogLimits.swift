import ProsceniumJSON

/// How long callbacks may take; see ``ApplicationManifest/watchdogLimits``.
///
/// Time counts while the process can run: not while it is stopped by a signal or a debugger, nor while the machine sleeps.
/// An open background task lengthens none of them. A limit that is not positive is none.
public struct WatchdogLimits: Hashable, Sendable {
  /// From the process's start to the first batch of events that is handled after
  /// ``ApplicationLifecycleDelegate/application(_:didFinishLaunchingWithOptions:)``; five seconds.
  ///
  /// What passes before the delegate has been made counts by the default. Where more than the limit has passed before
  /// `main`, the process was something else before (a shell that waited, and then became this program), and the launch
  /// counts from `main`.
  public var launch = Duration.seconds(5)
  /// The return from ``SceneLifecycleDelegate/sceneDidEnterBackground(_:)`` or
  /// ``ApplicationLifecycleDelegate/applicationDidEnterBackground(_:)``, with what observes their notifications; five
  /// seconds.
  public var background = Duration.seconds(5)
  /// The return from ``ApplicationLifecycleDelegate/applicationWillTerminate(_:)``, with what observes its
  /// notification; five seconds.
  public var termination = Duration.seconds(5)
  /// The answer to everything else that happens to a scene; ten seconds.
  ///
  /// These are all the other edges of a scene and of the application, with what observes their notifications, the making
  /// of a scene and of its delegate, and what is asked of or told to a scene's delegate: its configuration, its state, its
  /// picture, an activity, its geometry, whether it may close, that its view controllers appear and disappear, and that
  /// sessions were discarded. Events, frames, timers, tasks and questions to the application's delegate are not watched: a
  /// program that hangs there does not answer its window manager's ping.
  public var sceneUpdate = Duration.seconds(10)

  /// The default limits.
  public init() {}

  package subscript(phase: WatchedPhase) -> Duration {
    switch phase {
    case .launch: launch
    case .background: background
    case .termination: termination
    case .sceneUpdate: sceneUpdate
    }
  }
}

extension WatchdogLimits {
  /// The limits by name, in seconds, as a manifest's file has them.
  static var properties: [String: (JSONValue, inout WatchdogLimits) -> Bool] {
    let limits: [String: WritableKeyPath<WatchdogLimits, Duration>] = [
      "launch": \.launch, "background": \.background, "termination": \.termination, "sceneUpdate": \.sceneUpdate,
    ]
    return limits.mapValues { path in
      { value, limits in value.duration.map { limits[keyPath: path] = $0 } != nil }
    }
  }
}
