internal import Glibc
import ProsceniumCore
import ProsceniumLoop
package import ProsceniumPlatform

// Batches, and the time between them.
extension HeadlessPlatform {
  /// Whether anything can still happen to the program.
  private var isAlive: Bool { quitStatus == nil && life.isOn() }

  /// Delivers the events so far as one batch, and again until nothing more happens.
  package func deliver() {
    // A callback may start another process, whose owner replaces this one.
    let running = owner
    defer { withExtendedLifetime(running) {} }
    // A test that awaits finds the application of whichever program another test has driven meanwhile.
    if isAlive, let application = running as? Application { Application.sharedIfLaunched = application }
    while isAlive {
      client?.turn()
      if !pasteboards.answers.isEmpty, !isSuspended {
        let answers = pasteboards.answers
        pasteboards.answers = []
        for answer in answers { answer() }
        continue
      }
      if let alarm = schedule.removeAlarm(until: now) {
        alarm.fire()
        continue
      }
      guard !windowManager.events.isEmpty else {
        guard let client, client.hasIdleWork, isAlive else { return }
        client.performIdleWork()
        continue
      }
      let batch = windowManager.events
      windowManager.events = []
      client?.handle(batch)
    }
  }

  /// Advances the time by milliseconds; deadlines fire in order, each as a batch of its own.
  package func advance(by milliseconds: Int) { advance(bySeconds: Double(milliseconds) / 1000) }

  /// Advances the time by seconds.
  func advance(bySeconds seconds: Double) {
    deliver()
    // What is due after the end of all time never happens.
    let end = min(now + seconds, ManualClock.end)
    while isAlive {
      let limit = min(end, schedule.nextAlarm)
      if let next = schedule.removeNext(until: limit, &windowManager.agenda, now: now) {
        now = next.time
        windowManager.events.append(next.event)
      } else if schedule.nextAlarm <= end {
        now = max(now, limit)
      } else {
        break
      }
      deliver()
    }
    now = max(now, end)
  }

  /// Advances the time by milliseconds within an operation: deadlines on the way fire after it.
  package func spend(milliseconds: Int) { now += Double(milliseconds) / 1000 }

  /// Delivers any events, as one batch.
  package func send(_ events: PlatformEvent...) { send(events) }

  /// Delivers any events, as one batch.
  package func send(_ events: [PlatformEvent]) {
    // Levels that a test sends are those of the window from now on.
    for case .levels(let id, let levels) in events { windowManager.update(id) { $0.levels = levels } }
    windowManager.events += events
    deliver()
  }

  /// Polls every watched descriptor once, and calls the handlers of those with events.
  package func pollSources() {
    for (id, source) in sources.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      var entry = pollfd(fd: source.descriptor, events: source.interest.events, revents: 0)
      guard poll(&entry, 1, 0) > 0, sources[id] != nil else { continue }
      source.handler(Int32(entry.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0)
    }
    deliver()
  }
}
