/// Calls a function at the end of each turn of the loop: the door for run loops of other libraries, such as
/// Foundation's timers.
///
/// The function gets the platform's clock in seconds and returns when it is to be called at the latest; nil for no
/// time. It is not called while the program is suspended.
final class TurnHook: FeatureBase, Feature {
  override func moment(_ moment: Moment) -> [FeatureAction] {
    guard case .turnEnded = moment, !conductor.isSuspended, let hook = application.turnHook else { return [] }
    let now = conductor.platform.now
    guard let next = hook(now) else { return [.cancel(.turnHook)] }
    return [.set(.turnHook, after: .seconds(max(0, next - now)))]
  }
}

/// The function at the end of a turn has asked to be called.
extension Deadline { fileprivate static let turnHook = Deadline("turn hook") }

extension Application {
  /// Called on the main thread at the end of each turn of the loop, before the loop waits; nil, the default, for
  /// nothing.
  package var turnHook: (@MainActor (_ now: Double) -> Double?)? {
    get { value(TurnHookKey.self) }
    set { setValue(newValue, TurnHookKey.self) }
  }
}

private enum TurnHookKey: ValueKey { static var initial: (@MainActor (Double) -> Double?)? { nil } }
