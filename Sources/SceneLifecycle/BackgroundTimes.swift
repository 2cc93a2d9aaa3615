/// How long background tasks may last.
public struct BackgroundTimes: Hashable, Sendable {
  /// The time that the process has in the background, shared by all its tasks, until a scene enters the foreground
  /// again.
  public var total = Duration.seconds(30)
  /// How long before the end the expiration handlers are called.
  ///
  /// It is also all that tasks get once the program has to end: after a signal, at the end of the session, or when the
  /// display is lost.
  public var warning = Duration.seconds(1)

  /// A phone's thirty seconds.
  public init() {}
}
