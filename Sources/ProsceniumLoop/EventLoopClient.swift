/// The user of an ``EventLoop``: what happens in each turn, in the order of the declarations.
@MainActor package protocol EventLoopClient<DeadlineName>: AnyObject {
  associatedtype DeadlineName: Hashable

  /// Called before each wait: everything that has been asked for is sent now.
  func loopWillWait()
  /// Whether there is work that no descriptor announces: the loop does not sleep.
  var hasWork: Bool { get }
  /// Whether there is work for a moment in which nothing else is to be done.
  var hasIdleWork: Bool { get }
  /// Called instead of a sleep where ``hasIdleWork`` says so and no descriptor is ready.
  func performIdleWork()
  /// Called for each signal that asks the process to end: see ``EventLoop/catchTerminationSignals()``.
  func loopCaught(signal: Int32)
  /// Called after each wait and after the sources of the stage `input`: what can be read is read and handled.
  func loopDidWake()
  /// Called for each deadline that is due.
  func deadlinePassed(_ name: DeadlineName)
  /// Called after the deadlines of the turn, before the other sources and the main queue.
  func loopDidPassDeadlines()
}

extension EventLoopClient {
  package var hasWork: Bool { false }
  package var hasIdleWork: Bool { false }
  package func performIdleWork() {}
  package func loopCaught(signal: Int32) {}
  package func loopDidWake() {}
  package func loopDidPassDeadlines() {}
}
