import DeskSupport
import Glibc
import ProsceniumStore
import SuiteSupport
import TestSupport
import Testing

/// A real process that saves a document all the time, and is killed at any moment: `DOCUMENT_KILLS` times.
@Suite("Kills of a process that saves a document", .enabled(if: Requirement.sceneLab))
struct DocumentKillTests {
  private static let rounds = getenv("DOCUMENT_KILLS").flatMap { Int(String(cString: $0)) } ?? 40

  /// The versions that a process has said it has opened or saved.
  private static func versions(_ output: String) -> [Int] {
    // The last line may be a part of one.
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
  }

  @Test(
    "The file has the version that was saved last, or the next one, whole, with one name and with two",
    arguments: [false, true])
  func killed(_ hasTwoNames: Bool) async throws {
    let home = try TemporaryFolder()
    let document = try home.write("document", "version 0\n")
    if hasTwoNames { link(document, home.file("other")) }
    var numbers = SeededNumbers(testSeed(0))
    var (last, torn) = (0, 0)
    for round in 0..<Self.rounds {
      let output = home.file("output \(round)")
      let process = try ChildProcess(
        [DeskScenario.path, "--save-versions=\(document)"],
        environment: try privateEnvironment(home: home, display: nil), output: output, errors: home.file("errors"))
      try await waitUntil("a first version", evidence: { "round \(round): \(text(of: output))" }) {
        process.poll() != nil || Self.versions(text(of: output)).count > 1
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<20_000, using: &numbers)))
      process.send(SIGKILL)
      guard try await process.wait() == .signalled(SIGKILL) else {
        throw DeskFailure("round \(round): \(text(of: output)) \(text(of: home.file("errors")))")
      }
      let versions = Self.versions(text(of: output))
      // It has opened a version that was there, and has lost none since.
      let opened = try #require(versions.first)
      #expect(round == 0 || opened == last || opened == last + 1, "round \(round): \(opened) after \(last)")
      last = try #require(versions.last)
      let found = text(of: document)
      let number = found.split(separator: "\n").first?.split(separator: " ").last.flatMap { Int($0) } ?? -1
      let isWhole = found.split(separator: "\n").allSatisfy { $0 == "version \(number)" } && found.hasSuffix("\n")
      if hasTwoNames {
        #expect(text(of: home.file("other")) == found)
        if !isWhole { torn += 1 }
      } else {
        #expect(isWhole && (number == last || number == last + 1), "round \(round): \(number) after \(last)")
      }
      let left = try directory(home.path).filter { $0.hasSuffix(".proscenium-tmp") }
      #expect(left.count <= 1, "\(left)")
      unlink(output)
    }
    print("\(Self.rounds) kills: \(last) versions, \(torn) writes ended by the next opening")
  }

  private func directory(_ path: String) throws -> [String] { try PosixFiles(path: path).names() }
}
