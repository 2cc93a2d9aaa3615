/// The error of an activity that was not continued.
public struct UserActivityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error, its object, and the remedy.
  public let description: String

  init(_ description: String) { self.description = description }
}
