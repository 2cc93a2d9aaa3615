import ProsceniumJSON

/// The time limits of callbacks; see ``ApplicationManifest/watchdogLimits``.
///
/// Time counts while the process can run: not while it is stopped by a signal or a debugger, nor while the machine
/// sleeps. An open background task lengthens none of them. A limit that is not positive means no limit.
public struct WatchdogLimits: Hashable, Sendable {
  /// From the process's start to the first batch of events that is handled after
  /// ``ApplicationLifecycleDelegate/application(_:didFinishLaunchingWithOptions:)``; five seconds.
  ///
  /// The wait for the request for which the bus has started the program does not count.
  ///
  /// Time before the delegate has been made counts by the default limit. Where more than the limit has passed before
  /// `main`, the process was another program before (a shell that waited, and then became this program), and the launch
  /// counts from `main`.
  public var launch = Duration.seconds(5)
  /// The return from ``SceneLifecycleDelegate/sceneDidEnterBackground(_:)`` or
  /// ``ApplicationLifecycleDelegate/applicationDidEnterBackground(_:)``, with the observers of their notifications;
  /// five seconds.
  public var background = Duration.seconds(5)
  /// The return from ``ApplicationLifecycleDelegate/applicationWillTerminate(_:)``, with the observers of its
  /// notification; five seconds.
  public var termination = Duration.seconds(5)
  /// The return from all other calls for a scene; ten seconds.
  ///
  /// These are all the other edges of a scene and of the application, with the observers of their notifications, the
  /// making of a scene and of its delegate, and the other calls of a scene's delegate: its configuration, its state,
  /// its picture, an activity, its geometry, whether it may close, that its view controllers appear and disappear, and
  /// that sessions were discarded.
  public var sceneUpdate = Duration.seconds(10)
  /// The return from all that the main thread runs besides: the handling of an event or of a frame, a completion, the
  /// blocks of the main queue that have gathered (tasks of the main actor, `DispatchQueue.main`, its timers), and the
  /// observers of other notifications; ten seconds.
  ///
  /// The questions to the application's delegate have no limit: a user may take any time to answer. Nor has what
  /// another library's loop calls by itself, which nobody here knows of: in a loop of Foundation the blocks of the main
  /// queue are among that.
  public var event = Duration.seconds(10)

  /// The default limits.
  public init() {}

  /// The limit of a phase; nil where there is none.
  subscript(phase: CallPhase) -> Duration? {
    switch phase {
    case .launch: launch
    case .background: background
    case .termination: termination
    case .update: sceneUpdate
    case .event: event
    case .question: nil
    }
  }

  /// The limits by name, in seconds, for a manifest's file.
  static var properties: [String: (JSONValue, inout WatchdogLimits) -> Bool] {
    let limits: [String: WritableKeyPath<WatchdogLimits, Duration>] = [
      "launch": \.launch, "background": \.background, "termination": \.termination, "sceneUpdate": \.sceneUpdate,
      "event": \.event,
    ]
    return limits.mapValues { path in
      { value, limits in value.duration.map { limits[keyPath: path] = $0 } != nil }
    }
  }
}
