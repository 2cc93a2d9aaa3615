import TestSupport
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

  @Test("The next deadline is the earliest, whatever is set, cancelled, paused and removed", arguments: 1...3)
  func next(seed: UInt64) {
    var numbers = SeededNumbers(seed)
    var (deadlines, model, paused) = (Deadlines<Int>(), [Int: Int](), [Int: Int]())
    var isPaused = false
    for step in 0..<2_000 {
      let name = Int.random(in: 0..<8, using: &numbers)
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0..<6:
        let moment = Int.random(in: 0..<20, using: &numbers)
        deadlines.set(name, at: .milliseconds(moment))
        if isPaused, name < 4 { paused[name] = moment } else { model[name] = moment }
      case 6..<9:
        deadlines.cancel(name)
        (model[name], paused[name]) = (nil, nil)
      case 9:
        let now = Int.random(in: 0..<20, using: &numbers)
        #expect(Set(deadlines.removeDue(now: .milliseconds(now))) == Set(model.filter { $0.value <= now }.keys))
        model = model.filter { $0.value > now }
      case 10:
        deadlines.pause { $0 < 4 }
        isPaused = true
        for (name, moment) in model where name < 4 { paused[name] = moment }
        model = model.filter { $0.key >= 4 }
      default:
        deadlines.resume()
        isPaused = false
        model.merge(paused) { _, later in later }
        paused = [:]
      }
      #expect(deadlines.next == model.values.min().map { .milliseconds($0) }, "step \(step)")
    }
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
