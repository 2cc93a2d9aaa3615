import DeskSupport
import Glibc
import ProsceniumTesting
import TestSupport
import Testing

/// The command, as it is run from a shell.
@Suite("proscenium-check") struct CheckCommandTests {
  private static let folder: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = max(0, readlink("/proc/self/exe", &path, path.count - 1))
    let own = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
  }()

  /// Runs it with a text on its standard input: its status, and what it printed.
  private static func check(_ text: String, _ arguments: String = "") throws -> (status: Int32, output: String) {
    let path = "/tmp/proscenium-check-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unlink(path) }
    try write(text, to: path)
    let arguments = arguments.replacing("TRACE", with: path)
    let (status, output) = try run("\(folder)/proscenium-check \(arguments) < \(path)")
    return (status, output.replacing(path, with: "TRACE"))
  }

  private static func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }

  /// Has a shell run a command: its status, and what was printed.
  private static func run(_ command: String) throws -> (status: Int32, output: String) {
    let pipe = try #require(popen("exec 2>&1; \(command)", "r"))
    var (output, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 4096))
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { output += buffer[..<count] }
    let status = pclose(pipe)
    return ((status >> 8) & 0xFF, String(decoding: output, as: UTF8.self))
  }

  @Test("A trace that obeys: 0, from a file and from standard input", arguments: ["", "-", "TRACE", "TRACE TRACE"])
  func obeys(arguments: String) throws {
    let (status, output) = try Self.check(TraceShorthand.text(TraceShorthand.end), arguments)
    #expect(status == 0 && output.contains("\(TraceShorthand.end.count) lines, and every rule holds."))
  }

  @Test("A trace that does not: 1, with the file, the line and the rule")
  func breaks() throws {
    let text = TraceShorthand.text(TraceShorthand.active + ["edge a sceneDidEnterBackground"]) + "rubbish\n"
    let (status, output) = try Self.check(text, "TRACE")
    #expect(status == 1)
    let lines = output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("TRACE:11: rule 6: scene a: sceneDidEnterBackground begins in") == true, "\(output)")
    #expect(lines.last?.hasPrefix("TRACE:12: rule 1: this is no line of a trace: rubbish.") == true, "\(output)")
  }

  @Test(
    "What cannot be read, or is no trace: 2, and what to do",
    arguments: [
      ("/nowhere/at/all", "No such file"), ("/tmp", "Is a directory"), ("--fast", "usage: "),
      ("", "no line of a trace"),
    ])
  func unreadable(arguments: String, message: String) throws {
    let (status, output) = try Self.check("", arguments)
    #expect(status == 2 && output.contains(message), "\(status) \(output)")
  }

  @Test("What the help says to do works for a program that writes on standard error too")
  func recipe() throws {
    let lines = try Self.check("", "--help").output.split(separator: "\n")
    let recipe = try #require(lines.first { $0.contains("PROSCENIUM_TRACE=trace ") }?.drop { $0 == " " })
    let folder = try TemporaryFolder()
    try folder.write("lines", TraceShorthand.text(TraceShorthand.end))
    try folder.write(
      "program", "#!/bin/sh\necho Proscenium: something is amiss. >&2\ncat lines >>\"$PROSCENIUM_TRACE\"\n", mode: 0o700
    )
    let command = "cd \(folder.path) && { PATH=\(folder.path):\(Self.folder):$PATH; \(recipe); }"
    let (status, output) = try Self.run(command)
    #expect(status == 0 && output.contains("every rule holds."), "\(status) \(output)")
    withExtendedLifetime(folder) {}
  }

  @Test("The worst of several traces counts")
  func several() throws {
    let text = TraceShorthand.text(TraceShorthand.end)
    #expect(try Self.check(text, "TRACE /nowhere TRACE").status == 2)
    #expect(try Self.check("rubbish\n", "TRACE").status == 1)
  }

  @Test("Help and rules are printed")
  func help() throws {
    #expect(try Self.check("", "--help").status == 0)
    let (status, output) = try Self.check("", "--rules")
    #expect(
      status == 0 && output.split(separator: "\n").count == TraceRule.allCases.count
        && output.hasPrefix("1. Every line"))
  }
}
