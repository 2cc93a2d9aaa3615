public import FoundationEssentials
import Synchronization

/// The program's requests to other programs, and the entries of its menu.
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
    assertMainThread()
    let answer: @MainActor (Bool) -> Void = { [self] isOpened in answerLater(self) { completion?(isOpened) } }
    guard let desktop, !options.universalLinksOnly else { return answer(false) }
    let token = conductor?.platform.makeStartupToken()
    desktop.open(url, asksUser: options.asksUser, token: token, completion: answer)
  }

  /// Opens a URL in the user's preferred application; the asynchronous form of ``open(_:options:completionHandler:)``.
  /// - Parameters:
  ///   - url: The URL, or a file's.
  ///   - options: How.
  /// - Returns: Whether an application took it.
  @discardableResult
  public func open(_ url: URL, options: Scene.OpenExternalURLOptions = Scene.OpenExternalURLOptions()) async -> Bool {
    await withMainActorContinuation { continuation in
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
    assertMainThread()
    activity.handOff(by: self) { completion?($0) }
  }

  /// Sends an activity to another running instance of the program; the asynchronous form of
  /// ``handOff(_:completionHandler:)``.
  /// - Parameter activity: The activity that the other instance continues.
  /// - Throws: ``UserActivityError`` if no other instance accepted it.
  public func handOff(_ activity: UserActivity) async throws {
    let error = await withMainActorContinuation { continuation in
      handOff(activity, completionHandler: { continuation.resume(returning: $0) })
    }
    if let error { throw error }
  }

  /// The entries of the menu that launchers show at the program's icon; those of the manifest at launch.
  ///
  /// Setting them changes the items that the running program performs, and rewrites the desktop entry where one is
  /// installed (`--install-desktop-entry`), with the path that the program has now. On the main thread.
  public var shortcutItems: [ApplicationShortcutItem] {
    get { resolvedManifest.shortcutItems }
    set {
      guard newValue != shortcutItems else { return }
      resolvedManifest.shortcutItems = newValue
      host.openableContentChanged?(self)
    }
  }
}

/// Calls a function on the main thread, never within the present call.
@MainActor private func answerLater(_ application: Application, _ body: @escaping @MainActor () -> Void) {
  if let conductor = application.conductor {
    conductor.post(OpenRequests.self, .answer(FunctionCall(body)))
  } else {
    Task { @MainActor in body() }
  }
}

extension UserActivity {
  /// Sends the activity to another instance; see ``Application/handOff(_:completionHandler:)``.
  @MainActor fileprivate func handOff(
    by application: Application, completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    let fail: @MainActor (String) -> Void = { [activityType] reason in
      let text = "The user activity \(activityType) has not been handed off: \(reason)"
      answerLater(application) { completion(UserActivityError(text)) }
    }
    guard isValid, isEligibleForHandoff else { return fail("it is invalid, or not eligible for handoff.") }
    guard let desktop = application.desktop else {
      return fail("there is no bus, by which other instances can be reached.")
    }
    collect()
    desktop.handOff(stored, token: application.conductor?.platform.makeStartupToken()) { [self] result in
      switch result {
      case .failure(let failure): fail(failure.description)
      case .success:
        answerLater(application) {
          self.delegate?.userActivityWasContinued(self)
          completion(nil)
        }
      }
    }
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
