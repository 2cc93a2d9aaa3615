/// The consequence of a callback that exceeds its time limit; see ``ApplicationManifest/watchdogPolicy``.
///
/// The environment takes precedence: `PROSCENIUM_WATCHDOG=off`, `report` or `kill` (which is ``terminate``) replaces
/// the manifest's. It is ignored where the program runs with another user's rights.
public enum WatchdogPolicy: String, Hashable, Sendable, CaseIterable {
  /// Nothing is watched, and there is no thread for it.
  case off
  /// A report is written to standard error and beside the program's sessions, and the program continues.
  case report
  /// After the report the process is killed, as on iOS: no callback is called and no state is saved any more, but a
  /// save that is under way is completed. The next launch has the reason ``RestorationReason/recover``.
  case terminate

  /// The environment's policy; nil if it has none, or none that is valid.
  package init?(environment word: String) {
    switch word {
    case "off": self = .off
    case "report": self = .report
    case "kill": self = .terminate
    default: return nil
    }
  }
}

extension ApplicationManifest {
  /// The consequence of a callback that exceeds its time limit (our addition): ``WatchdogPolicy/report`` by default.
  ///
  /// The environment's `PROSCENIUM_WATCHDOG` takes precedence; a test in memory has no watchdog.
  public var watchdogPolicy: WatchdogPolicy {
    get { values[WatchdogPolicyKey.self] }
    set { values[WatchdogPolicyKey.self] = newValue }
  }

  /// The time limits of callbacks (our addition).
  public var watchdogLimits: WatchdogLimits {
    get { values[WatchdogLimitsKey.self] }
    set { values[WatchdogLimitsKey.self] = newValue }
  }
}

private enum WatchdogPolicyKey: FeatureValueKey { static var initial: WatchdogPolicy { .report } }
private enum WatchdogLimitsKey: FeatureValueKey { static var initial: WatchdogLimits { WatchdogLimits() } }
