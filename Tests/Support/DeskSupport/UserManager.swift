import Glibc

/// A systemd user manager of its own with its session bus (systemd.special(7), `dbus.socket`), on a machine that was
/// booted by it or not.
///
/// On a machine that was not, which takes root, it sees a `/run/systemd` of its own that says so: it refuses to run
/// elsewhere (sd_booted(3)).
package final class UserManager: Sendable {
  private static let program = "/usr/lib/systemd/systemd"
  private let folder: TemporaryFolder
  private let runtime: String
  private let manager: ChildProcess

  private static var isBooted: Bool { access("/run/systemd/system", F_OK) == 0 }

  package static var isInstalled: Bool {
    access(program, X_OK) == 0 && access("/usr/lib/systemd/user/dbus.socket", R_OK) == 0
      && (isBooted || (DeskSupport.isInstalled("unshare") && geteuid() == 0))
  }

  /// Starts the manager, and waits until it has its bus and its name there.
  /// - Throws: `DeskFailure` if it does not start.
  package init() async throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    runtime = try folder.folder("runtime")
    chmod(runtime, 0o700)
    let environment = try privateEnvironment(home: folder, display: nil)
    let command = [Self.program, "--user", "--unit=basic.target"]
    let booted = "mount -t tmpfs tmpfs /run/systemd && mkdir -p /run/systemd/system && exec "
    manager = try ChildProcess(
      Self.isBooted ? command : ["unshare", "-m", "sh", "-c", booted + command.joined(separator: " ")],
      environment: environment, output: folder.file("out"), errors: folder.file("err"))
    try await waitUntil("systemd --user", evidence: { text(of: folder.file("err")) }) {
      access("\(self.runtime)/systemd/private", F_OK) == 0 && self.accepts
    }
  }

  deinit { manager.send(SIGTERM) }

  private var accepts: Bool {
    guard let socket = try? UnixSocket.connect(to: runtime + "/bus"), socket >= 0 else { return false }
    close(socket)
    return true
  }

  /// Ends the manager, which ends all that it has started.
  package func end() async throws {
    manager.send(SIGTERM)
    _ = try await manager.wait()
  }

  /// What says to a program that this is its session bus.
  package var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus"] }

  /// The timers that programs have set, by their file names.
  package var transientTimers: [String] {
    guard let folder = opendir(runtime + "/systemd/transient") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name.hasSuffix(".timer") { names.append(name) }
    }
    return names.sorted()
  }

  /// What it has written.
  package var evidence: String { text(of: folder.file("err")) + text(of: folder.file("out")) }
}
