import Glibc
import Testing

@testable import DeskSupport

@Suite("What a proxy puts off") struct ProxyQueueTests {
  @Test("Bytes go on together with what came shortly before, and each as much later as it is said")
  func gatheringAndDelay() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { ends.forEach { close($0) } }
    func arrived() -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 16)
      let count = recv(ends[1], &buffer, buffer.count, Int32(MSG_DONTWAIT))
      return Array(buffer.prefix(max(0, count)))
    }

    var queue = ProxyQueue(Faults(delay: .milliseconds(100), gathering: .milliseconds(10)), .toClient)
    let start = ContinuousClock.now
    func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
    for (time, byte) in [(0, UInt8(1)), (9, 2), (10, 3), (60, 4)] { queue.append([byte], at: at(time)) }
    for (due, bytes) in [(110, [UInt8(1), 2]), (120, [3]), (170, [4])] {
      #expect(queue.due == at(due))
      let isConnected = queue.write(to: ends[0], at: at(due))
      let received = arrived()
      #expect(isConnected && received == bytes)
    }
    #expect(queue.isEmpty)
  }
}
