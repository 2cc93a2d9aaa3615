package import ProsceniumLoop

/// Something outside the program, other than the window system, that the framework hears of: the kernel, or the bus.
///
/// Started once, before the launch callbacks; stopped when the program ends.
@MainActor package protocol SystemSource: AnyObject {
  func start(_ host: any SystemHost)
  func stop()
}

/// What a source may ask of the framework.
@MainActor package protocol SystemHost: LoopHost {
  /// The application's id.
  var applicationIdentifier: String { get }
  /// Something has happened; handled after what is being handled now, before the loop sleeps.
  func post(_ event: SystemEvent)
  /// A line of the trace for whoever looks for an error: what happened, to what, and what follows.
  func log(_ message: String)
  /// The same, also for whoever started the program: on standard error. Once for all that follows from one thing.
  func report(_ message: String)
  /// A line for whoever reads the trace: what is there, and what is not.
  func note(_ name: String, _ text: String)
  /// Whether what another program asks for now would still be done: not once the program is ending.
  var acceptsRequests: Bool { get }
  /// How long the program may still work before it ends, in seconds, if it is ending: what its background tasks have.
  var timeToEnd: Double { get }
  /// Whether nothing of the program runs now, and no deadline passes.
  var isSuspended: Bool { get }
  /// The source can keep the screen saver away; it is told at once whether it should.
  func offer(_ inhibitor: any IdleInhibitor)
}

/// All that a source can say.
package enum SystemEvent: Equatable, Sendable {
  case memoryPressure(MemoryPressure)
  /// The time that the user reads has jumped.
  case time(from: CivilTime, to: CivilTime)
  /// Somebody says that the user has gone, in one way, or is back; gone until everybody who said so has said otherwise.
  case absence(Absence, isOn: Bool, source: String)
  /// Whether the user is there at all is being asked, and not known yet, or is known now: until then, in a launch, no scene
  /// is active.
  case firstWord(isAwaited: Bool)
  /// Who says whether the user is there has gone, or is heard again: what was said before counts on, until then or until
  /// the user shows to be there.
  case silence(isOn: Bool, source: String)
  /// Somebody says that a screen saver has come or gone, without a lock; on until everybody who said so has said otherwise.
  case screenSaver(isOn: Bool, source: String)
  /// What the user has chosen for all programs, as the portal says.
  case settings(DesktopSettings)
  /// The file of preferences may be another one.
  case preferencesEdited
  /// Another program asks for something.
  case request(IncomingRequest)
}

/// How short memory is.
package enum MemoryPressure: Hashable, Sendable, CaseIterable {
  /// What can be given back should be.
  case warning
  /// Processes are about to be killed, or have been.
  case critical
}
