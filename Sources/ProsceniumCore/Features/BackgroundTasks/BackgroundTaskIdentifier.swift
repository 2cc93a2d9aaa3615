/// A background task; see ``Application/beginBackgroundTask(withName:expirationHandler:caller:)``.
public struct BackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// A number that no other task of the process has; 0 for ``invalid``.
  public var rawValue: Int

  /// The task with a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No task: there is no time for one.
  public static let invalid = BackgroundTaskIdentifier(rawValue: 0)
}

/// Whether the program may do work in the background by itself.
public enum BackgroundRefreshStatus: Int, Hashable, Sendable, CaseIterable {
  /// It may not, and its user cannot change that.
  case restricted = 0
  /// Its user does not want it.
  case denied = 1
  /// It may.
  case available = 2
}
