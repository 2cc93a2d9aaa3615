import FoundationEssentials
import ProsceniumJSON
import ProsceniumTrace

@testable import ProsceniumCore
@testable import ProsceniumTesting

/// A program with activities that it continues, and those that it offers.
@MainActor final class HandoffRun: UserActivityDelegate {
  static let reader = "org.example.Reader"

  let program: HeadlessProgram
  let delegate: Delegate
  var machine: HeadlessMachine { program.machine }
  var center: HandoffCenter { HandoffCenter.of(program.application) }

  /// What the delegate and the activity's delegate do when the activity is asked for.
  var onSave: (UserActivity) -> Void = { _ in }

  final class Delegate: RecordingDelegate {
    var options: [Scene.ConnectionOptions] = []
    var launchOptions: [LaunchOptions] = []

    private var window: Window?

    override func application(
      _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?
    ) -> Bool {
      if manifest.sceneConfigurations.isEmpty {
        window = Window()
        window?.makeKeyAndVisible()
      }
      return super.application(application, didFinishLaunchingWithOptions: launchOptions)
    }

    override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
      if let options = value as? Scene.ConnectionOptions { self.options.append(options) }
      if let options = value as? LaunchOptions { launchOptions.append(options) }
      let names = [
        "willSave", "responder", "didUpdateUserActivity", "wasContinued", "willContinueUserActivityWithType",
        "continueUserActivity", "didFailToContinueUserActivityWithType",
      ]
      return names.contains(call.name) ? call : nil
    }
  }

  /// A responder that has the activity, and adds to it.
  final class Page: Responder {
    unowned let run: HandoffRun
    weak var behind: Responder?
    override var next: Responder? { behind }
    init(_ run: HandoffRun, in behind: Responder?) {
      self.run = run
      self.behind = behind
    }
    override func updateUserActivityState(_ activity: UserActivity) {
      run.delegate.record("responder")
      activity.addUserInfoEntries(from: ["page": 3])
    }
  }

  init(
    suspends: Bool = false, isAppBased: Bool = false, types: Set<String> = ["edit"],
    startedBy source: WordSource? = nil, beforeLaunch: (HandoffRun) -> Void = { _ in }
  ) {
    let delegate = Delegate()
    delegate.manifest.userActivityTypes = types
    if isAppBased { delegate.manifest.sceneConfigurations = [] }
    #if !WITHOUT_Suspension
      if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
    #endif
    self.delegate = delegate
    program = source.map { HeadlessProgram(sources: [$0]) } ?? HeadlessProgram(delegate: { delegate })
    beforeLaunch(self)
    program.launch(delegate, arguments: source == nil ? [] : ["--background"])
    program.advance(by: .seconds(3))
  }

  func userActivityWillSave(_ userActivity: UserActivity) {
    delegate.record("willSave")
    userActivity.addUserInfoEntries(from: ["saved": true])
    onSave(userActivity)
  }

  func userActivityWasContinued(_ userActivity: UserActivity) { delegate.record("wasContinued") }

  func settle() { program.advance(by: .zero) }

  /// A current activity, whose changes have been told.
  func begin(_ type: String = "read", title: String? = nil, prepare: (UserActivity) -> Void = { _ in }) -> UserActivity
  {
    let activity = UserActivity(activityType: type)
    activity.title = title
    activity.delegate = self
    prepare(activity)
    activity.becomeCurrent()
    settle()
    return activity
  }

  func open() {
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(3))
  }

  func minimize(_ number: Int = 0) {
    program.desk.minimize(program.windows[number])
    program.advance(by: .seconds(10))
  }

  func restore(_ number: Int = 0) {
    program.desk.restore(program.windows[number])
    program.advance(by: .seconds(1))
  }

  /// The calls since the last time.
  func takeCalls() -> [String] {
    settle()
    return delegate.takeCalls().map(\.description)
  }

  func list() -> [HandoffActivity] {
    var found: [HandoffActivity]?
    center.activities { found = $0 }
    settle()
    return found ?? []
  }

  /// Continues an activity; nil where that has not ended, else its error or "".
  func take(_ activity: HandoffActivity) -> String? {
    var ended: String?
    center.continueActivity(activity) { ended = $0.map { "\($0)" } ?? "" }
    program.advance(by: .seconds(1))
    return ended
  }

  /// The trace's lines about offers.
  var lines: [String] {
    program.entries.compactMap { entry in
      guard case .system(let system) = entry, system.name == "handoff" else { return nil }
      return system.details.fields.map { "\($0.key) \($0.value.text ?? "")" }.joined(separator: " ")
    }
  }
}
