import ProsceniumCore
import Testing

/// A platform with the world around it: what a person, a window manager and other programs do there.
@MainActor protocol Ground: AnyObject {
  var platform: any Platform { get }
  /// Who hears of the platform's events.
  var listener: Listener { get }

  /// Runs the loop until something is true; whether it became so within ten seconds.
  func run(until condition: @escaping () -> Bool) -> Bool
  /// Runs the loop for some of its time.
  func pass(milliseconds: Int)

  /// A person gives a window the focus.
  func focus(_ window: WindowID)
  /// The focus goes to another program.
  func focusAnotherProgram()
  func minimize(_ window: WindowID)
  func restore(_ window: WindowID)
  func move(_ window: WindowID, to frame: Rect)
  /// The close button.
  func askToClose(_ window: WindowID)
  /// Another program destroys it.
  func destroyForeign(_ window: WindowID)
  func grabKeyboard(_ isGrabbed: Bool)
  /// From now on the window manager does nothing that it is asked for.
  func stopObeying()

  /// The window manager dies, and no other comes.
  func killWindowManager() async throws
  /// Another one comes.
  func startWindowManager() async throws
  /// A person sends a window to another workspace; the first is 0.
  func send(_ window: WindowID, toDesktop desktop: Int) async throws
  func goTo(desktop: Int) async throws
  func showDesktop(_ isShown: Bool)
  /// The monitors are these from now on; one that stays is where it was.
  func setMonitors(_ monitors: [(name: String, frame: Rect)]) async throws
}

/// The platforms that the contract is about.
enum GroundKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory = "in memory"
  case server = "on X11, under openbox"

  var testDescription: String { rawValue }

  /// A started platform under a settled window manager.
  @MainActor func make() async throws -> any Ground {
    switch self {
    case .memory: HeadlessGround()
    case .server: try await X11Ground()
    }
  }
}

/// What tests say in short.
extension Ground {
  func perform(_ command: PlatformCommand) { platform.perform(command) }

  func makeWindow(_ change: (inout WindowDescription) -> Void = { _ in }) -> WindowID {
    var description = WindowDescription()
    description.position = Point(x: 120, y: 90)
    description.size = Size(width: 300, height: 200)
    change(&description)
    let id = platform.makeWindowID()
    description.role = "\(id)"
    description.title = "\(id)"
    perform(.create(id, description))
    return id
  }

  /// Whether something that may be asked for twice is done: a window manager that got no processor for half a second is
  /// asked again.
  func does(_ what: WindowRequest, _ window: WindowID) -> Bool {
    for _ in 0..<20 {
      let outcome = outcome(of: what, window)
      if outcome != .ignored { return outcome == .done }
    }
    return false
  }

  /// A window that is seen and has the focus.
  func makeActiveWindow(_ change: (inout WindowDescription) -> Void = { _ in }) -> WindowID? {
    let id = makeWindow(change)
    perform(.show(id, .activated))
    return run { self.listener.isActive(id) } ? id : nil
  }

  /// Asks for something and waits for what becomes of it.
  func outcome(of what: WindowRequest, _ window: WindowID) -> RequestOutcome? {
    let request = listener.makeRequestID()
    perform(.request(request, window, what))
    _ = run { self.listener.outcomes[request] != nil }
    return listener.outcomes[request]
  }
}
