/// Something outside the program, other than the window system, that the framework hears of: the kernel, or the bus.
///
/// Started once, before the launch callbacks, and only where somebody can hear it; stopped when the program ends.
@MainActor package protocol SystemSource: AnyObject {
  func start(_ host: any SystemHost)
  func stop()
}

/// What a source may ask of the framework.
@MainActor package protocol SystemHost: AnyObject {
  /// Has the loop wait for a descriptor, also while the program is suspended.
  func watch(_ source: LoopSource) -> LoopSourceID
  /// Has the loop forget a descriptor; the source closes it afterwards.
  func unwatch(_ id: LoopSourceID)
  /// Calls a function once, on the main thread, that much later; not while the program is suspended.
  @discardableResult func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID
  /// Forgets what was to be called later; harmless once it has been.
  func cancel(_ id: DeadlineID)
  /// Something has happened; handled after what is being handled now, before the loop sleeps.
  func post(_ event: SystemEvent)
  /// A line for whoever reads the log: what happened, to what, and what follows.
  func log(_ message: String)
  /// A line for whoever reads the trace: what is there, and what is not.
  func note(_ name: String, _ text: String)
  /// The monotonic clock, in seconds.
  var now: Double { get }
}

/// All that a source can say.
package enum SystemEvent: Equatable, Sendable {
  case memoryPressure(MemoryPressure)
  /// The time that the user reads has jumped.
  case time(from: CivilTime, to: CivilTime)
  /// Somebody says that the user has gone, in one way, or is back; gone until everybody who said so has said otherwise.
  case absence(Absence, isOn: Bool, source: String)
}

/// How short memory is.
package enum MemoryPressure: Hashable, Sendable, CaseIterable {
  /// What can be given back should be.
  case warning
  /// Processes are about to be killed, or have been.
  case critical
}
