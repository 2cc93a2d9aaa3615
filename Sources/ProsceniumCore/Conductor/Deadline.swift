import ProsceniumLoop

/// The name of a deadline: its purpose, and the scene or window that it belongs to.
struct Deadline: Hashable, CustomStringConvertible {
  private let name: String
  private let subject: Int

  private init(_ name: String, subject: Int) {
    self.name = name
    self.subject = subject
  }

  /// A deadline of the program.
  init(_ name: String) { self.init(name, subject: 0) }

  /// A deadline of a scene session.
  @MainActor init(_ name: String, _ record: SceneRecord) { self.init(name, subject: record.number) }

  /// A deadline of a window.
  init(_ name: String, _ window: WindowID) { self.init(name, subject: Int(window.rawValue)) }

  /// The number of the scene or window of a deadline with this name; nil for other names.
  func subject(of name: String) -> Int? { self.name == name ? subject : nil }

  var description: String { subject == 0 ? name : "\(name)(\(subject))" }
}

/// The deadlines that run, by name and by the platform's number.
struct DeadlineTable {
  /// The action of a deadline.
  enum Entry {
    case named(Deadline)
    /// A call that a source of events requested.
    case call(SourceCall)
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
    guard case .named(let deadline) = entry else { return (id, nil) }
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
    if case .named(let deadline) = entry { ids[deadline] = nil }
    return entry
  }
}

/// A call that a source of events requested, when its deadline is reached.
@MainActor final class SourceCall: Equatable {
  let body: @MainActor () -> Void

  init(body: @escaping @MainActor () -> Void) { self.body = body }

  nonisolated static func == (left: SourceCall, right: SourceCall) -> Bool { left === right }
}
