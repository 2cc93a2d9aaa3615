/// Deadlines by name: a name that is set again replaces its older deadline.
package struct Deadlines<Name: Hashable> {
  private struct Entry {
    package var due: UInt64
    /// The order of setting decides between deadlines of one moment.
    package var order: UInt64
  }
  private var entries: [Name: Entry] = [:]
  /// What stands still until ``resume()``.
  private var paused: [Name: Entry] = [:]
  /// Which ones do; nil while all go on.
  private var stands: ((Name) -> Bool)?
  private var counter: UInt64 = 0

  package init() {}

  /// When the next one is due.
  ///
  /// Asked for at every turn of the loop, so it is found anew only when the deadlines have changed.
  package private(set) var next: UInt64?

  package func contains(_ name: Name) -> Bool { entries[name] != nil }

  package mutating func set(_ name: Name, milliseconds: Int, now: UInt64) {
    // A century is far enough for every deadline, and cannot overflow.
    let clamped = UInt64(min(max(0, milliseconds), 3_155_760_000_000))
    set(name, at: now + clamped * 1_000_000)
  }

  /// A moment in nanoseconds.
  package mutating func set(_ name: Name, at due: UInt64) {
    counter += 1
    let entry = Entry(due: due, order: counter)
    if stands?(name) == true {
      paused[name] = entry
      return
    }
    entries[name] = entry
    findNext()
  }

  package mutating func cancel(_ name: Name) {
    paused[name] = nil
    if entries.removeValue(forKey: name) != nil { findNext() }
  }

  package mutating func cancelAll(where isUnwanted: (Name) -> Bool) {
    entries = entries.filter { !isUnwanted($0.key) }
    paused = paused.filter { !isUnwanted($0.key) }
    findNext()
  }

  /// Takes out deadlines that nobody may hear of now, and from now on puts new ones of the kind aside.
  package mutating func pause(where stands: @escaping (Name) -> Bool) {
    self.stands = stands
    for (name, entry) in entries where stands(name) {
      paused[name] = entry
      entries[name] = nil
    }
    findNext()
  }

  /// Puts back what was taken out: it is due when it would have been, or at once.
  package mutating func resume() {
    stands = nil
    entries.merge(paused) { _, later in later }
    paused = [:]
    findNext()
  }

  /// Takes out what is due, in the order of the deadlines.
  package mutating func takeDue(now: UInt64) -> [Name] {
    guard let next, next <= now else { return [] }
    let due = entries.filter { $0.value.due <= now }
      .sorted { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }
    for (name, _) in due { entries[name] = nil }
    findNext()
    return due.map { $0.key }
  }

  private mutating func findNext() {
    next = entries.isEmpty ? nil : entries.values.reduce(.max) { min($0, $1.due) }
  }
}
