import Testing

@testable import ProsceniumLoop

@MainActor @Suite("Deadlines that stand still") struct PausedDeadlinesTests {
  @Test("What is paused is due again after the pause, and not before; what is not, goes on")
  func pausing() {
    var deadlines = Deadlines<Int>()
    for name in 1...4 { deadlines.set(name, after: .milliseconds(name), now: .zero) }
    deadlines.pause { $0.isMultiple(of: 2) }
    #expect(deadlines.next == .milliseconds(1))
    #expect(deadlines.removeDue(now: .milliseconds(10)) == [1, 3])
    #expect(deadlines.next == nil)
    // One is taken back, and one is set anew meanwhile.
    deadlines.cancel(2)
    deadlines.set(4, after: .milliseconds(50), now: .zero)
    deadlines.resume()
    #expect(deadlines.next == .milliseconds(50))
    #expect(deadlines.removeDue(now: .milliseconds(60)) == [4])
  }

  @Test("What is set during the pause waits for its end, too")
  func setMeanwhile() {
    var deadlines = Deadlines<Int>()
    deadlines.pause { $0.isMultiple(of: 2) }
    for name in 1...4 { deadlines.set(name, after: .milliseconds(name), now: .zero) }
    #expect(deadlines.removeDue(now: .milliseconds(10)) == [1, 3])
    #expect(deadlines.next == nil)
    deadlines.cancel(4)
    deadlines.resume()
    #expect(deadlines.removeDue(now: .milliseconds(10)) == [2])
    // And no longer.
    deadlines.set(4, after: .milliseconds(1), now: .zero)
    #expect(deadlines.next == .milliseconds(1))
  }

  @Test("A deadline that passed during the pause is due at once, in its old order")
  func late() {
    var deadlines = Deadlines<Int>()
    for name in [3, 1, 2] { deadlines.set(name, after: .milliseconds(5), now: .zero) }
    deadlines.pause { _ in true }
    deadlines.set(9, after: .milliseconds(1), now: .zero)
    deadlines.resume()
    #expect(deadlines.removeDue(now: .milliseconds(5)) == [9, 3, 1, 2])
    deadlines.set(1, after: .milliseconds(5), now: .zero)
    deadlines.pause { _ in true }
    deadlines.cancelAll { _ in true }
    deadlines.resume()
    #expect(deadlines.next == nil)
  }
}
