import Synchronization

/// Values that one thread posts and another one removes, in order.
///
/// All functions may be called on any thread.
package final class Mailbox<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let limit: Int
  private let pipe: SelfPipe?

  /// Makes an empty mailbox.
  /// - Parameters:
  ///   - limit: How many values it has room for; values beyond that are dropped.
  ///   - pipe: The pipe of the loop that wakes up for each value; nil where the receiver polls.
  package init(limit: Int = .max, waking pipe: SelfPipe? = nil) {
    self.limit = limit
    self.pipe = pipe
  }

  /// Adds a value, unless the mailbox is full.
  package func post(_ value: Value) {
    values.withLock { if $0.count < limit { $0.append(value) } }
    pipe?.wake()
  }

  /// Empties the mailbox.
  /// - Returns: The values in the order in which they were posted.
  package func removeAll() -> [Value] {
    values.withLock { values in
      defer { values = [] }
      return values
    }
  }
}
