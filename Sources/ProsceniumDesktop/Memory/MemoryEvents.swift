import ProsceniumPlatform

/// The counters of a control group's `memory.events` (Linux, Documentation/admin-guide/cgroup-v2.rst).
struct MemoryEvents: Hashable, Sendable {
  /// How often the group was throttled for using more than its `memory.high`.
  var high = 0
  /// How often it was about to use more than its `memory.max`.
  var max = 0
  /// How often memory could not be allocated within the limit.
  var oom = 0
  /// How many of its processes were killed for lack of memory.
  var oomKill = 0

  init(high: Int = 0, max: Int = 0, oom: Int = 0, oomKill: Int = 0) {
    self.high = high
    self.max = max
    self.oom = oom
    self.oomKill = oomKill
  }

  /// Reads the file; unknown counters are left out.
  init(text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let count = Int(words[1]) else { continue }
      switch words[0] {
      case "high": high = count
      case "max": max = count
      case "oom": oom = count
      case "oom_kill": oomKill = count
      default: break
      }
    }
  }

  /// The pressure that the counters show since they were read before; nil for none.
  func pressure(since before: MemoryEvents) -> MemoryPressure? {
    if oom > before.oom || oomKill > before.oomKill { return .critical }
    return high > before.high || max > before.max ? .warning : nil
  }
}
