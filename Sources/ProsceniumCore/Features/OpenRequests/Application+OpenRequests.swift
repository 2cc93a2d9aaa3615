public import FoundationEssentials
import Synchronization

/// The program's requests to other programs.
extension Application {
  /// Opens a URL in the user's preferred application.
  ///
  /// May be called anywhere on the main thread; returns at once. On X11 through the desktop's portal or `xdg-open`,
  /// with the time of the user's last action in the program, so that the application that opens it may take the focus.
  /// - Parameters:
  ///   - url: The URL, or a file's.
  ///   - options: The options.
  ///   - completion: Called once, later, on the main thread, with whether an application opened it.
  public func open(
    _ url: URL, options: Scene.OpenExternalURLOptions = Scene.OpenExternalURLOptions(),
    completionHandler completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    DesktopRequests(self).open(url, options) { completion?($0) }
  }

  /// Opens a URL in the user's preferred application; the asynchronous form of ``open(_:options:completionHandler:)``.
  /// - Parameters:
  ///   - url: The URL, or a file's.
  ///   - options: How.
  /// - Returns: Whether an application took it.
  @discardableResult
  public func open(_ url: URL, options: Scene.OpenExternalURLOptions = Scene.OpenExternalURLOptions()) async -> Bool {
    await withCheckedContinuation { continuation in
      open(url, options: options, completionHandler: { continuation.resume(returning: $0) })
    }
  }

  /// Whether an application is installed that opens a URL, as far as that is known without asking it; on any thread.
  /// - Parameter url: The URL.
  /// - Returns: Whether it is worth while to try; false where there is no desktop environment.
  public nonisolated func canOpenURL(_ url: URL) -> Bool { desktopLink.withLock { $0 }?.canOpen(url) ?? false }

  /// Sends an activity to another running instance of the program (our addition).
  ///
  /// May be called anywhere on the main thread; returns at once. The activity is updated first, as before it is saved.
  /// When the other instance has accepted it, its delegate's ``UserActivityDelegate/userActivityWasContinued(_:)`` is
  /// called.
  /// - Parameters:
  ///   - activity: The activity that the other instance continues.
  ///   - completion: Called once, later, on the main thread, with nil or a ``UserActivityError``.
  public func handOff(
    _ activity: UserActivity, completionHandler completion: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    DesktopRequests(self).handOff(activity) { completion?($0) }
  }

  /// Sends an activity to another running instance of the program; the asynchronous form of
  /// ``handOff(_:completionHandler:)``.
  /// - Parameter activity: The activity that the other instance continues.
  /// - Throws: ``UserActivityError`` if no other instance accepted it.
  public func handOff(_ activity: UserActivity) async throws {
    let error = await withCheckedContinuation { continuation in
      handOff(activity, completionHandler: { continuation.resume(returning: $0) })
    }
    if let error { throw error }
  }
}

extension Scene {
  /// Opens a URL in the user's preferred application; see ``Application/open(_:options:completionHandler:)``.
  /// - Parameters:
  ///   - url: The URL, or a file's.
  ///   - options: How.
  ///   - completion: Called once, later, on the main thread, with whether an application took it.
  public func open(
    _ url: URL, options: OpenExternalURLOptions? = nil, completionHandler completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    Application.shared.open(url, options: options ?? OpenExternalURLOptions(), completionHandler: completion)
  }

  /// Opens a URL in the user's preferred application; see ``Application/open(_:options:completionHandler:)``.
  /// - Parameters:
  ///   - url: The URL, or a file's.
  ///   - options: How.
  /// - Returns: Whether an application took it.
  @discardableResult
  public func open(_ url: URL, options: OpenExternalURLOptions? = nil) async -> Bool {
    await Application.shared.open(url, options: options ?? OpenExternalURLOptions())
  }
}
