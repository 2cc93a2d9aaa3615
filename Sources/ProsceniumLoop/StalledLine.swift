import CSystem
import Glibc
import Synchronization

/// Closes a connection to a display that stands still once the process has been asked to end.
///
/// The main thread may be in a write to it, which waits without a limit: neither the signal would be heard, nor would
/// anything be saved. Closed, the display is lost, and the program ends as it does then. A line that is merely slow is
/// waited for.
///
/// The thread waits without a limit, too, until a signal's handler has set the timer (``TerminationSignals``).
final class StalledLine: Sendable {
  /// How often the connection is looked at from the signal on.
  static let step = Duration.milliseconds(250)
  private static let stackSize = 64 * 1024

  /// Another descriptor of the socket: its number is nobody else's when the connection has been closed.
  private let socket: Descriptor
  private let timer: KernelTimer
  private let isOver = Atomic(false)
  private let isCut = Atomic(false)

  /// The timer that a signal's handler sets.
  var timerNumber: Int32 { timer.descriptor.number }
  /// Whether the connection has been closed.
  var hasCut: Bool { isCut.load(ordering: .acquiring) }

  /// Begins to wait for a signal.
  /// - Parameter socket: The connection's socket.
  /// - Returns: The object; nil where the process has no descriptors left, or no thread can be made.
  static func begin(_ socket: Int32) -> StalledLine? {
    guard let socket = try? Descriptor(copying: socket), let timer = try? KernelTimer(blocks: true) else { return nil }
    let line = StalledLine(socket, timer)
    return DetachedThread.run(stackSize: stackSize) { line.watch() } ? line : nil
  }

  private init(_ socket: consuming Descriptor, _ timer: consuming KernelTimer) {
    self.socket = socket
    self.timer = timer
  }

  /// Ends the thread.
  func end() {
    isOver.store(true, ordering: .releasing)
    timer.start(after: .nanoseconds(1))
  }

  private func watch() {
    linux_name_thread("Line")
    var looks = LineLooks()
    while true {
      do { try timer.wait() } catch { return }
      if isOver.load(ordering: .acquiring) { return }
      var entry = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
      let isBusy = poll(&entry, 1, 0) == 0
      guard looks.showsStandstill(isBusy: isBusy, unsent: Int(linux_unsent(socket.number))) else { continue }
      timer.stop()
      isCut.store(true, ordering: .releasing)
      shutdown(socket.number, Int32(SHUT_RDWR))
      return
    }
  }
}

/// What has been seen of a connection, look by look.
struct LineLooks: Hashable, Sendable {
  /// How long a line takes nothing until it counts as one that stands still.
  static let patience = Duration.seconds(3)

  private var unsent: Int?
  private var count = 0

  /// Adds a look.
  ///
  /// Counted in looks: while the process is stopped, or the machine sleeps, no time passes.
  /// - Parameters:
  ///   - isBusy: Whether the socket takes nothing more.
  ///   - unsent: How many bytes it still has.
  /// - Returns: Whether the line has taken nothing for the whole time.
  mutating func showsStandstill(isBusy: Bool, unsent: Int) -> Bool {
    defer { self.unsent = isBusy ? unsent : nil }
    count = isBusy && unsent == self.unsent ? count + 1 : 0
    return count >= Int(Self.patience / StalledLine.step)
  }
}
