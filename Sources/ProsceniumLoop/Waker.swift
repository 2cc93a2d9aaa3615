import Synchronization

/// Wakes the loop, from any thread; does nothing before there is one.
package final class Waker: Sendable {
  private let pipe = Mutex<SelfPipe?>(nil)

  package init() {}

  package func setPipe(_ pipe: SelfPipe) { self.pipe.withLock { $0 = pipe } }

  package func wake() { pipe.withLock { $0?.wake() } }
}
