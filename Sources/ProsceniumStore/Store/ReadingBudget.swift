/// How many bytes of records are read at once, whatever is in their files: at an opening, and for several sessions.
///
/// What is over it is not read then. It stays as it is, and is read when its session alone is asked for.
package struct ReadingBudget: Sendable {
  /// How many bytes are read in all, besides first lines: a second of decoding them, were they all letters with
  /// dozens of marks.
  package static let most = 20 << 20
  /// How much of one record is read at an opening, in bytes: all of most records, and their first line of those that
  /// are larger.
  static let mostOfRecord = 64 << 10

  private var left = Self.most

  package init() {}

  /// How much of the next record is read at an opening: of the last ones the first line, and a byte that shows that
  /// there is more.
  var mostOfStart: Int { left > 0 ? Self.mostOfRecord : RecordHeader.longest + 1 }

  mutating func spend(_ bytes: Int) { left -= bytes }

  /// Takes the bytes of a record, if there are as many.
  package mutating func take(_ bytes: Int) -> Bool {
    guard bytes <= left else { return false }
    left -= bytes
    return true
  }
}
