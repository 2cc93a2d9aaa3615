import ProsceniumCore
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// A started platform and a client that writes down all it hears.
@MainActor final class Recording: PlatformClient {
  let platform: X11Platform
  let screensAtStart: [ScreenDescription]
  private(set) var events: [PlatformEvent] = []
  private(set) var levels: [WindowID: WindowLevels] = [:]
  private(set) var geometry: [WindowID: WindowGeometry] = [:]
  private(set) var windowManager = WindowManagerState.settled
  private var condition: () -> Bool = { false }
  private var isNested = false
  private static let limit = DeadlineID(rawValue: -1)
  private static let look = DeadlineID(rawValue: -2)

  convenience init(_ server: TestServer, sessionManager: String? = nil, arguments: [String] = []) throws {
    try self.init(display: server.display, sessionManager: sessionManager, arguments: arguments)
  }

  init(
    display: String, needsScreens: Bool = false, sessionManager: String? = nil, arguments: [String] = []
  ) throws {
    platform = X11Platform(display: display, hosting: .guest, sessionManager: sessionManager)
    screensAtStart = try platform.start(
      ApplicationIdentity(
        id: "org.example.Recording", instance: "stage", arguments: arguments, needsScreens: needsScreens))
    platform.client = self
  }

  func handle(_ batch: [PlatformEvent]) {
    #expect(!isNested)
    isNested = true
    defer { isNested = false }
    for event in batch {
      events.append(event)
      switch event {
      case .levels(let id, let new): levels[id] = new
      case .geometry(let id, let new): geometry[id] = new
      case .windowManager(let state, _): windowManager = state
      case .deadline(Self.limit): platform.perform(.quit(1))
      case _: break
      }
    }
  }

  func turn() { if condition() { platform.perform(.quit(0)) } }

  /// What is to be done before the loop sleeps; once.
  var idleWork: (() -> Void)?
  var hasIdleWork: Bool { idleWork != nil }
  func performIdleWork() {
    let work = idleWork
    idleWork = nil
    work?()
  }

  /// Runs until something is true; whether it became so within a minute.
  func run(until condition: @escaping () -> Bool) -> Bool {
    self.condition = condition
    platform.perform(.setDeadline(Self.limit, milliseconds: 60_000))
    let status = platform.run()
    platform.perform(.cancelDeadline(Self.limit))
    self.condition = { false }
    return status == 0
  }

  /// The same for what only another client sees: nothing need come to this one when it becomes true.
  func runLooking(until condition: @escaping () -> Bool) -> Bool {
    defer { platform.perform(.cancelDeadline(Self.look)) }
    return run { [self] in
      if condition() { return true }
      platform.perform(.setDeadline(Self.look, milliseconds: 5))
      return false
    }
  }

  /// Waits until the server has done what was asked of it: from then on other clients see it.
  func synchronise() {
    let connection = platform.parts.server.connection
    connection.whenDone {}
    connection.awaitAll()
  }

  func perform(_ command: PlatformCommand) { platform.perform(command) }

  func makeWindow(_ title: String = "Recording", _ change: (inout WindowDescription) -> Void = { _ in }) -> WindowID {
    var description = WindowDescription()
    description.title = title
    description.role = "role-\(title)"
    change(&description)
    let id = platform.makeWindowID()
    perform(.create(id, description))
    return id
  }

  func isVisible(_ id: WindowID) -> Bool { levels[id]?.visible == true }
  func isFocused(_ id: WindowID) -> Bool { levels[id]?.focused == true }

  func outcome(_ id: RequestID) -> RequestOutcome? {
    for case .outcome(id, let outcome) in events { return outcome }
    return nil
  }

  var errors: [String] {
    faults + events.compactMap { if case .error(let text) = $0 { text } else { nil } }
  }

  /// What the person who started the program reads too.
  var faults: [String] {
    events.compactMap { if case .fault(let text) = $0 { text } else { nil } }
  }

  var keys: [Key] {
    events.compactMap { event in
      guard case .input(_, let input) = event, case .key(let key) = input.kind else { return nil }
      return key
    }
  }
}

extension X11Platform {
  /// The parts of a platform that has been started.
  var parts: X11Components {
    guard let components else { preconditionFailure("the platform has not been started") }
    return components
  }
}
