import Glibc
import ProsceniumCore

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

  var connection: Int32?
  var pipe: Int32?
  var mainQueue: Int32?
  var session: Int32?

  /// What the framework watches, and what the last wait found there.
  var watched: [LoopSourceID: LoopSource] = [:]
  private(set) var due: [(id: LoopSourceID, isGone: Bool)] = []

  /// Waits until a descriptor is ready or the moment has come; `deadline` 0 only looks, nil waits for ever.
  mutating func wait(until deadline: UInt64?) -> Ready {
    let sources: [(Int32?, Ready)] = [
      (connection, .connection), (pipe, .pipe), (mainQueue, .mainQueue), (session, .session),
    ]
    var descriptors: [pollfd] = []
    var meanings: [Ready] = []
    for case (let descriptor?, let meaning) in sources {
      descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      meanings.append(meaning)
    }
    due = []
    let others = watched.isEmpty ? [] : watched.sorted { $0.key.rawValue < $1.key.rawValue }
    for (_, source) in others {
      let interest = source.interest == .urgent ? POLLPRI : POLLIN
      descriptors.append(pollfd(fd: source.descriptor, events: Int16(interest), revents: 0))
    }
    // EINTR is a wake-up like any other: the handler's byte is in the pipe.
    guard poll(&descriptors, nfds_t(descriptors.count), timeout(until: deadline)) > 0 else { return [] }
    for (entry, other) in zip(descriptors.dropFirst(meanings.count), others) where entry.revents != 0 {
      due.append((other.key, Int32(entry.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0))
    }
    return zip(descriptors, meanings).reduce(into: []) { ready, entry in
      if entry.0.revents != 0 { ready.insert(entry.1) }
    }
  }

  /// Milliseconds, rounded up: rounding down would wake up early and spin until the moment has come.
  private func timeout(until deadline: UInt64?) -> Int32 {
    guard let deadline else { return -1 }
    let now = MonotonicClock.nanoseconds
    guard deadline > now else { return 0 }
    return Int32(clamping: (deadline - now + 999_999) / 1_000_000)
  }
}
