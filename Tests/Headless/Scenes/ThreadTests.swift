import Glibc
import ProsceniumLoop
import ProsceniumTesting
import ScenarioKit
import TestSupport
import Testing

@testable import ProsceniumCore

@MainActor @Suite("On another thread than the main one") struct ThreadTests {
  /// Changes of each class, of objects that no window system knows of, and of a window of a connected scene.
  enum Change: String, Codable, CaseIterable {
    case shownTitle, shownHidden, title, isHidden, icon, background, level, minimum, maximum, frame, cursor, content
    case scene, sceneTitle, sceneDelegate, modalWindows, userInfo, restoration, conditions, policy, size
    case delegate, holdTimes, backgroundTimes, responderActivity, activityTitle, eligibility, needsSave, pause, frames
    case pauseWork, resumeWork, cancelWork
    case disableUndo, enableUndo, beginUndoGroup, endUndoGroup, beginUndoStep, undoName, undo, redo, forgetUndo
    case forgetUndoOfTarget
    #if !WITHOUT_DragAndDrop
      case dragData, dragFile
    #endif
    #if !WITHOUT_BackgroundScheduler
      case completeTask
    #endif
    #if !WITHOUT_OpenRequests
      case shortcutItems
    #endif
    #if !WITHOUT_Memory
      case costLimit
    #endif
  }

  @Test("A change ends a debug build, which says what to do", arguments: Change.allCases)
  func change(_ change: Change) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [change = change as Change] in
      await ThreadTests.make(change)
    }
    try Self.expectAdvice(result)
  }

  /// A process has ended with the message that says what to do.
  static func expectAdvice(_ result: ExitTest.Result?) throws {
    let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(said.contains("Use windows, scenes and the application on the main thread"), "\(said)")
  }

  private static func make(_ change: Change) {
    let program = HeadlessProgram()
    program.launch(HistoryProgram(.plain))
    program.advance(by: 1000)
    guard let scene = program.application.connectedScenes.first as? WindowScene, let shown = scene.windows.first else {
      return
    }
    run(body(change, program.application, scene, shown))
  }

  /// Runs a change on another thread, and ends the process when it has been made.
  static func run(_ body: @escaping @Sendable () -> Void) {
    endTrapsAtOnce()
    let isRunning = DetachedThread.run {
      body()
      exit(0)
    }
    while isRunning { pause() }
  }

  private static func body(
    _ change: Change, _ application: Application, _ scene: WindowScene, _ shown: Window
  ) -> @Sendable () -> Void {
    let (window, activity, session) = (Window(), UserActivity(activityType: "a"), scene.session)
    let configuration = SceneConfiguration(name: nil, sessionRole: .windowApplication)
    let link = FrameLink(window: window) { _ in }
    let work = scene.whileActive(start: {}, stop: {})
    let undo = UndoManager()
    return switch change {
    case .shownTitle: set(shown, \.title, "another")
    case .shownHidden: set(shown, \.isHidden, true)
    case .title: set(window, \.title, "another")
    case .isHidden: set(window, \.isHidden, true)
    case .icon: set(window, \.icon, nil)
    case .background: set(window, \.backgroundColor, .white)
    case .level: set(window, \.windowLevel, 1)
    case .minimum: set(window, \.minimumSize, nil)
    case .maximum: set(window, \.maximumSize, nil)
    case .frame: set(window, \.frame, Rect(x: 0, y: 0, width: 9, height: 9))
    case .cursor: set(window, \.cursor, .arrow)
    case .content: set(window, \.content, nil)
    case .scene: set(window, \.windowScene, nil)
    case .sceneTitle: set(scene, \.title, "another")
    case .sceneDelegate: set(scene, \.delegate, nil)
    case .modalWindows: set(scene, \.modalWindows, [])
    case .userInfo: set(session, \.userInfo, nil)
    case .restoration: set(session, \.stateRestorationActivity, nil)
    case .conditions: set(scene, \.activationConditions, SceneActivationConditions())
    case .policy: set(configuration, \.closePolicy, .discard)
    case .size: set(configuration, \.launchSize, Size(width: 9, height: 9))
    case .delegate: set(application, \.delegate, nil)
    case .holdTimes: set(application, \.holdTimes, .none)
    case .backgroundTimes: set(application, \.backgroundTimes, BackgroundTimes())
    case .responderActivity: set(window, \.userActivity, activity)
    case .activityTitle: set(activity, \.title, "another")
    case .eligibility: set(activity, \.isEligibleForSearch, true)
    case .needsSave: set(activity, \.needsSave, true)
    case .pause: set(link, \.isPaused, true)
    case .frames: set(link, \.preferredFramesPerSecond, 30)
    case .pauseWork: call(work.pause)
    case .resumeWork: call(work.resume)
    case .cancelWork: call(work.cancel)
    case .disableUndo: call(undo.disableUndoRegistration)
    case .enableUndo: call(undo.enableUndoRegistration)
    case .beginUndoGroup: call(undo.beginUndoGrouping)
    case .endUndoGroup: call(undo.endUndoGrouping)
    case .beginUndoStep: call(undo.beginNewStep)
    case .undoName: call { undo.setActionName("a") }
    case .undo: call(undo.undo)
    case .redo: call(undo.redo)
    case .forgetUndo: call { undo.removeAllActions() }
    case .forgetUndoOfTarget: call { undo.removeAllActions(withTarget: window) }
    #if !WITHOUT_DragAndDrop
      case .dragData: drag { $0.registerData(type: "a/b") { nil } }
      case .dragFile: drag { $0.promiseFile(named: "a") { _ in } }
    #endif
    #if !WITHOUT_BackgroundScheduler
      case .completeTask: complete()
    #endif
    #if !WITHOUT_OpenRequests
      case .shortcutItems:
        set(application, \.shortcutItems, [ApplicationShortcutItem(type: "a", localizedTitle: "A")])
    #endif
    #if !WITHOUT_Memory
      case .costLimit: set(PurgeableCache<Int, Int>(), \.costLimit, nil)
    #endif
    }
  }

  #if !WITHOUT_DragAndDrop
    private static func drag(_ change: @escaping @MainActor (DragItem) -> Void) -> @Sendable () -> Void {
      let item = DragItem()
      return call { change(item) }
    }
  #endif
  #if !WITHOUT_BackgroundScheduler
    private static func complete() -> @Sendable () -> Void {
      let task = BackgroundTask(identifier: "a", kind: .refresh) { _, _ in }
      return call { task.setTaskCompleted(success: true) }
    }
  #endif

  /// Calls a method as Swift 5 mode does.
  static func call(_ method: @escaping @MainActor () -> Void) -> @Sendable () -> Void {
    unsafeBitCast(method, to: (@Sendable () -> Void).self)
  }

  /// A key path writes as Swift 5 mode does: the compiler checks no isolation where it is used.
  static func set<Root: AnyObject, Value>(
    _ root: Root, _ path: ReferenceWritableKeyPath<Root, Value>, _ value: Value
  ) -> @Sendable () -> Void {
    nonisolated(unsafe) let (root, path, value) = (root, path, value)
    return { root[keyPath: path] = value }
  }
}
