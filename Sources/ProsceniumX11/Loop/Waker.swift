import Synchronization

/// Wakes the loop, from any thread; does nothing before there is one.
final class Waker: Sendable {
  private let pipe = Mutex<SelfPipe?>(nil)

  func setPipe(_ pipe: SelfPipe) { self.pipe.withLock { $0 = pipe } }

  func wake() { pipe.withLock { $0?.wake() } }
}
