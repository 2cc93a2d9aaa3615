/// The records of all open scene sessions: by number and by window.
///
/// Adding, finding and removing one costs the same for any number of them.
@MainActor final class Roster {
  private var byNumber: [SceneNumber: SceneRecord] = [:]
  private var byWindow: [WindowID: SceneRecord] = [:]
  /// The number of scenes in the foreground.
  private var foreground = 0
  private var dirty: [SceneRecord] = []
  private var numbers = 0

  /// A number for a new session.
  func makeNumber() -> SceneNumber {
    numbers += 1
    return numbers
  }

  /// All, in the order in which their sessions were made.
  var ordered: [SceneRecord] { byNumber.values.sorted { $0.number < $1.number } }

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
    get { byWindow[window] }
    set { byWindow[window] = newValue }
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
  }

  /// Removes and returns the scenes whose facts have changed, in order of connection.
  func drainDirty() -> [SceneRecord] {
    let drained = dirty.count > 1 ? dirty.sorted { $0.number < $1.number } : dirty
    dirty = []
    for record in drained { record.isDirty = false }
    return drained
  }
}
