import Glibc
import ProsceniumCore

/// The framework's side of a source, without a program: waits for descriptors, and writes down what it is told.
@MainActor final class TestHost: SystemHost {
  private(set) var events: [SystemEvent] = []
  private(set) var messages: [String] = []
  private(set) var watched: [LoopSourceID: LoopSource] = [:]
  /// How often something was heard of a descriptor.
  private(set) var wakeUps = 0
  private var numbers = 0
  private var later: [@MainActor () -> Void] = []
  var now = 0.0

  func watch(_ source: LoopSource) -> LoopSourceID {
    numbers += 1
    let id = LoopSourceID(rawValue: numbers)
    watched[id] = source
    return id
  }
  func unwatch(_ id: LoopSourceID) { watched[id] = nil }
  func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) { later.append(action) }
  func post(_ event: SystemEvent) { events.append(event) }
  func log(_ message: String) { messages.append(message) }

  /// Lets everything happen that was put off.
  func passTime() {
    let actions = later
    later = []
    for action in actions { action() }
  }

  /// Waits for the descriptors once; whether one of them had something to say.
  @discardableResult func turn(milliseconds: Int32 = 0) -> Bool {
    let sources = watched.sorted { $0.key.rawValue < $1.key.rawValue }
    var entries = sources.map { _, source in
      pollfd(
        fd: source.descriptor, events: Int16(source.interest == .urgent ? POLLPRI : POLLIN), revents: 0)
    }
    guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return false }
    for (entry, (id, source)) in zip(entries, sources) where entry.revents != 0 && watched[id] != nil {
      wakeUps += 1
      source.handler(Int32(entry.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0)
    }
    return true
  }

  /// Turns until nothing more is said; false where that does not end.
  func settle() -> Bool {
    for _ in 0..<100 where !turn() { return true }
    return false
  }

  /// Turns until something has been posted, or the limit is over.
  func waitForEvent(seconds: Int) -> Bool {
    for _ in 0..<seconds * 10 {
      if !events.isEmpty { return true }
      turn(milliseconds: 100)
    }
    return !events.isEmpty
  }
}
