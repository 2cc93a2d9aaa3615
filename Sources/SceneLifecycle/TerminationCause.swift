/// Why a program is to end.
public enum TerminationCause: String, Hashable, Sendable, CaseIterable {
  /// The program asked for it itself, most often because the user chose to quit.
  case requested
  /// The last scene was closed, and the program does not want to stay without one.
  case lastSceneClosed
  /// The session manager asks whether the session may end; it has not ended yet.
  case sessionQuery
  /// The session manager ends the session.
  case sessionEnd
  /// SIGTERM, SIGHUP or SIGINT.
  case signal
  /// The connection to the window system is gone.
  case connectionLost
  /// Memory is so short that processes are killed, and the program's policy is to end rather than be killed.
  case memoryPressure

  /// Whether the program may refuse.
  public var isCancellable: Bool {
    switch self {
    case .requested, .lastSceneClosed, .sessionQuery: true
    case .sessionEnd, .signal, .connectionLost, .memoryPressure: false
    }
  }
}
