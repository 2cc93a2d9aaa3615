import Glibc
import Testing

@testable import ProsceniumLoop

/// Messages to a person who does not read them.
@Suite("Standard error") struct StandardErrorTests {
  @Test("A reader that has stopped costs lines, and no time")
  func stopped() async {
    // Its standard error is the process's.
    await #expect(processExitsWith: .success) { try StandardErrorTests().checkStopped() }
  }

  private func checkStopped() throws {
    // Ends the process where a write waits.
    alarm(60)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reader, writer, own) = (ends[0], ends[1], dup(2))
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    while write(writer, buffer, 4096) > 0 {}
    _ = fcntl(writer, F_SETFL, 0)
    dup2(writer, 2)
    StandardError.write("lost")
    #expect(read(reader, &buffer, buffer.count) > 0)
    StandardError.write("kept")
    let count = read(reader, &buffer, buffer.count)
    #expect(String(decoding: buffer[..<max(0, count)], as: UTF8.self) == "kept\n")
    // As much of it as there is room for.
    let rows = (1...100_000).map(String.init)
    StandardError.write(rows.joined(separator: "\n"))
    let part = String(decoding: buffer[..<max(0, read(reader, &buffer, buffer.count))], as: UTF8.self)
    #expect(part.hasPrefix("1\n2\n") && part.hasSuffix("\n"))
    #expect(part.split(separator: "\n").last.map(String.init).map(rows.contains) == true)
    close(reader)
    StandardError.write("to nobody")
    dup2(own, 2)
  }
}
