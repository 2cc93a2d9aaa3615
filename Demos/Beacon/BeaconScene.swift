import FoundationEssentials
import Proscenium

#if canImport(ProsceniumUI)
  import ProsceniumUI
#endif

/// The delegate of one list of events.
@MainActor final class BeaconScene: Responder {
  var window: Window?

  // MARK: Keys

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind, key.isDown, !key.isRepeat, let scene = event.window?.windowScene else {
      return false
    }
    switch key.characters {
    case "n": Application.shared.activateSceneSession(for: SceneSessionActivationRequest())
    case "w": Application.shared.requestSceneSessionDestruction(scene.session)
    case "h": EventLog.shared.toggleHold()
    case "t": EventLog.shared.requestTask()
    case "c": MachineLog.shared.continueFirst()
    case "i":
      let content = UserNotificationContent(
        title: "Beacon", body: "Choose this notice & see", categoryIdentifier: "beacon")
      UserNotificationCenter.current.add(
        UserNotificationRequest(
          identifier: "beacon", content: content, sessionIdentifier: scene.session.persistentIdentifier))
    case "r":
      // Also where Beacon does not run by then.
      UserNotificationCenter.current.add(
        UserNotificationRequest(
          identifier: "reminder", content: UserNotificationContent(title: "Beacon", body: "A moment has passed"),
          trigger: .after(.seconds(1))))
      record(.time, scene, "reminds in a second: \(UserNotificationCenter.current.pendingNotificationRequests.count)")
    case "p": RemoteNotificationCenter.current.register()
    case "d": MachineLog.shared.chooseDistributor()
    case "q": Application.shared.terminate()
    default: return false
    }
    return true
  }

  // MARK: Shakes

  override func motionEnded(_ motion: DeviceMotion, with event: Event) {
    MachineLog.shared.recordShake(isCancelled: false)
  }
  override func motionCancelled(_ motion: DeviceMotion, with event: Event) {
    MachineLog.shared.recordShake(isCancelled: true)
  }
}

extension BeaconScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    record(.scene, scene, options.isReconnect ? "connects again" : "connects")
    scene.activationConditions.canActivateForTargetContentIdentifier = .any
    let window = Window(windowScene: scene)
    window.title = "Beacon"
    #if canImport(ProsceniumUI)
      window.rootView = EventList()
    #endif
    self.window = window
    window.makeKeyAndVisible()
  }

  func sceneWillEnterForeground(_ scene: Scene) { record(.scene, scene, "enters the foreground") }
  func sceneDidBecomeActive(_ scene: Scene) { record(.scene, scene, "is active") }
  func sceneWillResignActive(_ scene: Scene) {
    record(.scene, scene, "resigns")
    // Why is known when it has: a locker or a screen saver interrupts it, or the focus is elsewhere.
    Task {
      if let reason = scene.inactiveReason, reason != .passing { record(.scene, scene, "is inactive: \(reason)") }
    }
  }
  func sceneDidEnterBackground(_ scene: Scene) { record(.scene, scene, "is in the background") }

  func sceneDidDisconnect(_ scene: Scene) {
    record(.scene, scene, "disconnected: \(scene.disconnectionReason?.rawValue ?? "?")")
  }

  // MARK: Open requests

  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    for context in urlContexts.sorted(by: { $0.url.absoluteString < $1.url.absoluteString }) {
      let sender = context.options.sourceApplication.map { ", from \($0)" } ?? ""
      record(.request, scene, "opens \(context.url.absoluteString)\(sender)")
    }
  }

  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    record(.request, windowScene, "performs \(shortcutItem.type)")
    if shortcutItem.type == "locate" { MachineLog.shared.locate() }
    if shortcutItem.type == "new-window" {
      Application.shared.activateSceneSession(for: SceneSessionActivationRequest())
    }
    completionHandler(true)
  }

  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {
    record(.request, scene, "is going to continue \(userActivityType)")
  }

  func scene(_ scene: Scene, continue userActivity: UserActivity) {
    record(.request, scene, "continues \(userActivity.activityType)")
  }

  func scene(_ scene: Scene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error) {
    record(.request, scene, "cannot continue \(userActivityType): \(error)")
  }

  // MARK: Where it is

  func windowScene(
    _ windowScene: WindowScene, didUpdate previousCoordinateSpace: any CoordinateSpace,
    interfaceOrientation previousInterfaceOrientation: InterfaceOrientation,
    traitCollection previousTraitCollection: TraitCollection
  ) {
    let orientation = windowScene.interfaceOrientation
    if orientation != previousInterfaceOrientation { record(.display, windowScene, "is \(orientation) now") }
  }

  private func record(_ source: EventLog.Source, _ scene: Scene, _ text: String) {
    EventLog.shared.record(source, "window \(scene.session.persistentIdentifier.prefix(4)) \(text)")
  }
}
