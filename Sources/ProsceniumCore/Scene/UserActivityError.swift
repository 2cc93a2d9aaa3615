/// Why an activity was not gone on with.
public struct UserActivityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, to what, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
