import Glibc

/// The descriptors that a loop waits for (poll(2)).
package struct Poller {
  private static let pipeIndex = 0
  private static let mainQueueIndex = 1
  private static let firstSource = 2
  private static let failures = Int32(POLLERR | POLLHUP | POLLNVAL)
  /// The pipe, the main queue and the sources; poll(2) leaves out negative descriptors.
  private var descriptors: [pollfd]
  private var sources: [(id: LoopSourceID, stage: LoopStage)] = []
  /// The revision of the sources.
  private(set) var revision = 0

  package init(pipe: Int32?) {
    descriptors = [pipe, nil].map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
  }

  /// Sets the main queue's descriptor, from the next wait on; nil while the queue is not run.
  mutating func setMainQueue(_ descriptor: Int32?) { descriptors[Self.mainQueueIndex].fd = descriptor ?? -1 }

  /// Replaces the sources where they have changed, from the next wait on.
  package mutating func setSources(_ new: LoopSources) {
    guard new.revision != revision else { return }
    revision = new.revision
    descriptors.removeSubrange(Self.firstSource...)
    sources = []
    for entry in new.entries {
      let source = entry.source
      sources.append((entry.id, source.stage))
      descriptors.append(pollfd(fd: source.descriptor, events: source.interest.events, revents: 0))
    }
  }

  /// Waits until a descriptor is ready or a moment of ``MonotonicClock`` has come.
  /// - Parameter deadline: The moment; zero only looks, nil waits for ever.
  /// - Returns: Whether a descriptor is ready.
  package mutating func wait(until deadline: Duration?) -> Bool {
    // EINTR is a wake-up like any other: the handler's byte is in the pipe.
    let count = poll(&descriptors, nfds_t(descriptors.count), timeout(until: deadline))
    if count <= 0 { for index in descriptors.indices { descriptors[index].revents = 0 } }
    return count > 0
  }

  /// Milliseconds, rounded up: rounding down would wake up early and spin until the moment has come.
  private func timeout(until deadline: Duration?) -> Int32 {
    guard let deadline else { return -1 }
    if deadline == .zero { return 0 }
    return Int32(clamping: (deadline - MonotonicClock.now + .nanoseconds(999_999)).milliseconds)
  }

  // MARK: The last wait

  var isPipeReady: Bool { descriptors[Self.pipeIndex].revents != 0 }
  var isMainQueueReady: Bool { descriptors[Self.mainQueueIndex].revents != 0 }

  /// The places of the sources, for ``readySource(at:of:)``.
  package var places: Range<Int> { sources.indices }

  /// A source that is ready, where it belongs to a stage or none is named; `isGone` where the descriptor has failed or
  /// hung up.
  ///
  /// By its place: a list of those that are ready would be allocated in each turn.
  package func readySource(at place: Int, of stage: LoopStage? = nil) -> (id: LoopSourceID, isGone: Bool)? {
    let events = descriptors[Self.firstSource + place].revents
    guard events != 0, stage == nil || sources[place].stage == stage else { return nil }
    return (sources[place].id, Int32(events) & Self.failures != 0)
  }
}
