/// What a second process of a program does while a first one runs and owns the stored sessions.
public enum InstancePolicy: Hashable, Sendable, CaseIterable {
  /// It hands what it was started with over to the first one and ends with status 0; where that is not taken, as by one that
  /// shows its windows on another display, it says who runs and where, and ends with status 1.
  case single
  /// It runs with stored sessions of its own, beside the first one's.
  case separateStores
}
