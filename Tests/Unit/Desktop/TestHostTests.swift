import SourceSupport
import Testing

/// The loop that tests of sources have instead of the framework's.
@MainActor @Suite("The loop of tests of sources") struct TestHostTests {
  @Test("What is put off happens in the order of its moments, as in the framework's loop")
  func order() {
    let host = TestHost()
    var happened: [Int] = []
    let count = 10_000
    for number in 0..<count { _ = host.after(milliseconds: number / 100) { happened.append(number) } }
    #expect(host.turn { happened.count == count })
    #expect(happened == Array(0..<count))
    // When the later one was put off first
    for number in [2, 1, 0] { _ = host.after(milliseconds: number * 1000) { happened.append(count + number) } }
    host.passTime()
    #expect(happened.suffix(3) == [count, count + 1, count + 2])
  }
}
