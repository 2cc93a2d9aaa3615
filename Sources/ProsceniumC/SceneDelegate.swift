import CProscenium
import FoundationEssentials
import Proscenium

/// The delegate of a scene of a program in C.
@MainActor final class SceneDelegate: Responder {
  var window: Window?
  /// The program's pointer.
  var data: UnsafeMutableRawPointer?
  private(set) weak var scene: WindowScene?
  private let session: SceneSession
  private weak var program: Program?

  init(_ program: Program?, _ session: SceneSession) {
    (self.program, self.session) = (program, session)
    super.init()
  }

  private typealias Callback = @convention(c) (UnsafeMutableRawPointer?, psc_scene) -> Void

  private func call(_ callback: KeyPath<psc_application, Callback?>) {
    guard let program else { return }
    program.callbacks[keyPath: callback]?(program.callbacks.data, program.handle(self))
  }
}

extension SceneDelegate: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    self.scene = scene as? WindowScene
    guard let program, let call = program.callbacks.scene_will_connect else { return }
    let activities = Array(options.userActivities) + (options.shortcutItem.map { [Self.activity($0)] } ?? [])
    withTexts(options.urlContexts.map(\.url.absoluteString).sorted()) { count, urls in
      var connection = psc_connection()
      connection.size = MemoryLayout<psc_connection>.size
      connection.session = program.handle(session)
      connection.is_reconnect = options.isReconnect ? 1 : 0
      connection.reason = Int32(Self.reason(options.restorationReason))
      (connection.url_count, connection.urls) = (count, urls)
      withActivity(activities.first) { type, json in
        (connection.activity_type, connection.activity_json) = (type, json)
        call(program.callbacks.data, program.handle(self), &connection)
      }
    }
    // The connection has room for one.
    for activity in activities.dropFirst() { self.scene(scene, continue: activity) }
  }

  /// A shortcut item as the activity that it is for C.
  private static func activity(_ item: ApplicationShortcutItem) -> UserActivity {
    let activity = UserActivity(activityType: item.type)
    activity.userInfo = item.userInfo
    return activity
  }

  private static func reason(_ reason: RestorationReason) -> Int {
    switch reason {
    case .launch: PSC_REASON_LAUNCH
    case .restore: PSC_REASON_RESTORE
    case .recover: PSC_REASON_RECOVER
    }
  }

  private func withActivity(
    _ activity: UserActivity?, _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void
  ) {
    guard let activity else { return body(nil, nil) }
    withTexts([activity.activityType, String(decoding: json(activity.userInfo ?? [:]), as: UTF8.self)]) { _, texts in
      body(texts?[0], texts?[1])
    }
  }

  func sceneWillEnterForeground(_ scene: Scene) { call(\.scene_will_enter_foreground) }
  func sceneDidBecomeActive(_ scene: Scene) { call(\.scene_did_become_active) }
  func sceneWillResignActive(_ scene: Scene) { call(\.scene_will_resign_active) }
  func sceneDidEnterBackground(_ scene: Scene) { call(\.scene_did_enter_background) }

  func sceneDidDisconnect(_ scene: Scene) {
    call(\.scene_did_disconnect)
    program?.forget(self)
  }

  func implements(_ callback: OptionalSceneCallback) -> Bool {
    switch callback {
    case .stateRestorationActivity: true
    case .shouldClose: program?.callbacks.scene_should_close != nil
    }
  }

  func sceneShouldClose(_ scene: Scene) -> SceneCloseReply {
    guard let program, let call = program.callbacks.scene_should_close else { return .now }
    return switch Int(call(program.callbacks.data, program.handle(self))) {
    case PSC_REPLY_CANCEL: .cancel
    case PSC_REPLY_LATER: .later
    default: .now
    }
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    call(\.scene_save_state)
    return session.stateRestorationActivity
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    guard let program else { return }
    let texts = urlContexts.map(\.url.absoluteString).sorted()
    guard let call = program.callbacks.scene_open_urls else {
      return program.reportLoss(of: "\(texts.joined(separator: " ")) to open is", without: "scene_open_urls")
    }
    withTexts(texts) { count, urls in
      call(program.callbacks.data, program.handle(self), count, urls)
    }
  }

  func scene(_ scene: Scene, continue userActivity: UserActivity) {
    guard let program else { return }
    guard let call = program.callbacks.scene_continue_activity else {
      return program.reportLoss(
        of: "The user activity \(userActivity.activityType) is", without: "scene_continue_activity")
    }
    withActivity(userActivity) { call(program.callbacks.data, program.handle(self), $0, $1) }
  }

  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    guard let program else { return completionHandler(false) }
    let isTaken = program.callbacks.scene_continue_activity != nil
    if isTaken {
      self.scene(windowScene, continue: Self.activity(shortcutItem))
    } else {
      program.reportLoss(of: "The shortcut item \(shortcutItem.type) is", without: "scene_continue_activity")
    }
    completionHandler(isTaken)
  }
}

/// The toolkit's side of an adopted window.
@MainActor final class WindowOwner: AdoptedWindowOwner {
  private let callbacks: psc_window_owner
  private let xid: UInt32
  weak var window: Window?

  init(_ owner: UnsafePointer<psc_window_owner>?, _ xid: UInt32) throws(Failure) {
    callbacks = try copy(owner, "psc_window_owner")
    self.xid = xid
    guard callbacks.set_hidden != nil, callbacks.destroy != nil else {
      throw Failure(PSC_ERROR_ARGUMENT, "The psc_window_owner needs set_hidden and destroy.")
    }
  }

  func setWindow(_ window: Window, isHidden: Bool) { callbacks.set_hidden?(callbacks.data, xid, isHidden ? 1 : 0) }

  func destroyWindow(_ window: Window) {
    self.window = nil
    callbacks.destroy?(callbacks.data, xid)
  }
}
