import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumSystem

/// The kernel's own clock and files: what is heard of them, and what is told.
@MainActor @Suite("The clock and the zone", .serialized) struct TimeSourceTests {
  private let host = TestHost()

  @Test("A clock that is set is heard of each time, and told only where that makes a difference")
  func clockIsSet() throws {
    // To what it shows already: harmless for whatever else runs here.
    func set() -> Bool {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return clock_settime(CLOCK_REALTIME, &now) == 0
    }
    guard set() else { try Test.cancel("the clock may not be set here: \(String(cString: strerror(errno)))") }
    let folder = try TemporaryFolder()
    let source = TimeSource(directory: folder.path)
    source.start(host)
    // Nothing is opened during the launch
    #expect(host.watched.isEmpty)
    host.passTime()
    #expect(host.settle())
    for _ in 1...3 {
      let wakeUps = host.wakeUps
      #expect(set())
      #expect(host.turn { host.wakeUps > wakeUps })
      // The timer waits again, and nothing spins
      #expect(host.settle())
    }
    #expect(host.events.isEmpty && host.messages.isEmpty)
    source.stop()
    #expect(host.watched.isEmpty)
  }

  @Test("Another zone's file is told once, however often it is written", .enabled(if: getenv("TZ") == nil))
  func zone() throws {
    let folder = try TemporaryFolder()
    let source = TimeSource(directory: folder.path)
    source.start(host)
    host.passTime()
    #expect(host.settle() && host.events.isEmpty)
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
