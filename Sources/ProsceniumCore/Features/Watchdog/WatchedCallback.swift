/// The phase that a limit belongs to.
package enum WatchedPhase: Hashable, Sendable, CaseIterable {
  case launch, background, termination, sceneUpdate

  /// The phase in a report.
  package var text: String {
    switch self {
    case .launch: "launch"
    case .background: "return from an entry to the background"
    case .termination: "willTerminate"
    case .sceneUpdate: "answer to a scene update"
    }
  }
}

/// A call into the program that the framework waits for.
package struct WatchedCallback: Hashable, Sendable {
  /// The name as the program spells it.
  package var name: String
  /// The persistent identifier of the session.
  package var scene: String?
  /// Nil if it has no limit of its own: the launch's counts.
  package var phase: WatchedPhase?

  package init(_ name: String, scene: String? = nil, phase: WatchedPhase?) {
    self.name = name
    self.scene = scene
    self.phase = phase
  }
}

/// A call that exceeded its limit, with its duration.
package struct WatchdogOverrun: Equatable, Sendable {
  package var callback: WatchedCallback
  /// On the monotonic clock.
  package var nanoseconds: UInt64
  package init(callback: WatchedCallback, nanoseconds: UInt64) {
    self.callback = callback
    self.nanoseconds = nanoseconds
  }
}
