/// The records of all open sessions.
///
/// Adding, finding and removing one costs the same however many there are.
@MainActor struct SceneRecords {
  private var byNumber: [Int: SceneRecord] = [:]

  var isEmpty: Bool { byNumber.isEmpty }

  /// All, in the order of their sessions' making.
  var ordered: [SceneRecord] { byNumber.values.sorted { $0.number < $1.number } }

  mutating func insert(_ record: SceneRecord) {
    byNumber[record.number] = record
    record.session.record = record
  }

  mutating func remove(_ record: SceneRecord) {
    byNumber[record.number] = nil
    record.session.record = nil
  }

  /// The record with a number; nil once its session has been discarded.
  subscript(number: Int) -> SceneRecord? { byNumber[number] }

  /// The record of a session; nil once the session has been discarded.
  func find(_ session: SceneSession) -> SceneRecord? {
    guard let record = session.record, byNumber[record.number] === record else { return nil }
    return record
  }

  func contains(where condition: (SceneRecord) -> Bool) -> Bool { byNumber.values.contains(where: condition) }
}
