/// A background task; see ``Application/beginBackgroundTask(withName:expirationHandler:caller:)``.
public struct BackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// A number that is unique in the process; 0 for ``invalid``.
  public var rawValue: Int

  /// Makes an identifier of a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No task: no time was left for one.
  public static let invalid = BackgroundTaskIdentifier(rawValue: 0)
}

/// Whether the program may do work in the background by itself.
public enum BackgroundRefreshStatus: Int, Hashable, Sendable, CaseIterable {
  /// It may not, and its user cannot change that.
  case restricted = 0
  /// Its user does not permit it.
  case denied = 1
  /// It may.
  case available = 2
}
