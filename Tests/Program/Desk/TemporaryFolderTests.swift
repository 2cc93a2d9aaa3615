import DeskSupport
import Glibc
import Testing

@Suite("Files of a test") struct TemporaryFolderTests {
  @Test("A program is run only after the last process that has it open for writing")
  func writers() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("program", "#!/bin/sh\n", mode: 0o755)
    let script = "exec 3>>program; : >opened; sleep 0.2; : >written; exec 3>&-"
    let writer = try ChildProcess(
      ["sh", "-c", "cd \(folder.path) && { \(script); }"], environment: [:], output: folder.file("output"),
      errors: folder.file("output"))
    _ = try await waitFor("the writer", evidence: { folder.read("output") }) {
      access(folder.file("opened"), F_OK) == 0 ? true : nil
    }
    try waitForWriters(of: file)
    #expect(access(folder.file("written"), F_OK) == 0, "\(folder.read("output"))")
    #expect(try await writer.wait() == .exited(0))
  }
}
