import Glibc

/// A private Xwayland whose only output is turned to the left.
///
/// No other X server turns an output without hardware: the dummy driver has no memory to turn an output in, Xvfb offers
/// no rotation, and Xephyr aborts. The output is one of a headless Weston.
package final class TurnedServer: Sendable {
  /// What clients put in `DISPLAY`.
  package let display: String
  private let compositor: ChildProcess
  private let process: ChildProcess
  private let folder: TemporaryFolder

  package static var isInstalled: Bool {
    ProsceniumDesk.isInstalled("weston") && ProsceniumDesk.isInstalled("Xwayland")
  }

  /// Starts Weston and the server, and waits until it takes connections.
  package init() async throws {
    let folder = try TemporaryFolder()
    var environment = try privateEnvironment(home: folder, display: nil)
    environment["WAYLAND_DISPLAY"] = "wayland"
    let compositor = try ChildProcess(
      [
        "weston", "--no-config", "--backend=headless-backend.so", "--shell=kiosk-shell.so", "--socket=wayland",
        "--width=800", "--height=600", "--transform=rotate-90", "--idle-time=0",
      ], environment: environment, output: folder.file("weston"), errors: folder.file("weston.errors"))
    self.compositor = compositor
    self.folder = folder
    try await waitFor("Weston's socket", evidence: { text(of: compositor.errorPath) }) {
      if let ending = compositor.poll() { throw DeskFailure("Weston: \(ending)\n\(text(of: compositor.errorPath))") }
      return access(folder.file("runtime") + "/wayland", F_OK) == 0 ? () : nil
    }
    let process = try ChildProcess(
      ["Xwayland", "-displayfd", "1", "-noreset", "-ac", "-nolisten", "tcp"], environment: environment,
      output: folder.file("display"), errors: folder.file("errors"))
    self.process = process
    display = try await displayName(of: process, "Xwayland") { text(of: process.errorPath) }
  }

  deinit {
    for one in [process, compositor] {
      one.send(SIGTERM, toGroup: true)
      for _ in 0..<4000 where one.poll() == nil { usleep(10_000) }
    }
  }
}
