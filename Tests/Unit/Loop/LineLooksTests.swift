import Testing

@testable import ProsceniumLoop

/// When a connection counts as one that stands still.
@Suite("Looks at a line") struct LineLooksTests {
  /// The number of the look that shows it; nil where none does.
  private func standstill(_ looks: [(isBusy: Bool, unsent: Int)]) -> Int? {
    var line = LineLooks()
    return looks.firstIndex { line.showsStandstill(isBusy: $0.isBusy, unsent: $0.unsent) }
  }

  @Test("One that takes nothing for three seconds stands still")
  func still() {
    #expect(standstill(Array(repeating: (true, 5), count: 100)) == 12)
    #expect(standstill(Array(repeating: (true, 5), count: 12)) == nil)
  }

  @Test("One that takes a little now and then does not, nor does one that could take more")
  func slow() {
    #expect(standstill((0..<100).map { (true, 9000 - $0 / 12) }) == nil)
    #expect(standstill(Array(repeating: (false, 5), count: 100)) == nil)
    #expect(standstill((0..<100).map { ($0 % 12 != 0, 5) }) == nil)
  }

  @Test("The three seconds begin anew with each byte that it takes")
  func again() {
    let looks = Array(repeating: (isBusy: true, unsent: 5), count: 10) + Array(repeating: (true, 4), count: 100)
    #expect(standstill(looks) == 22)
  }
}
