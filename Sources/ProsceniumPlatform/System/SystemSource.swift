package import ProsceniumLoop

/// A source of events besides the window system: the kernel, or the bus.
///
/// Started once, before the launch callbacks; stopped when the program ends.
@MainActor package protocol SystemSource: AnyObject {
  func start(_ host: any SystemHost)
  func stop()
}

/// The framework, as sources use it.
@MainActor package protocol SystemHost: LoopHost {
  /// The application's id.
  var applicationIdentifier: String { get }
  /// Posts an event, which is handled after the present one, before the loop waits.
  func post(_ event: SystemEvent)
  /// Writes an error to the trace: the failure, its object, and its consequence.
  func log(_ message: String)
  /// Writes an error to the trace and to standard error; called once for one cause.
  func report(_ message: String)
  /// Writes a fact about the system to the trace.
  func trace(_ name: String, _ text: String)
  /// Whether requests of other programs are still handled: not once the program is ending.
  var acceptsRequests: Bool { get }
  /// How long the background tasks of a program that is ending may still run, in seconds.
  var timeToEnd: Double { get }
  /// Whether the program is suspended: its code does not run, and its deadlines stand still.
  var isSuspended: Bool { get }
  /// Sets the object that inhibits the screen saver, and sets its initial state.
  func offer(_ inhibitor: any IdleInhibitor)
}

/// An event of a source.
package enum SystemEvent: Equatable, Sendable {
  case memoryPressure(MemoryPressure)
  /// The local time has jumped.
  case time(from: CivilTime, to: CivilTime)
  /// A source reports that the user cannot see the program, or can again. It holds until all sources that reported it
  /// have withdrawn it.
  case concealment(ConcealmentReason, isOn: Bool, source: String)
  /// It is not known yet whether the user is present, or it is known now. Until it is known no scene of a launch is
  /// active.
  case firstWord(isAwaited: Bool)
  /// The request for which the bus has started the program may still come, or comes no longer. A launch in the
  /// background waits for it.
  case firstRequest(isAwaited: Bool)
  /// A source that reported a concealment has disappeared, or is back. Its reports hold until it is back, or until
  /// the user's input shows that the user is present.
  case silence(isOn: Bool, source: String)
  /// A source reports that a screen saver is active, without a lock, or inactive. It holds until all sources that
  /// reported it have withdrawn it.
  case screenSaver(isOn: Bool, source: String)
  /// The user's choices for all programs, by the portal.
  case settings(DesktopSettings)
  /// The power of the machine has changed, as far as it is followed: see ``PowerMonitor``.
  case power(PowerReading)
  /// The machine's locale, which is followed on request: see ``LocaleMonitor``.
  case machineLocale(LocaleVariables)
  /// The time of scheduled work has come, or its conditions are known: see ``WorkMonitor``.
  case scheduledWork(WorkNews)
  /// The time of a notice with a trigger has come, or the clock was set.
  case noticesDue
  /// The accessories, all of them, as long as they are followed: see ``AccessoryMonitor``.
  case accessories([AccessoryReading])
  /// Where the machine is, as far as it is followed: see ``LocationMonitor``.
  case location(LocationReading)
  /// What sensors tell, as far as they are followed: see ``SensorMonitor``.
  case sensors(SensorReading)
  /// The machine is shaken, as long as that is followed.
  case shake(ShakePhase)
  /// The user's accounts, all of them, once they are followed: see ``AccountMonitor``.
  case accounts([AccountReading])
  /// Another program asks something of this one as a player of media: see ``MediaPlayerService``.
  case remoteControl(RemoteControlRequest)
  /// Assistive programs come, go, or ask something: see ``AccessibilityService``.
  case accessibility(AccessibilityEvent)
  /// A panel that shows menu bars comes, goes, or is used: see ``PanelMenuService``.
  case panelMenu(PanelMenuEvent)
  /// Another program says something of an activity that this one offers: see ``HandoffService``.
  case handoff(HandoffEvent)
  /// The user's input method says something: see ``InputMethodService``.
  case inputMethod(InputMethodEvent)
  /// The preferences file may have been changed.
  case preferencesEdited
  /// A request of another program.
  case request(IncomingRequest)
}

/// The degree of memory pressure.
package enum MemoryPressure: Hashable, Sendable, CaseIterable {
  /// Memory that can be made again should be freed.
  case warning
  /// Processes are about to be killed, or have been.
  case critical
}
