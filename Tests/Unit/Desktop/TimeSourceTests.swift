import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// The kernel's own clock and files: what is heard of them, and what is told.
@MainActor @Suite("The clock and the zone", .serialized) struct TimeSourceTests {
  private let host = TestHost()
  private let folder: TemporaryFolder
  /// How far the clock that is read is ahead of the machine's, in seconds.
  private let ahead = Ahead()

  private final class Ahead {
    var seconds = 0.0
    /// At which reading, from now on, the clock is set ahead.
    var readings = 0
  }

  init() throws { folder = try TemporaryFolder() }

  private func start() -> TimeSource {
    let source = TimeSource(
      clock: LocalClock(directory: folder.path) { [ahead] in
        let shown = Self.realTime + ahead.seconds
        ahead.readings -= 1
        if ahead.readings == 0 {
          ahead.seconds += 90
          _ = Self.setClock()
        }
        return shown
      })
    source.start(host)
    // Nothing is opened during the launch
    #expect(host.watched.isEmpty)
    host.passTime()
    #expect(host.settle() && host.events.isEmpty)
    return source
  }

  private static var realTime: Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// Sets the machine's clock to what it shows already: harmless for whatever else runs here.
  private static func setClock() -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return clock_settime(CLOCK_REALTIME, &now) == 0
  }

  private func requireSettableClock() throws {
    guard !Self.setClock() else { return }
    #expect(errno == EPERM)
    try cancelTest("the clock cannot be set", lacking: .clock)
  }

  /// Of how many clocks that were set has been told, and of nothing that was not one.
  private var setClocks: Int? {
    let changes = host.events.map { event -> Set<SignificantTimeChange> in
      if case .time(let from, let to) = event { to.changes(since: from) } else { [] }
    }
    return changes.allSatisfy { $0.contains(.clockSet) } ? changes.count : nil
  }

  @Test("A clock that is set is heard of each time, and told once, and only where that makes a difference")
  func clockIsSet() throws {
    try requireSettableClock()
    let source = start()
    for _ in 1...3 {
      let wakeUps = host.wakeUps
      #expect(Self.setClock())
      #expect(host.turn { host.wakeUps > wakeUps })
      // The timer waits again, and nothing spins
      #expect(host.settle())
    }
    #expect(host.events.isEmpty)
    ahead.seconds = 90
    #expect(Self.setClock())
    #expect(host.turn { !host.events.isEmpty })
    #expect(Self.setClock())
    #expect(host.settle())
    #expect(setClocks == 1 && host.messages.isEmpty)
    source.stop()
    #expect(host.watched.isEmpty)
  }

  @Test("A clock that was set is told, whatever makes the program look", .enabled(if: getenv("TZ") == nil))
  func clockAndZone() throws {
    let source = start()
    ahead.seconds = 90
    _ = try folder.write("timezone", "")
    #expect(host.turn { setClocks == 1 })
    source.stop()
  }

  @Test("A clock that is set while it is looked at is told", .enabled(if: getenv("TZ") == nil), arguments: 1...3)
  func setMeanwhile(reading: Int) throws {
    try requireSettableClock()
    let source = start()
    ahead.readings = reading
    _ = try folder.write("timezone", "")
    #expect(host.turn { setClocks == 1 })
    source.stop()
  }

  @Test("Another zone's file is told once, however often it is written", .enabled(if: getenv("TZ") == nil))
  func zone() throws {
    let source = start()
    #expect(symlink("/usr/share/zoneinfo/Etc/GMT", folder.file("localtime")) == 0)
    #expect(host.turn { !host.events.isEmpty })
    _ = try folder.write("other", "")
    _ = try folder.write("timezone", "")
    #expect(host.settle())
    guard case .time(let from, let to)? = host.events.first else {
      Issue.record("\(host.events)")
      return
    }
    #expect(to.changes(since: from) == [.timeZone] && host.events.count == 1)
    source.stop()
    #expect(host.watched.isEmpty)
  }
}
