private import Glibc
import ProsceniumLoop

/// The descriptors that a program in memory has the loop wait for.
@MainActor struct HeadlessSources {
  private(set) var sources: [LoopSourceID: LoopSource] = [:]
  private var lastNumber = 0

  mutating func add(_ source: LoopSource) -> LoopSourceID {
    lastNumber += 1
    let id = LoopSourceID(rawValue: lastNumber)
    sources[id] = source
    return id
  }

  mutating func remove(_ id: LoopSourceID) { sources[id] = nil }

  /// The events of a descriptor, asked once; nil where there are none.
  static func poll(_ source: LoopSource) -> Int32? {
    var entry = pollfd(fd: source.descriptor, events: source.interest.events, revents: 0)
    return Glibc.poll(&entry, 1, 0) > 0 ? Int32(entry.revents) : nil
  }

  /// Whether events say that the other side is gone.
  static func isGone(_ events: Int32) -> Bool { events & Int32(POLLERR | POLLHUP | POLLNVAL) != 0 }
}
