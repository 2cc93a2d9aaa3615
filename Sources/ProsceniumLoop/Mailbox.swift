import Synchronization

/// Values that one thread posts and another takes, in order.
package final class Mailbox<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let limit: Int
  private let pipe: SelfPipe?

  /// Makes an empty mailbox.
  /// - Parameters:
  ///   - limit: How many values it has room for; what is posted beyond that is dropped.
  ///   - pipe: The pipe of the loop that wakes up for each value; nil where the taker looks by itself.
  package init(limit: Int = .max, waking pipe: SelfPipe? = nil) {
    self.limit = limit
    self.pipe = pipe
  }

  package func post(_ value: Value) {
    values.withLock { if $0.count < limit { $0.append(value) } }
    pipe?.wake()
  }

  package func removeAll() -> [Value] {
    values.withLock { values in
      defer { values = [] }
      return values
    }
  }
}
