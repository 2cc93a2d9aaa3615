internal import CSystem
import Glibc
import Synchronization

/// A pipe from the process to itself: a byte that a signal handler or another thread writes wakes the loop.
///
/// A byte is a signal's number, or 0 for a wake-up alone. Both ends are non-blocking and closed on exec.
package final class SelfPipe: Sendable {
  private let reader: Descriptor
  private let writer: Descriptor

  package var readEnd: Int32 { reader.number }
  package var writeEnd: Int32 { writer.number }

  /// Makes a pipe; nil where the process has no descriptors left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    // With its flags from the beginning: another thread may start a child at any time.
    guard linux_pipe(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return nil }
    reader = Descriptor(owning: ends[0])
    writer = Descriptor(owning: ends[1])
  }

  /// Wakes the loop; on any thread, and in a signal handler.
  package func wake() {
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  /// Reads everything that was written since the last call.
  package func drain() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(readEnd, &buffer, buffer.count)
      if count > 0 {
        all += buffer[..<count]
      } else if count < 0, errno == EINTR {
        continue
      } else {
        return all
      }
    }
  }
}

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
