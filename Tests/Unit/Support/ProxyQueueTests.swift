import Glibc
import Testing

@testable import DeskSupport

@Suite("What a proxy puts off") struct ProxyQueueTests {
  /// Calls a function with an end to write to, and a function that reads what has come to the other one.
  private func withEnds(_ body: (_ end: Int32, _ arrived: () -> [UInt8]) throws -> Void) throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { ends.forEach { close($0) } }
    try body(ends[0]) {
      var buffer = [UInt8](repeating: 0, count: 16)
      let count = recv(ends[1], &buffer, buffer.count, Int32(MSG_DONTWAIT))
      return Array(buffer.prefix(max(0, count)))
    }
  }

  @Test("Bytes go on together with what came shortly before, and each as much later as it is said")
  func gatheringAndDelay() throws {
    try withEnds { end, arrived in
      var queue = ProxyQueue(Faults(delay: .milliseconds(100), gathering: .milliseconds(10)), .toClient)
      let start = ContinuousClock.now
      func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
      for (time, byte) in [(0, UInt8(1)), (9, 2), (10, 3), (60, 4)] { queue.append([byte], at: at(time)) }
      for (due, bytes) in [(110, [UInt8(1), 2]), (120, [3]), (170, [4])] {
        #expect(queue.due == at(due))
        let isConnected = queue.write(to: end, at: at(due))
        let received = arrived()
        #expect(isConnected && received == bytes)
      }
      #expect(queue.isEmpty)
    }
  }

  @Test("Each piece waits for the one before it, also one that comes when that has gone")
  func pause() throws {
    try withEnds { end, arrived in
      var queue = ProxyQueue(Faults(pieces: [2], pause: .milliseconds(5)), .toClient)
      let start = ContinuousClock.now
      for bytes in [[UInt8(1), 2, 3], [4, 5]] { queue.append(bytes, at: start) }
      for (time, bytes) in [(0, [UInt8(1), 2]), (5, [3]), (10, [4, 5]), (15, [6])] {
        let now = start + .milliseconds(time)
        let isEarly = queue.write(to: end, at: now - .milliseconds(1)) && !arrived().isEmpty
        let isConnected = queue.write(to: end, at: now)
        let received = arrived()
        #expect(!isEarly && isConnected && received == bytes)
        if queue.isEmpty, time == 10 { queue.append([6], at: now) }
      }
      #expect(queue.isEmpty)
    }
  }
}
