import ProsceniumPlatform

/// The keys that a server has been asked about.
///
/// It gives back those that it has not taken: before it is known to have handled them, or, where its engine is another
/// process that it does not wait for, later.
struct XIMKeys {
  private struct Entry {
    var number: Int
    var key: Key
    var event: XIMKeyEvent
    var isAnswered = false
  }

  /// What becomes of a key that is given back.
  enum Return: Equatable {
    /// It is the answer.
    case answer(Int)
    /// It has been taken for handled: it is a key of the server's own now.
    case late(Key)
    /// The server was not asked about it.
    case own
  }

  /// Older ones are not given back any more.
  private static let most = 64

  private var entries: [Entry] = []
  /// The keys that the server is not known to have handled, in order.
  private var unhandled: [Int] = []

  mutating func add(_ key: Key, _ event: XIMKeyEvent, number: Int) {
    entries.append(Entry(number: number, key: key, event: event))
    unhandled.append(number)
    if entries.count > Self.most { entries.removeFirst() }
    if unhandled.count > Self.most { unhandled.removeFirst() }
  }

  mutating func giveBack(_ event: XIMKeyEvent) -> Return {
    let found = entries.firstIndex {
      ($0.event.code, $0.event.isDown, $0.event.time) == (event.code, event.isDown, event.time)
    }
    guard let found else { return .own }
    let entry = entries.remove(at: found)
    return entry.isAnswered ? .late(entry.key) : .answer(entry.number)
  }

  /// The server has handled a key.
  /// - Returns: The number of the key, if it has taken it, as far as is known.
  mutating func handled() -> Int? {
    guard !unhandled.isEmpty else { return nil }
    let number = unhandled.removeFirst()
    guard let place = entries.firstIndex(where: { $0.number == number && !$0.isAnswered }) else { return nil }
    entries[place].isAnswered = true
    return number
  }
}
