/// The behaviour of a second process of a program while a first one runs and owns the stored sessions.
public enum InstancePolicy: Hashable, Sendable, CaseIterable {
  /// It sends its launch to the first one and ends with status 0; where the first one refuses, because it
  /// shows its windows on another display, it reports that process and ends with status 1.
  case single
  /// It runs with stored sessions of its own, beside the first one's.
  case separateStores
}
