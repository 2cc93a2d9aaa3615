package import FoundationEssentials

/// The services of the desktop environment: opens URLs in other programs, and reaches other instances of this one.
///
/// No function waits: each calls its completion later, once, on the main thread.
@MainActor package protocol DesktopLink: AnyObject, Sendable {
  /// Opens a URL in the user's preferred application.
  /// - Parameters:
  ///   - url: The URL, or a file's.
  ///   - asksUser: Whether the user is asked to choose an application, where that is possible.
  ///   - token: The startup notification's id for that application, which has the time of the user's action.
  ///   - completion: Called with whether the URL was opened.
  func open(
    _ url: URL, asksUser: Bool, token: String?, completion: @escaping @MainActor (Bool) -> Void)

  /// Whether an application opens a URL, as far as the files of the desktop environment show; on any thread.
  nonisolated func canOpen(_ url: URL) -> Bool

  /// Sends an activity to another running instance of the program.
  /// - Parameters:
  ///   - activity: The activity that the instance continues.
  ///   - token: The startup notification's id, which has the time of the user's action.
  ///   - completion: Called with whether an instance took the activity, or why none did.
  func handOff(
    _ activity: StoredActivity, token: String?,
    completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void)
}

/// Why something that concerns the desktop environment cannot be done.
package struct DesktopFailure: Error, Equatable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}
