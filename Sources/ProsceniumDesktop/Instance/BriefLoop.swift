import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The loop of a process that makes some calls and then ends (poll(2)).
@MainActor final class BriefLoop: SystemHost {
  let applicationIdentifier = ProgramName.own
  private var sources: [LoopSourceID: LoopSource] = [:]
  private var later: [(id: DeadlineID, due: Double, action: @MainActor () -> Void)] = []
  private var numbers = 0
  let acceptsRequests = false
  let isSuspended = false
  let timeToEnd = 0.0

  var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func watch(_ source: LoopSource) -> LoopSourceID {
    numbers += 1
    sources[LoopSourceID(rawValue: numbers)] = source
    return LoopSourceID(rawValue: numbers)
  }

  func unwatch(_ id: LoopSourceID) { sources[id] = nil }

  func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID {
    numbers += 1
    later.append((DeadlineID(rawValue: numbers), now + Double(milliseconds) / 1000, action))
    return DeadlineID(rawValue: numbers)
  }

  func cancel(_ id: DeadlineID) { later.removeAll { $0.id == id } }
  func post(_ event: SystemEvent) {}
  func log(_ message: String) {}
  func report(_ message: String) {}
  func trace(_ name: String, _ text: String) {}
  func offer(_ inhibitor: any IdleInhibitor) {}

  /// Runs until there is an answer, or the time is over.
  /// - Parameters:
  ///   - duration: The longest time.
  ///   - answer: Gives the answer; called once in each turn of the loop.
  /// - Returns: The answer; nil where the time is over.
  func run<Value>(for duration: Duration, until answer: () -> Value?) -> Value? {
    let end = now + duration / .seconds(1)
    while true {
      if let answer = answer() { return answer }
      let time = now
      guard time < end else { return nil }
      let next = min(end, later.map(\.due).min() ?? end)
      wait(milliseconds: Int32(max(0, ((next - time) * 1000).rounded(.up))))
      let due = later.filter { $0.due <= now }
      for entry in due where later.contains(where: { $0.id == entry.id }) {
        cancel(entry.id)
        entry.action()
      }
    }
  }

  private func wait(milliseconds: Int32) {
    let watched = sources.sorted { $0.key.rawValue < $1.key.rawValue }
    var entries = watched.map { _, source in
      pollfd(fd: source.descriptor, events: source.interest.events, revents: 0)
    }
    guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
    for (entry, (id, source)) in zip(entries, watched) where entry.revents != 0 && sources[id] != nil {
      source.handler(Int32(entry.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0)
    }
  }
}
