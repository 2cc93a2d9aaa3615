/// Calls a function at the end of each turn of the loop: the door for run loops of other libraries, such as
/// Foundation's timers.
///
/// The function gets the platform's clock in seconds and returns when it is to be called at the latest; nil for no
/// time. It is not called while the program is suspended.
final class TurnHook: FeatureBase, Feature, LoopObserver {
  override func join(_ lists: inout FeatureLists) { lists.observe(.turnEnded, by: self) }

  /// Copied from the application's values, because it is asked for in each turn.
  fileprivate lazy var hook = application.value(TurnHookKey.self)

  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    guard let hook, !conductor.isSuspended else { return [] }
    let now = conductor.platform.now
    guard let next = conductor.timed(CallDescription("The turn hook", phase: .event), { hook(now) }) else {
      return [.cancel(.turnHook)]
    }
    return [.set(.turnHook, after: .seconds(max(0, next - now)))]
  }
}

/// The function at the end of a turn has asked to be called.
extension Deadline { fileprivate static let turnHook = Deadline("turn hook") }

extension Application {
  /// Called on the main thread at the end of each turn of the loop, before it waits; nil, the default, for nothing.
  package var turnHook: (@MainActor (_ now: Double) -> Double?)? {
    get { value(TurnHookKey.self) }
    set {
      setValue(newValue, TurnHookKey.self)
      conductor?.feature(TurnHook.self)?.hook = newValue
    }
  }
}

private enum TurnHookKey: ValueKey { static var initial: (@MainActor (Double) -> Double?)? { nil } }
