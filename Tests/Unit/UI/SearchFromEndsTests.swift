import Testing

@testable import ProsceniumUI

@Suite("Searches from both ends") struct SearchFromEndsTests {
  @Test("Every element is found, and one that is not there is not")
  func all() {
    for count in 0...6 {
      let array = Array(0..<count)
      for wanted in -1...count {
        #expect(array.indexFromEnds { $0 == wanted } == array.firstIndex(of: wanted), "\(wanted) of \(count)")
      }
    }
  }

  @Test("What is taken out one by one, in order or the other way round, is found in one or two steps each")
  func steps() {
    let all = Array(0..<1000)
    for (order, most) in [(all, 1000), (all.reversed(), 2000)] {
      var (left, steps) = (all, 0)
      for wanted in order {
        let index = left.indexFromEnds {
          steps += 1
          return $0 == wanted
        }
        if let index { left.remove(at: index) }
      }
      #expect(left.isEmpty && steps <= most, "\(steps)")
    }
  }
}
