/// What goes wrong between a program and whom it talks to; each by itself, or several together.
package struct Faults: Sendable {
  package enum Way: Hashable, CaseIterable, Sendable {
    case toServer, toClient
  }
  /// Where a connection ends.
  package struct Cut: Hashable, Sendable {
    package var way: Way
    /// That many bytes still arrive.
    package var bytes: Int
    package init(_ way: Way, after bytes: Int) { (self.way, self.bytes) = (way, bytes) }
  }

  /// How much later each direction is.
  package var delay: Duration
  /// What comes within so long of the first goes on together with it, in one write.
  package var gathering: Duration
  /// How many bytes go on in one write, in turn; empty for as many as there are.
  package var pieces: [Int]
  /// How long each piece waits for the one before it.
  package var pause: Duration
  /// Where a connection ends; nil for nowhere.
  package var cut: Cut?

  package init(
    delay: Duration = .zero, gathering: Duration = .zero, pieces: [Int] = [], pause: Duration = .zero, cut: Cut? = nil
  ) {
    self.delay = delay
    self.gathering = gathering
    self.pieces = pieces
    self.pause = pause
    self.cut = cut
  }
}
