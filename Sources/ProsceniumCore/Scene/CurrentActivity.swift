/// The user's present activity in one program; in tests others may have theirs.
@MainActor final class CurrentActivity {
  /// Called when another activity is current, or none, and when the current one has changed; set by a feature.
  var onChange: @MainActor () -> Void = {}
  weak var activity: UserActivity? {
    didSet {
      assertMainThread()
      if activity !== oldValue { onChange() }
    }
  }

  nonisolated init() {}
}

enum CurrentActivityKey: ValueKey { static var initial: CurrentActivity { CurrentActivity() } }
