import ProsceniumCore
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

@Suite("What the kernel's memory files say") struct MemoryValueTests {
  let text = """
    some avg10=0.12 avg60=0.00 avg300=0.00 total=1234567
    full avg10=0.00 avg60=0.00 avg300=0.00 total=89

    """

  @Test("A trigger is written with the NUL without which the kernel takes its last digit")
  func trigger() {
    #expect(PressureTrigger.usual.bytes == Array("some 150000 2000000\0".utf8))
    #expect(PressureTrigger(bytes: PressureTrigger.usual.bytes) == .usual)
    #expect(PressureTrigger(bytes: Array("full 1 2\n".utf8)) == PressureTrigger(kind: .full, stall: 1, window: 2))
    for text in ["", "some", "some 1", "none 1 2", "some x 2", "some -1 2"] {
      #expect(PressureTrigger(bytes: Array(text.utf8)) == nil)
    }
  }

  @Test("Totals are read from the line that the trigger is for; what is no such file says nothing")
  func totals() {
    #expect(PressureTrigger(kind: .some, stall: 1, window: 1).total(in: text) == 1_234_567)
    #expect(PressureTrigger(kind: .full, stall: 1, window: 1).total(in: text) == 89)
    for text in ["", "some", "some total=", "some total=x", "something total=1", "full total=1"] {
      #expect(PressureTrigger.usual.total(in: text) == nil)
    }
  }

  @Test("The false first alarm is not believed; one after a stall as long as was asked for is")
  func falseAlarm() {
    func file(_ total: Int) -> String { "some avg10=0.00 avg60=0.00 avg300=0.00 total=\(total)\n" }
    var meter = StallMeter(.usual, text: file(1_000_000))
    let believed = [1_000_400, 1_150_400, 1_300_399, 1_450_399].map { meter.believes(file($0)) }
    #expect(believed == [false, true, false, true])
    // A file that says nothing cannot be checked.
    var silent = StallMeter(.usual, text: "")
    let isBelieved = silent.believes("")
    #expect(isBelieved)
  }

  @Test("The limits' counters: high and max warn, oom and oom_kill are critical, the rest is nothing")
  func events() {
    let before = MemoryEvents(text: "low 1\nhigh 2\nmax 3\noom 4\noom_kill 5\noom_group_kill 6\n")
    #expect(before == MemoryEvents(high: 2, max: 3, oom: 4, oomKill: 5))
    for high in 2...3 {
      for max in 3...4 {
        for oom in 4...5 {
          for kill in 5...6 {
            let now = MemoryEvents(high: high, max: max, oom: oom, oomKill: kill)
            let expected: MemoryPressure? =
              if oom > 4 || kill > 5 { .critical } else if high > 2 || max > 3 { .warning } else { nil }
            #expect(now.pressure(since: before) == expected)
          }
        }
      }
    }
    #expect(MemoryEvents(text: "rubbish\nhigh\nmax x\n\n") == MemoryEvents())
  }

  @Test("The own control group is found wherever the second version's hierarchy is mounted, also in part")
  func group() {
    let whole = "30 25 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
    let hybrid =
      "29 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      + "30 25 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
    let part = "30 25 0:27 /user.slice /my\\040groups rw - cgroup2 cgroup2 rw\n"
    func folder(_ group: String, _ mounts: String) -> String? {
      ControlGroup.folder(membership: "4:memory:/other\n\(group)\n", mounts: mounts)
    }
    #expect(folder("0::/app.scope", whole) == "/sys/fs/cgroup/app.scope")
    #expect(folder("0::/", whole) == "/sys/fs/cgroup")
    #expect(folder("0::/a/b:c", hybrid) == "/sys/fs/cgroup/unified/a/b:c")
    #expect(folder("0::/user.slice/app", part) == "/my groups/app")
    #expect(folder("0::/user.slice", part) == "/my groups")
    #expect(folder("0::/user.slice2", part) == nil)
    #expect(folder("0::/../outside", whole) == nil)
    #expect(folder("1:name=x:/", whole) == nil)
    #expect(folder("0::/", "") == nil)
    #expect(folder("0::/", "rubbish\n- cgroup2\n") == nil)
  }
}
