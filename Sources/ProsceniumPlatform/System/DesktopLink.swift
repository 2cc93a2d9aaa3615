package import FoundationEssentials

/// What the desktop does for the program, where there is one: opens what others open, and reaches other instances.
///
/// Nothing waits: answers come later, on the main thread, once each.
@MainActor package protocol DesktopLink: AnyObject, Sendable {
  /// Has a URL opened by whoever is there for it.
  /// - Parameters:
  ///   - url: The URL, or a file's.
  ///   - asksUser: Whether the user is asked by whom, where that can be done.
  ///   - token: The startup notification's id for who opens it, which has the user's time stamp.
  ///   - completion: Told whether it was taken.
  func open(
    _ url: URL, asksUser: Bool, token: String?, completion: @escaping @MainActor (Bool) -> Void)

  /// Whether somebody is there for a URL, as far as that can be known without asking anybody; on any thread.
  nonisolated func canOpen(_ url: URL) -> Bool

  /// Hands an activity to another running instance of the program.
  /// - Parameters:
  ///   - activity: What the other one is to go on with.
  ///   - token: The startup notification's id, which has the user's time stamp.
  ///   - completion: Told whether another instance took it, and if not, why.
  func handOff(
    _ activity: StoredActivity, token: String?,
    completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void)
}

/// Why the desktop did not do what was asked for.
package struct DesktopFailure: Error, Equatable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}
