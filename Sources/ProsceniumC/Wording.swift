import ProsceniumCore

/// The names of the header for those of Swift, in errors.
enum Wording {
  /// Longer ones first where they have others in them.
  private static let words: KeyValuePairs = [
    "Make a Window(windowScene:) there and call makeKeyAndVisible()": "Call psc_window_adopt() there",
    "End it in its expiration handler": "Call psc_task_end() for it in its function \"expired\"",
    "beginBackgroundTask(withName:expirationHandler:)": "psc_task_begin()",
    "endBackgroundTask(_:)": "psc_task_end()",
    "reply(toApplicationShouldTerminate:)": "psc_reply_to_should_terminate()",
    "reply(toShouldClose:)": "psc_scene_reply_to_should_close()",
    "has answered .later": "has returned PSC_REPLY_LATER",
    "application(_:didFinishLaunchingWithOptions:)": "did_finish_launching",
    "application(_:didReceiveSecondLaunch:)": "did_receive_second_launch",
    "application(_:didDiscardSceneSessions:)": "did_discard_session",
    "applicationDidReceiveMemoryWarning(_:)": "did_receive_memory_warning",
    "applicationShouldTerminateAfterLastSceneClosed(_:)": "should_terminate_after_last_scene_closed",
    "applicationShouldTerminate(_:)": "should_terminate",
    "applicationWillTerminate(_:)": "will_terminate",
    "scene(_:willConnectTo:options:)": "scene_will_connect",
    "sceneWillEnterForeground(_:)": "scene_will_enter_foreground",
    "sceneDidBecomeActive(_:)": "scene_did_become_active",
    "sceneWillResignActive(_:)": "scene_will_resign_active",
    "sceneDidEnterBackground(_:)": "scene_did_enter_background",
    "sceneDidDisconnect(_:)": "scene_did_disconnect",
    "sceneShouldClose(_:)": "scene_should_close",
    "stateRestorationActivity(for:)": "scene_save_state",
    "scene(_:openURLContexts:)": "scene_open_urls",
    "scene(_:continue:)": "scene_continue_activity",
  ]

  static func forC(_ message: String) -> String {
    words.reduce(message) { $0.replacing($1.key, with: $1.value) }
  }
}

extension Program: MessageWording {
  package func worded(_ message: String) -> String { Wording.forC(message) }
}
