import Testing

@testable import ProsceniumCore

/// What the end of the program waits for disks, all waits together.
@Suite("The end's patience with disks") struct EndPatienceTests {
  @Test("Whatever hangs, and in whatever order, the waits are together shorter than the process lives")
  func everythingHangs() {
    for waits in [[5, 5, 5, 1], [1, 5, 5, 5, 5, 5], [5], [7]] {
      var (patience, total) = (EndPatience(), Duration.zero)
      func hang(_ most: Duration, isLast: Bool = false) -> Duration {
        let time = patience.time(atMost: most, isLast: isLast)
        patience.spend(time)
        return time
      }
      for seconds in waits { total += hang(.seconds(seconds)) }
      let last = hang(.seconds(5), isLast: true)
      #expect(last >= EndPatience.forSessions && total + last <= EndPatience.limit)
      #expect(hang(.seconds(1), isLast: true) == max(.zero, EndPatience.limit - total - last))
    }
    #expect(EndPatience.limit < Termination.endLimit)
  }

  @Test("What has been waited for before is a part of it, however long that was; enough is left to save the sessions")
  func before() {
    for (seconds, left) in [(0, 9500), (3, 6500), (5, 4500), (60, 4500)] {
      var patience = EndPatience()
      patience.begin(after: .seconds(seconds))
      #expect(patience.left == .milliseconds(left))
      let documents = patience.time(atMost: .seconds(5))
      patience.spend(documents)
      #expect(documents >= .seconds(2) && patience.left >= EndPatience.forSessions)
    }
  }

  @Test("The last callback's time is a part of it; sessions on a disk that answers are saved all the same")
  func callback() {
    for (before, seconds, left) in [(0, 0, 9500), (0, 4, 5500), (0, 60, 500), (9, 1, 500), (10, 1, 0)] {
      var patience = EndPatience()
      patience.spend(.seconds(before))
      patience.spend(onCallback: .seconds(seconds))
      #expect(patience.left == .milliseconds(left))
    }
  }

  @Test("After a last callback of any time, disks that answer are waited for")
  func afterCallback() {
    for seconds in [0, 3, 6, 7, 8, 9, 10, 60] {
      var patience = EndPatience()
      patience.spend(onCallback: .seconds(seconds))
      let others = patience.time(atMost: .seconds(5))
      patience.spend(others)
      #expect(others >= .milliseconds(250) && patience.left >= min(others, EndPatience.forSessions))
    }
  }

  @Test("A disk that answers takes nobody's time")
  func answering() {
    var patience = EndPatience()
    for _ in 0..<100 { patience.spend(.zero) }
    #expect(patience.time(atMost: .seconds(5)) == .seconds(5))
    patience.spend(.seconds(20))
    #expect(patience.time(atMost: .seconds(5), isLast: true) == .zero)
  }
}
