/// The requests whose replies are outstanding, in the order in which they were sent.
struct ReplyQueue {
  struct Entry {
    var sequence: UInt32
    var handler: Connection.ReplyHandler
  }

  private var entries: [Entry] = []
  private var head = 0

  var first: Entry? { head < entries.count ? entries[head] : nil }

  mutating func append(_ entry: Entry) { entries.append(entry) }

  mutating func removeFirst() {
    head += 1
    guard head == entries.count || head >= 256 else { return }
    entries.removeFirst(head)
    head = 0
  }
}
