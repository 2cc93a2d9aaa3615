/// What follows when a callback takes longer than it may; see ``ApplicationManifest/watchdogPolicy``.
///
/// The environment has the last word: `PROSCENIUM_WATCHDOG=off`, `report` or `kill` (which is ``terminate``) replaces the
/// manifest's. It is not heard where the program runs with another user's rights.
public enum WatchdogPolicy: String, Hashable, Sendable, CaseIterable {
  /// Nothing is watched, and there is no thread for it.
  case off
  /// A report is written to standard error and beside the program's sessions, and the program runs on.
  case report
  /// After the report the process is killed, as a phone does: no callback is called and nothing more is saved, but a save
  /// that is under way is completed. The next launch has the reason ``RestorationReason/recover``.
  case terminate

  /// What the environment says; nil if it says nothing, or nothing that is understood.
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
  /// What follows when a callback takes longer than it may (our addition): ``WatchdogPolicy/report`` by default.
  ///
  /// The environment's `PROSCENIUM_WATCHDOG` goes before it; a test in memory has no watchdog.
  public var watchdogPolicy: WatchdogPolicy {
    get { values[WatchdogPolicyKey.self] }
    set { values[WatchdogPolicyKey.self] = newValue }
  }

  /// How long callbacks may take (our addition).
  public var watchdogLimits: WatchdogLimits {
    get { values[WatchdogLimitsKey.self] }
    set { values[WatchdogLimitsKey.self] = newValue }
  }
}

private enum WatchdogPolicyKey: FeatureValueKey { static var initial: WatchdogPolicy { .report } }
private enum WatchdogLimitsKey: FeatureValueKey { static var initial: WatchdogLimits { WatchdogLimits() } }
