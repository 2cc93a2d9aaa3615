/// The records of all open scene sessions: by number and by window.
///
/// Adding, finding and removing one costs the same for any number of them.
@MainActor final class Roster {
  private var byNumber: [SceneNumber: SceneRecord] = [:]
  /// By the number: the hash of a type of another module is asked for by its protocol.
  private var byWindow: [UInt32: SceneRecord] = [:]
  /// The number of scenes in the foreground.
  private var foreground = 0
  /// The scenes whose facts have changed, in order of connection.
  private var dirty: [SceneRecord] = []
  private var numbers = 0

  /// A number for a new session.
  func makeNumber() -> SceneNumber {
    numbers += 1
    return numbers
  }

  /// All, in the order in which their sessions were made.
  var ordered: [SceneRecord] {
    // By the keys and in a loop: an isolated closure checks its thread whenever the standard library calls it.
    var records: [SceneRecord] = []
    for number in byNumber.keys.sorted() { if let record = byNumber[number] { records.append(record) } }
    return records
  }

  func insert(_ record: SceneRecord) {
    byNumber[record.number] = record
    record.session.record = record
  }

  func remove(_ record: SceneRecord) {
    byNumber[record.number] = nil
    record.session.record = nil
  }

  /// The record with a number; nil once its session has been discarded.
  subscript(number: SceneNumber) -> SceneRecord? { byNumber[number] }

  /// The record of the session that a window belongs to.
  subscript(window: WindowID) -> SceneRecord? {
    get { byWindow[window.rawValue] }
    set { byWindow[window.rawValue] = newValue }
  }

  /// The record of a session; nil once the session has been discarded.
  func find(_ session: SceneSession) -> SceneRecord? {
    guard let record = session.record, byNumber[record.number] === record else { return nil }
    return record
  }

  func contains(_ record: SceneRecord) -> Bool { byNumber[record.number] === record }

  func contains(where condition: (SceneRecord) -> Bool) -> Bool { byNumber.values.contains(where: condition) }

  // MARK: States

  /// Sets the state of a scene.
  func moved(from old: ActivationState, to new: ActivationState) {
    if old > .background { foreground -= 1 }
    if new > .background { foreground += 1 }
  }

  /// Whether no scene of the program is in the foreground.
  var isInBackground: Bool { foreground == 0 }

  // MARK: Changed scenes

  /// Whether facts of a scene have changed since the last settling.
  var isDirty: Bool { !dirty.isEmpty }

  /// Marks the facts of a scene as changed.
  func markDirty(_ record: SceneRecord) {
    guard !record.isDirty else { return }
    record.isDirty = true
    dirty.append(record)
    var index = dirty.count - 1
    while index > 0, dirty[index - 1].number > record.number {
      dirty.swapAt(index - 1, index)
      index -= 1
    }
  }

  /// Removes and returns the scenes whose facts have changed, in order of connection.
  func drainDirty() -> [SceneRecord] {
    let drained = exchange(&dirty, with: [])
    for record in drained { record.isDirty = false }
    return drained
  }
}
