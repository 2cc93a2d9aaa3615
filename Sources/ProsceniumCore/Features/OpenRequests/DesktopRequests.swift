import FoundationEssentials

/// The program's requests to other programs, by way of the desktop environment.
@MainActor struct DesktopRequests {
  private let application: Application

  init(_ application: Application) { self.application = application }

  /// Opens a URL; see ``Application/open(_:options:completionHandler:)``.
  func open(_ url: URL, _ options: Scene.OpenExternalURLOptions, completion: @escaping @MainActor (Bool) -> Void) {
    let answer: @MainActor (Bool) -> Void = { isOpened in later { completion(isOpened) } }
    guard let desktop = application.desktop, !options.universalLinksOnly else { return answer(false) }
    desktop.open(
      url, asksUser: options.asksUser, token: application.conductor?.platform.makeStartupToken(), completion: answer)
  }

  /// Sends an activity to another instance; see ``Application/handOff(_:completionHandler:)``.
  func handOff(_ activity: UserActivity, completion: @escaping @MainActor ((any Error)?) -> Void) {
    let name = "The user activity \(activity.activityType)"
    let fail: @MainActor (String) -> Void = { reason in
      later { completion(UserActivityError("\(name) has not been handed off: \(reason)")) }
    }
    guard activity.isValid, activity.isEligibleForHandoff else {
      return fail("it is invalid, or not eligible for handoff.")
    }
    guard let desktop = application.desktop else {
      return fail("there is no bus, by which other instances can be reached.")
    }
    activity.collect()
    desktop.handOff(activity.stored, token: application.conductor?.platform.makeStartupToken()) { result in
      switch result {
      case .failure(let failure): fail(failure.description)
      case .success:
        later {
          activity.delegate?.userActivityWasContinued(activity)
          completion(nil)
        }
      }
    }
  }

  /// Calls a function on the main thread, never within the present call.
  private func later(_ body: @escaping @MainActor () -> Void) {
    guard let conductor = application.conductor else {
      Task { @MainActor in body() }
      return
    }
    conductor.post(OpenRequests.self, .answer(RequestAnswer(body)))
  }
}
