import Glibc
package import ProsceniumCore
package import ProsceniumLoop

/// The framework's side of a source, without a program: waits for descriptors, and writes down what it is told.
@MainActor package final class TestHost: SystemHost {
  package var applicationIdentifier = "org.example.test"

  package private(set) var events: [SystemEvent] = []
  package private(set) var messages: [String] = []
  package private(set) var watched: [LoopSourceID: LoopSource] = [:]
  /// How often something was heard of a descriptor.
  package private(set) var wakeUps = 0
  private var numbers = 0
  private var later: [DeadlineID: (due: ContinuousClock.Instant, action: @MainActor () -> Void)] = [:]
  package var now = 0.0
  package var acceptsRequests = true
  package var isSuspended = false
  package var timeToEnd = 0.0
  /// Whether nothing happens that is put off from now on but for this moment's end: a test waits for no time.
  package var isTimeStill = false

  package init() {}

  package func watch(_ source: LoopSource) -> LoopSourceID {
    numbers += 1
    let id = LoopSourceID(rawValue: numbers)
    watched[id] = source
    return id
  }
  package func unwatch(_ id: LoopSourceID) { watched[id] = nil }
  package func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID {
    numbers += 1
    let delay: Duration = isTimeStill && milliseconds > 0 ? .seconds(1 << 40) : .milliseconds(milliseconds)
    later[DeadlineID(rawValue: numbers)] = (.now + delay, action)
    return DeadlineID(rawValue: numbers)
  }
  package func cancel(_ id: DeadlineID) { later[id] = nil }
  package private(set) var idleInhibitor: (any IdleInhibitor)?
  package func offer(_ inhibitor: any IdleInhibitor) { idleInhibitor = inhibitor }
  /// Whether a launch would wait for the first word on the user.
  package var isFirstWordAwaited: Bool { firstWords.last ?? false }
  /// What was said of that, in order.
  package private(set) var firstWords: [Bool] = []
  /// What had been said when the first word was known to have been; nil until then.
  package private(set) var eventsAtFirstWord: [SystemEvent]?
  package func post(_ event: SystemEvent) {
    if case .firstWord(let isAwaited) = event {
      if !isAwaited { eventsAtFirstWord = eventsAtFirstWord ?? events }
      return firstWords.append(isAwaited)
    }
    events.append(event)
  }
  package func log(_ message: String) { messages.append(message) }
  /// What standard error would have.
  package private(set) var reports: [String] = []
  package func report(_ message: String) { reports.append(message) }
  package func trace(_ name: String, _ text: String) {
    messages.append("\(name): \(text)")
    onNote?()
  }
  /// Called with each line that only the trace has.
  package var onNote: (() -> Void)?

  /// Lets everything happen that was put off, as if its time had come; or only what would happen within a time.
  package func passTime(within limit: Duration? = nil) {
    guard let limit else { return run(later) }
    run(until: .now + limit)
  }

  /// Lets happen what was put off until now.
  private func passDue() {
    if !isSuspended { run(until: .now) }
  }

  /// One moment for all: where each is compared with its own, a later one may be due and an earlier one not yet.
  private func run(until end: ContinuousClock.Instant) { run(later.filter { $0.value.due <= end }) }

  private func run(_ due: [DeadlineID: (due: ContinuousClock.Instant, action: @MainActor () -> Void)]) {
    for (id, entry) in due.sorted(by: { ($0.value.due, $0.key.rawValue) < ($1.value.due, $1.key.rawValue) }) {
      if later.removeValue(forKey: id) != nil { entry.action() }
    }
  }

  /// How many descriptors have something to say.
  package var readableCount: Int {
    var entries = watched.values.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    return poll(&entries, nfds_t(entries.count), 0) > 0 ? entries.count { $0.revents != 0 } : 0
  }

  /// Waits for the descriptors once; whether one of them had something to say.
  @discardableResult package func turn(milliseconds: Int32 = 0) -> Bool {
    let sources = watched.sorted { $0.key.rawValue < $1.key.rawValue }
    var entries = sources.map { _, source in
      pollfd(fd: source.descriptor, events: source.interest.events, revents: 0)
    }
    guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return false }
    for (entry, (id, source)) in zip(entries, sources) where entry.revents != 0 && watched[id] != nil {
      wakeUps += 1
      source.handler(Int32(entry.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0)
    }
    return true
  }

  /// Hears what has come within a moment, and lets happen what was put off until now.
  ///
  /// What has come is heard before a limit passes, as in the loop: another test may have had the thread for long.
  package func turnOnce() {
    turn(milliseconds: 10)
    passDue()
  }

  /// Turns until nothing more is said; false where that does not end.
  package func settle() -> Bool {
    for _ in 0..<100 where !turn() { return true }
    return false
  }

  /// Turns, and lets happen what was put off until then, until a condition is true.
  /// - Returns: Whether it came to be true in time.
  package func turn(seconds: Int = 60, until condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      if condition() { return true }
      turnOnce()
    }
    return condition()
  }

  /// Turns until something has been posted, or the limit is over.
  package func waitForEvent(seconds: Int) -> Bool {
    turn(seconds: seconds) { !events.isEmpty }
  }
}
