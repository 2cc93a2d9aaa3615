import DeskSupport
import Glibc
import SourceSupport
import Testing

@testable import ProsceniumLoop

/// Descriptors and timers that end with their values.
@MainActor @Suite("Owned values") struct OwnedValueTests {
  private let host = TestHost()

  private func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

  /// Whether a descriptor is closed at the end of what has it.
  ///
  /// Another test of this process may open its number at once, but does not do so each time.
  private func isClosed(_ make: () throws -> Int32) rethrows -> Bool {
    for _ in 0..<100 where try !isOpen(make()) { return true }
    return false
  }

  @Test("A descriptor is closed when its value ends, and gives what was written to its file")
  func descriptor() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("file")
    do {
      let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      #expect(isOpen(file.number))
      #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
      let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
      try file.write(bytes)
      #expect(try file.contents(limit: 1 << 20) == bytes)
      #expect(try file.contents(limit: 70_000) == Array(bytes.prefix(70_000)))
    }
    #expect(try isClosed { try Descriptor(opening: path, O_RDONLY).number })
    let error = #expect(throws: Errno.self) { _ = try Descriptor(opening: path + "/none", O_RDONLY) }
    #expect(error == Errno(ENOTDIR))
  }

  @Test("A timer goes off after its delay, and its descriptor is closed with it")
  func timer() throws {
    do {
      let timer = try KernelTimer(blocks: true)
      let start = ContinuousClock.now
      timer.start(after: .milliseconds(20))
      try timer.wait()
      #expect(ContinuousClock.now - start >= .milliseconds(20))
      timer.start(every: .milliseconds(1))
      try timer.wait()
      try timer.wait()
      timer.stop()
    }
    #expect(try isClosed { try KernelTimer().descriptor.number })
    let timer = try KernelTimer()
    let error = #expect(throws: Errno.self) { try timer.wait() }
    #expect(error == Errno(EAGAIN))
  }

  @Test("A timer of the loop calls once, also while the program is suspended; one that is released does not call")
  func loopTimer() throws {
    host.isSuspended = true
    var calls = 0
    let timer = try LoopTimer(after: .zero, host: host) { calls += 1 }
    #expect(host.turn { calls == 1 })
    #expect(host.watched.isEmpty)
    do { _ = try LoopTimer(after: .zero, host: host) { calls += 1 } }
    #expect(host.watched.isEmpty)
    #expect(host.settle() && calls == 1)
    withExtendedLifetime(timer) {}
  }
}
