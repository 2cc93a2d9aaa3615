import Synchronization

/// The execution modes that are held, for every thread.
///
/// The main thread learns of a change after it: until then a hold that has ended still counts, so that the trace never
/// says that the program was suspended while one was held.
final class ExecutionTable: Sendable {
  struct Hold: Hashable, Sendable {
    var number: Int
    var mode: ExecutionMode
    var reason: String
  }

  enum Change: Hashable, Sendable {
    case begun(Hold)
    case ended(Hold)
  }

  private struct Contents: Sendable {
    var open: [Int: Hold] = [:]
    var latest = 0
    /// The changes that the main thread has not heard of.
    var changes: [Change] = []
    var platform: (any Platform)?
  }

  private let contents = Mutex(Contents())

  /// A hold's number.
  func begin(_ mode: ExecutionMode, _ reason: String) -> Int {
    let (number, waker) = contents.withLock { contents in
      contents.latest += 1
      let hold = Hold(number: contents.latest, mode: mode, reason: reason)
      contents.open[hold.number] = hold
      return (hold.number, Self.add(.begun(hold), to: &contents))
    }
    waker?.wake()
    return number
  }

  func end(_ number: Int) {
    let waker: (any Platform)? = contents.withLock { contents in
      guard let hold = contents.open.removeValue(forKey: number) else { return nil }
      return Self.add(.ended(hold), to: &contents)
    }
    waker?.wake()
  }

  /// The platform to wake, if no change waited before.
  private static func add(_ change: Change, to contents: inout Contents) -> (any Platform)? {
    contents.changes.append(change)
    return contents.changes.count == 1 ? contents.platform : nil
  }

  var modes: Set<ExecutionMode> { contents.withLock { Set($0.open.values.map(\.mode)) } }

  // MARK: Main thread

  /// Whether a mode is held, or has been until a change that the main thread has not heard of.
  var isHeld: Bool { contents.withLock { !$0.open.isEmpty || !$0.changes.isEmpty } }

  /// Whether the main thread has a change to hear of.
  var isChanged: Bool { contents.withLock { !$0.changes.isEmpty } }

  /// The holds, in the order in which they began.
  var holds: [Hold] { contents.withLock { $0.open.values.sorted { $0.number < $1.number } } }

  func takeChanges() -> [Change] { contents.withLock { exchange(&$0.changes, with: []) } }

  @MainActor func attach(_ platform: any Platform) { contents.withLock { $0.platform = platform } }
}
