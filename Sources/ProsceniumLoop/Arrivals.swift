import CSystem

/// What tells a loop of all that comes to a socket, also where another thread reads it.
///
/// Drivers have threads that wait for events of their own within libxcb, and read all that comes: the loop, which waits
/// for the same socket, finds it empty and sleeps on, while its events are in libxcb's queue. The kernel tells of each
/// arrival by a signal, whoever reads (O_ASYNC, fcntl(2)): of SIGURG, which is ignored where nobody waits for it.
///
/// Before each wait the loop's client looks first whether the socket is empty, and then what is in the queue. So what
/// comes before that look is found, and what comes after it is told.
@MainActor final class Arrivals {
  enum Way {
    /// The loop waits itself: the signals are a source of it.
    case signals(ArrivalSignals, source: LoopSourceID)
    /// Another library's loop waits, perhaps on another thread.
    case thread(ArrivalWatch)
  }

  let socket: Int32
  let way: Way

  init(at socket: Int32, _ way: Way) {
    self.socket = socket
    self.way = way
  }

  deinit { if case .thread(let watch) = way { watch.end() } }

  /// Whether something has come that no thread has read.
  var isPending: Bool { linux_unread(socket) > 0 }

  /// The loop turns, and the client reads after that.
  func turned() { if case .thread(let watch) = way { watch.turned(socket) } }
}
