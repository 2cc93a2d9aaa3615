import Glibc

/// A private X server without a screen of its own; it ends with this object.
package final class XServer: Sendable {
  /// Who may connect.
  package enum Access: Sendable {
    case everybody
    /// Only who has a secret that nobody has.
    case nobody
  }

  /// What clients put in `DISPLAY`.
  package let display: String
  package let number: Int
  private let process: ChildProcess
  private let folder: TemporaryFolder

  package static var isInstalled: Bool { DeskSupport.isInstalled("Xvfb") }

  /// Starts Xvfb on a free display and waits until it takes connections.
  package init(withoutExtensions: [String] = [], access: Access = .everybody) async throws {
    let folder = try TemporaryFolder()
    var arguments = ["Xvfb", "-displayfd", "1", "-screen", "0", "1152x900x24", "-nolisten", "tcp", "-noreset"]
    switch access {
    case .everybody: arguments.append("-ac")
    case .nobody: arguments += ["-auth", try folder.writeAuthority()]
    }
    for name in withoutExtensions { arguments += ["-extension", name] }
    let process = try ChildProcess(
      arguments, environment: try privateEnvironment(home: folder, display: nil),
      output: folder.file("display"), errors: folder.file("server.log"))
    // Xvfb writes the number when it listens (-displayfd), so there is nothing to guess.
    number = try await waitFor("Xvfb's display", evidence: { text(of: process.errorPath) }) {
      if let ending = process.poll() {
        throw DeskFailure("Xvfb: \(ending)\n\(text(of: process.errorPath))")
      }
      let written = text(of: process.outputPath)
      return written.hasSuffix("\n") ? Int(written.dropLast()) : nil
    }
    display = ":\(number)"
    self.process = process
    self.folder = folder
  }

  /// Ends the server under its clients, and waits until it has gone.
  package func kill(_ signal: Int32 = SIGKILL) async throws {
    process.send(signal)
    _ = try await process.wait()
  }

  deinit {
    process.send(SIGTERM)
    // Xvfb removes its socket and lock file on SIGTERM; half a second is plenty, and deinit cannot wait for more.
    for _ in 0..<50 where process.poll() == nil { usleep(10_000) }
    if process.poll() != .exited(0) {
      unlink("/tmp/.X11-unix/X\(number)")
      unlink("/tmp/.X\(number)-lock")
    }
  }
}

extension TemporaryFolder {
  /// An Xauthority file with one cookie for every display (family Wild; Xau(3)).
  fileprivate func writeAuthority() throws -> String {
    func counted(_ text: String) -> String { "\u{0}\(Character(UnicodeScalar(UInt8(text.utf8.count))))\(text)" }
    let record = "\u{0}\u{0}" + counted("") + counted("") + counted("MIT-MAGIC-COOKIE-1") + counted("sixteen_letters!")
    // Only the family differs from ASCII: 0xFFFF. FamilyLocal (256) with an empty address would match nobody.
    let path = try write("authority", record, mode: 0o600)
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DeskFailure("open \(path): errno \(errno)") }
    defer { close(descriptor) }
    guard pwrite(descriptor, [UInt8(0xff), 0xff], 2, 0) == 2 else { throw DeskFailure("write \(path)") }
    return path
  }
}
