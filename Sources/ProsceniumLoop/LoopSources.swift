/// The descriptors that a loop waits for, in the order in which they were added.
///
/// An array: there are few, and the hash of an identifier costs each turn more than a search.
package struct LoopSources {
  struct Entry {
    let id: LoopSourceID
    let source: LoopSource
  }

  private(set) var entries: [Entry] = []
  private var count = 0
  /// Another one after each change.
  private(set) var revision = 0

  /// No sources.
  package init() {}

  /// Adds a source.
  /// - Returns: Its identifier, which no other source has or had.
  package mutating func add(_ source: LoopSource) -> LoopSourceID {
    count += 1
    revision += 1
    let id = LoopSourceID(rawValue: count)
    entries.append(Entry(id: id, source: source))
    return id
  }

  /// Removes a source; does nothing where there is none.
  package mutating func remove(_ id: LoopSourceID) {
    revision += 1
    entries.removeAll { $0.id == id }
  }

  /// A source; nil once it has been removed.
  package subscript(id: LoopSourceID) -> LoopSource? {
    for entry in entries where entry.id == id { return entry.source }
    return nil
  }
}
