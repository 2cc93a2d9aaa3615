import Glibc

/// Waits for the descriptors of the loop.
///
/// One call of poll(2) a turn, and none wakes up without a reason.
@MainActor struct Poller {
  struct Ready: OptionSet {
    let rawValue: UInt8
    static let connection = Ready(rawValue: 1)
    static let pipe = Ready(rawValue: 2)
    static let mainQueue = Ready(rawValue: 4)
    static let session = Ready(rawValue: 8)
  }

  /// One for each bit of ``Ready``, in that order; poll(2) passes over those that are -1.
  private var descriptors = [pollfd](repeating: pollfd(fd: -1, events: Int16(POLLIN), revents: 0), count: 4)

  init(connection: Int32?, pipe: Int32?, mainQueue: Int32?) {
    self[0] = connection
    self[1] = pipe
    self[2] = mainQueue
  }

  var connection: Int32? {
    get { self[0] }
    set { self[0] = newValue }
  }
  var session: Int32? {
    get { self[3] }
    set { self[3] = newValue }
  }

  private subscript(index: Int) -> Int32? {
    get { descriptors[index].fd >= 0 ? descriptors[index].fd : nil }
    set { descriptors[index].fd = newValue ?? -1 }
  }

  /// Waits until a descriptor is ready or the moment has come; `deadline` 0 only looks, nil waits for ever.
  mutating func wait(until deadline: UInt64?) -> Ready {
    // EINTR is a wake-up like any other: the handler's byte is in the pipe.
    guard poll(&descriptors, nfds_t(descriptors.count), timeout(until: deadline)) > 0 else { return [] }
    var ready: Ready = []
    for index in descriptors.indices where descriptors[index].revents != 0 {
      ready.insert(Ready(rawValue: 1 << UInt8(index)))
    }
    return ready
  }

  /// Milliseconds, rounded up: rounding down would wake up early and spin until the moment has come.
  private func timeout(until deadline: UInt64?) -> Int32 {
    guard let deadline else { return -1 }
    if deadline == 0 { return 0 }
    let now = MonotonicClock.nanoseconds
    guard deadline > now else { return 0 }
    return Int32(clamping: (deadline - now + 999_999) / 1_000_000)
  }
}
