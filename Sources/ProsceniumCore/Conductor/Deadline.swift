import ProsceniumLoop

/// The name of a deadline: its purpose, and the scene or window that it belongs to.
struct Deadline: Hashable, CustomStringConvertible {
  private let name: String
  private let subject: Int
  /// Whether its message is sent before the item is settled, rather than after.
  let isUrgent: Bool

  /// A deadline of the program, or of the scene session or window with this number.
  init(_ name: String, _ subject: Int = 0, isUrgent: Bool = false) {
    self.name = name
    self.subject = subject
    self.isUrgent = isUrgent
  }

  /// By the length of the name, of which few deadlines of a subject run: its bytes take as long as all else of a
  /// look-up, once at a change of the focus and three times for a further scene (Tests/Benchmarks/instructions).
  func hash(into hasher: inout Hasher) {
    hasher.combine(subject)
    hasher.combine(name.utf8.count)
  }

  var description: String { subject == 0 ? name : "\(name)(\(subject))" }
}

/// The deadlines that run, by name and by the platform's number.
struct DeadlineTable {
  /// The action of a deadline.
  enum Entry {
    /// A feature's deadline, and the message that it sends.
    case named(Deadline, AnyMessage?)
    /// A call that a source of events requested.
    case call(FunctionCall)
  }

  private var entries: [DeadlineID: Entry] = [:]
  private var ids: [Deadline: DeadlineID] = [:]
  private var count = 0

  /// The number of running deadlines.
  var running: Int { entries.count }

  /// Adds a deadline.
  /// - Returns: Its number, and that of an older one of its name, which no longer counts.
  mutating func add(_ entry: Entry) -> (id: DeadlineID, replaced: DeadlineID?) {
    count += 1
    let id = DeadlineID(rawValue: count)
    entries[id] = entry
    guard case .named(let deadline, _) = entry else { return (id, nil) }
    let old = ids.updateValue(id, forKey: deadline)
    if let old { entries[old] = nil }
    return (id, old)
  }

  /// Whether a deadline runs.
  func contains(_ deadline: Deadline) -> Bool { ids[deadline] != nil }

  /// Removes a deadline; its number, if it ran.
  mutating func remove(_ deadline: Deadline) -> DeadlineID? {
    guard let id = ids.removeValue(forKey: deadline) else { return nil }
    entries[id] = nil
    return id
  }

  /// Removes a deadline by its number.
  mutating func remove(_ id: DeadlineID) -> Entry? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if case .named(let deadline, _) = entry { ids[deadline] = nil }
    return entry
  }
}
