import CSystem
import Glibc
import Synchronization

/// Wakes a loop, on whatever thread another library waits for it, for what has come to its socket and another thread
/// has read; see ``Arrivals``.
///
/// The signal is for one thread, which is here for it; no other is interrupted, and where nothing comes nothing wakes
/// up.
final class ArrivalWatch: Sendable {
  /// How long the loop has to turn by itself, as it mostly does, in microseconds.
  private static let grace: useconds_t = 1000
  private static let stackSize = 64 * 1024

  private let pipe: SelfPipe
  /// How often the loop has turned.
  private let turns = Atomic(0)
  /// The thread; 0 before it runs.
  private let thread = Atomic<Int32>(0)
  /// The thread that the kernel tells.
  private let told = Atomic<Int32>(0)
  private let isOver = Atomic(false)

  /// Begins to wait for arrivals.
  /// - Parameter pipe: The pipe of the loop, which calls ``turned(_:)``.
  /// - Returns: The object; nil where no thread can be made.
  static func begin(waking pipe: SelfPipe) -> ArrivalWatch? {
    let watch = ArrivalWatch(pipe)
    return DetachedThread.run(stackSize: stackSize) { watch.wait() } ? watch : nil
  }

  private init(_ pipe: SelfPipe) { self.pipe = pipe }

  /// The loop turns; called on its thread.
  /// - Parameter socket: The socket.
  func turned(_ socket: Int32) {
    turns.add(1, ordering: .sequentiallyConsistent)
    let thread = thread.load(ordering: .sequentiallyConsistent)
    let before = told.exchange(thread, ordering: .sequentiallyConsistent)
    if before != thread { linux_tell_arrivals(socket, thread, SIGURG) }
  }

  /// Ends the thread; called once, on the loop's thread or when that is gone.
  func end() {
    isOver.store(true, ordering: .sequentiallyConsistent)
    let thread = thread.load(ordering: .sequentiallyConsistent)
    if thread != 0 { linux_signal_thread(thread, SIGURG) }
  }

  /// The thread, to which all signals are blocked.
  private func wait() {
    linux_name_thread("Arrivals")
    thread.store(linux_thread(), ordering: .sequentiallyConsistent)
    // The loop turns, and has the kernel tell this thread.
    pipe.wake()
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGURG)
    var signal: Int32 = 0
    while !isOver.load(ordering: .sequentiallyConsistent), sigwait(&signals, &signal) == 0 {
      let before = turns.load(ordering: .sequentiallyConsistent)
      usleep(Self.grace)
      if turns.load(ordering: .sequentiallyConsistent) == before { pipe.wake() }
    }
  }
}
