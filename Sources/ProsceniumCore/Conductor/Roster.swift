/// The records of all open scene sessions: by number and by window.
///
/// Found by bisection: numbers grow, and a hash costs more than the search (Tests/Benchmarks/instructions).
@MainActor final class Roster {
  /// All, in the order in which their sessions were made, which is that of their numbers.
  private(set) var ordered: [SceneRecord] = []
  /// By the number: the hash of a type of another module is asked for by its protocol.
  private var byWindow: [UInt32: SceneRecord] = [:]
  /// The number of scenes in the foreground.
  private var foreground = 0
  /// The scenes whose facts have changed, in order of connection.
  private var dirty: [SceneRecord] = []
  private var numbers = 0

  /// Sessions and scenes that the program still holds have no records any more, which refer to them.
  isolated deinit {
    for record in ordered {
      record.session.record = nil
      record.scene?.record = nil
    }
  }

  /// A number for a new session.
  func makeNumber() -> SceneNumber {
    numbers += 1
    return numbers
  }

  func insert(_ record: SceneRecord) {
    ordered.insert(record, at: place(of: record.number))
    record.session.record = record
  }

  func remove(_ record: SceneRecord) {
    if contains(record) { ordered.remove(at: place(of: record.number)) }
    record.session.record = nil
  }

  /// The record with a number; nil once its session has been discarded.
  subscript(number: SceneNumber) -> SceneRecord? {
    let place = place(of: number)
    return place < ordered.count && ordered[place].number == number ? ordered[place] : nil
  }

  /// How many records have lower numbers.
  private func place(of number: SceneNumber) -> Int {
    var (low, high) = (0, ordered.count)
    while low < high {
      let middle = (low + high) / 2
      if ordered[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The record of the session that a window belongs to.
  subscript(window: WindowID) -> SceneRecord? {
    get { byWindow[window.rawValue] }
    set { byWindow[window.rawValue] = newValue }
  }

  /// The record of a session; nil once the session has been discarded.
  func find(_ session: SceneSession) -> SceneRecord? {
    guard let record = session.record, contains(record) else { return nil }
    return record
  }

  func contains(_ record: SceneRecord) -> Bool { self[record.number] === record }

  func contains(where condition: (SceneRecord) -> Bool) -> Bool { ordered.contains(where: condition) }

  // MARK: States

  /// A scene has come to the foreground, or left it.
  func moved(to new: ActivationState) { foreground += new > .background ? 1 : -1 }

  /// Whether no scene of the program is in the foreground.
  var isInBackground: Bool { foreground == 0 }

  // MARK: Changed scenes

  /// Whether facts of a scene have changed since the last settling.
  var isDirty: Bool { !dirty.isEmpty }

  /// Marks the facts of a scene as changed.
  func markDirty(_ record: SceneRecord) {
    guard !record.isDirty else { return }
    record.isDirty = true
    // Nearly always the last: to insert costs more than to append.
    guard let last = dirty.last, last.number > record.number else { return dirty.append(record) }
    var index = dirty.count
    while index > 0, dirty[index - 1].number > record.number { index -= 1 }
    dirty.insert(record, at: index)
  }

  /// Removes and returns the scenes whose facts have changed, in order of connection.
  func drainDirty() -> [SceneRecord] {
    let drained = exchange(&dirty, with: [])
    for record in drained { record.isDirty = false }
    return drained
  }
}
