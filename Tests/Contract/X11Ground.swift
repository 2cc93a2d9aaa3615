import Dispatch
import Glibc
import ProsceniumCore
import ProsceniumDesk

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// A private X server under openbox, with the program of another person on it.
@MainActor final class X11Ground: Ground {
  private let desk: Desk
  private let x11: X11Platform
  /// Another program's window.
  private let other: UInt32
  /// The monitors that have been set.
  private var monitorNames: Set<String> = []
  let listener = Listener()
  var platform: any Platform { x11 }

  init() async throws {
    desk = try await Desk(.openbox)
    other = desk.client.makeWindow(x: 700, y: 600)
    x11 = X11Platform(display: desk.server.display, hosting: .guest)
    _ = try x11.start(ApplicationIdentity(id: "org.example.Contract", instance: "contract"))
    x11.client = listener
    guard
      run(until: { [self] in
        x11.components?.context.windows.root.name == "Openbox" && listener.windowManager == .settled
      })
    else {
      throw DeskFailure("the platform does not see its window manager", evidence: desk.view)
    }
  }

  func run(until condition: @escaping () -> Bool) -> Bool {
    run(for: .seconds(60), until: condition)
  }

  func pass(milliseconds: Int) { _ = run(for: .milliseconds(milliseconds)) { false } }

  /// A turn every few milliseconds, whatever the platform waits for: nothing that it hands out is needed for it.
  private func run(for limit: Duration, until condition: @escaping () -> Bool) -> Bool {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now(), repeating: .milliseconds(3))
    timer.setEventHandler { @Sendable [x11] in x11.wake() }
    timer.activate()
    defer { timer.cancel() }
    let end = ContinuousClock.now + limit
    var isTrue = false
    listener.onTurn = { [self] in
      if condition() { isTrue = true }
      if isTrue || ContinuousClock.now >= end { x11.perform(.quit(0)) }
    }
    _ = x11.run()
    listener.onTurn = {}
    return isTrue
  }

  /// Waits until the server has done what was asked of it, before another client acts.
  private func synchronise() {
    guard let connection = x11.components?.server.connection else { return }
    connection.whenDone {}
    connection.awaitAll()
  }

  private func whenDone(_ body: () -> Void) {
    synchronise()
    body()
  }

  func focus(_ window: WindowID) { whenDone { desk.focus(window.rawValue) } }
  func focusAnotherProgram() { whenDone { desk.focus(other) } }
  func minimize(_ window: WindowID) { whenDone { desk.iconify(window.rawValue) } }
  func restore(_ window: WindowID) { whenDone { desk.restore(window.rawValue) } }

  func move(_ window: WindowID, to frame: Rect) {
    let (origin, size) = (frame.origin, frame.size)
    whenDone { desk.move(window.rawValue, to: Place(origin.x, origin.y, size.width, size.height)) }
  }

  func askToClose(_ window: WindowID) { whenDone { desk.close(window.rawValue) } }
  func destroyForeign(_ window: WindowID) { whenDone { desk.destroy(window.rawValue) } }

  func grabKeyboard(_ isGrabbed: Bool) {
    whenDone { if isGrabbed { _ = desk.client.grabKeyboard() } else { desk.ungrabKeyboard() } }
  }

  func stopObeying() { desk.signalWindowManager(SIGSTOP) }

  func killWindowManager() async throws {
    synchronise()
    try await desk.killWindowManager()
  }

  func startWindowManager() async throws { try await desk.startWindowManager(.openbox) }

  func send(_ window: WindowID, toDesktop desktop: Int) async throws {
    synchronise()
    try await self.desk.send(window.rawValue, toDesktop: desktop)
  }

  func goTo(desktop: Int) async throws {
    synchronise()
    try await self.desk.goToDesktop(desktop)
  }

  func showDesktop(_ isShown: Bool) { whenDone { desk.showDesktop(isShown) } }

  /// What RandR calls monitors: parts of the one screen that Xvfb has (xrandr(1), `--setmonitor`).
  func setMonitors(_ monitors: [(name: String, frame: Rect)]) async throws {
    for name in monitorNames.subtracting(monitors.map(\.name)) { try await xrandr("--delmonitor", name) }
    for (number, (name, frame)) in monitors.enumerated() where !monitorNames.contains(name) {
      let (size, origin) = (frame.size, frame.origin)
      try await xrandr(
        "--setmonitor", name,
        "\(size.width)/300x\(size.height)/200+\(origin.x)+\(origin.y)", number == 0 ? "screen" : "none")
    }
    monitorNames = Set(monitors.map(\.name))
  }

  private func xrandr(_ arguments: String...) async throws {
    let home = try TemporaryFolder()
    let process = try ChildProcess(
      ["xrandr"] + arguments, environment: try privateEnvironment(home: home, display: desk.server.display),
      output: home.file("out"), errors: home.file("err"))
    let ending = try await process.wait()
    guard ending == .exited(0) else {
      throw DeskFailure("xrandr \(arguments): \(ending) \(text(of: process.errorPath))")
    }
  }
}
