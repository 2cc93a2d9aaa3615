/// The changes of the store that are written together, in order.
struct StoreBatch: Sendable {
  /// The changes of one session: its record saved, then discarded, then the tombstone forgotten.
  struct Entry: Sendable {
    var save: StoredSession?
    var discard = false
    var forget = false
    var isEmpty: Bool { save == nil && !discard && !forget }
  }

  private(set) var order: [String] = []
  private(set) var entries: [String: Entry] = [:]
  /// Names have changed that no sync has covered.
  var syncsDirectory = false
  /// The journal has lines that no sync has covered.
  var syncsJournal = false
  /// The last lines of the run's journal.
  var journal = ""

  var isEmpty: Bool { order.isEmpty && !syncsDirectory && !syncsJournal && journal.isEmpty }

  mutating func save(_ session: StoredSession) { change(session.identifier) { $0.save = session } }
  mutating func discard(_ identifier: String) { change(identifier) { $0.discard = true } }
  mutating func forget(_ identifier: String) { change(identifier) { $0.forget = true } }

  private mutating func change(_ identifier: String, _ change: (inout Entry) -> Void) {
    if entries[identifier] == nil { order.append(identifier) }
    change(&entries[identifier, default: Entry()])
  }

  mutating func add(_ entry: Entry, for identifier: String) {
    guard !entry.isEmpty else { return }
    change(identifier) { old in
      old.save = entry.save ?? old.save
      old.discard = old.discard || entry.discard
      old.forget = old.forget || entry.forget
    }
  }

  /// Adds the changes of a later batch.
  mutating func append(_ newer: StoreBatch) {
    if isEmpty { return self = newer }
    for identifier in newer.order {
      if let entry = newer.entries[identifier] { add(entry, for: identifier) }
    }
    syncsDirectory = syncsDirectory || newer.syncsDirectory
    syncsJournal = syncsJournal || newer.syncsJournal
    journal += newer.journal
  }
}
