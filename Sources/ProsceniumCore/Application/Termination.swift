public import SceneLifecycle

/// What a program answers when it is to end: `.now`, `.later` or `.cancel`.
///
/// After `.later`, ``Application/reply(toApplicationShouldTerminate:)`` says which.
public typealias TerminateReply = TerminationMachine.Reply

/// What a second process of a program does while a first one runs and owns the stored sessions.
public enum InstancePolicy: Hashable, Sendable, CaseIterable {
  /// It says who runs and where, and ends with status 1.
  case single
  /// It runs with stored sessions of its own, beside the first one's.
  case separateStores
}
