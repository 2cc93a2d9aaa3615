import Glibc

/// A private X server without a screen of its own (Xvfb); it ends with this object.
public final class XServer: Sendable {
  /// The value of `DISPLAY` for programs.
  public let display: String
  package let number: Int
  private let process: ChildProcess
  package var pid: Int32 { process.pid }
  let home: TemporaryFolder

  /// Whether there is one to start: `Xvfb`, of the Debian package xvfb.
  public static var isInstalled: Bool { ProsceniumDesk.isInstalled("Xvfb") }

  /// Starts Xvfb on a free display, with one screen of 1152 by 900 pixels, and waits until it accepts connections.
  /// - Parameter withoutExtensions: Extensions that the server lacks, by their names, such as `RANDR`.
  /// - Throws: ``DeskFailure`` where it does not start, with its output.
  public convenience init(withoutExtensions: [String] = []) async throws {
    try await self.init { _ in ["-ac"] + withoutExtensions.flatMap { ["-extension", $0] } }
  }

  /// The same with other options, which say who may connect, and may name files in the server's home.
  package init(_ options: (TemporaryFolder) throws -> [String]) async throws {
    let folder = try TemporaryFolder()
    let arguments = ["Xvfb", "-displayfd", "1", "-screen", "0", "1152x900x24", "-nolisten", "tcp", "-noreset"]
    let process = try ChildProcess(
      arguments + options(folder), environment: try privateEnvironment(home: folder, display: nil),
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
    home = folder
  }

  /// Starts a Wayland compositor with an X server of its own, and waits for that.
  package init(hostedBy kind: WindowManager) async throws {
    guard let file = kind.displayFile else { throw DeskFailure("\(kind) has no X server of its own") }
    let folder = try TemporaryFolder()
    let process = try kind.launch(home: folder, display: nil)
    let evidence = { text(of: folder.file(file.name)) + text(of: process.outputPath) + text(of: process.errorPath) }
    number = try await waitFor("the display of \(kind)", evidence: evidence) {
      if let ending = process.poll() { throw DeskFailure("\(kind): \(ending)\n\(evidence())") }
      let lines = text(of: folder.file(file.name)).split(separator: "\n").map(String.init)
      return lines.compactMap { line in
        line.ranges(of: file.marker + ":").last.flatMap { Int(line[$0.upperBound...]) }
      }.first
    }
    display = ":\(number)"
    self.process = process
    home = folder
  }

  /// Ends the server before its clients, with SIGKILL by default, and waits for its end.
  /// - Parameter signal: The signal.
  /// - Throws: ``DeskFailure`` where it does not end.
  public func kill(_ signal: Int32 = 9) async throws {
    process.send(signal)
    _ = try await process.wait()
  }

  deinit {
    process.send(SIGTERM, toGroup: true)
    // Xvfb removes its socket and lock file on SIGTERM. After SIGKILL both stay; the next server that wants the number
    // detects that its owner is gone. They must not be removed here: the number may be another server's by now.
    for _ in 0..<200 where process.poll() == nil { usleep(10_000) }
  }
}
