/// The records of all open scene sessions: by number and by window.
///
/// Adding, finding and removing one costs the same for any number of them.
@MainActor final class Roster {
  /// By the number, from 1 on; nil where the session has been discarded.
  private var byNumber: [SceneRecord?] = [nil]
  /// By the number: the hash of a type of another module is asked for by its protocol.
  private var byWindow: [UInt32: SceneRecord] = [:]
  /// The number of scenes in the foreground.
  private var foreground = 0
  /// The scenes whose facts have changed, in order of connection.
  private var dirty: [SceneRecord] = []

  /// A number for a new session.
  func makeNumber() -> SceneNumber {
    byNumber.append(nil)
    return byNumber.count - 1
  }

  /// All, in the order in which their sessions were made.
  var ordered: [SceneRecord] {
    // A loop: an isolated closure checks its thread whenever the standard library calls it.
    var records: [SceneRecord] = []
    for record in byNumber { if let record { records.append(record) } }
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
  subscript(number: SceneNumber) -> SceneRecord? { number < byNumber.count ? byNumber[number] : nil }

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

  func contains(where condition: (SceneRecord) -> Bool) -> Bool {
    for record in byNumber { if let record, condition(record) { return true } }
    return false
  }

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
