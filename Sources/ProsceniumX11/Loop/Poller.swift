import Glibc
import ProsceniumLoop
import ProsceniumPlatform

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
    static let sources = Ready(rawValue: 16)
  }

  private static let ownCount = 4
  /// Four in the order of ``Ready``'s bits, then the sources; poll(2) leaves out negative descriptors.
  private var descriptors: [pollfd]
  private var sources: [LoopSourceID] = []

  init(connection: Int32?, pipe: Int32?, mainQueue: Int32?) {
    descriptors = [connection, pipe, mainQueue, nil].map {
      pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0)
    }
  }

  /// The connection is gone, and has nothing to say any more.
  mutating func forgetConnection() { descriptors[0].fd = -1 }

  /// The session manager's connection, which comes late and may go.
  var session: Int32? {
    get { descriptors[3].fd < 0 ? nil : descriptors[3].fd }
    set { descriptors[3].fd = newValue ?? -1 }
  }

  /// The main queue, which is not heard while the program is suspended.
  var mainQueue: Int32? {
    get { descriptors[2].fd < 0 ? nil : descriptors[2].fd }
    set { descriptors[2].fd = newValue ?? -1 }
  }

  /// What the framework watches, from the next wait on.
  mutating func watch(_ watched: [LoopSourceID: LoopSource]) {
    descriptors.removeSubrange(Self.ownCount...)
    sources = []
    for (id, source) in watched.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      descriptors.append(pollfd(fd: source.descriptor, events: source.interest.events, revents: 0))
      sources.append(id)
    }
  }

  /// The sources that the last wait found ready.
  var readySources: [(id: LoopSourceID, isGone: Bool)] {
    zip(sources, descriptors[Self.ownCount...]).filter { $1.revents != 0 }.map {
      ($0, Int32($1.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0)
    }
  }

  /// Waits until a descriptor is ready or the moment has come; `deadline` 0 only looks, nil waits for ever.
  mutating func wait(until deadline: UInt64?) -> Ready {
    // EINTR is a wake-up like any other: the handler's byte is in the pipe.
    guard poll(&descriptors, nfds_t(descriptors.count), timeout(until: deadline)) > 0 else { return [] }
    var ready: Ready = []
    for index in descriptors.indices where descriptors[index].revents != 0 {
      ready.insert(Ready(rawValue: 1 << UInt8(min(index, Self.ownCount))))
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
