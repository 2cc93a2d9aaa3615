import ProsceniumPlatform

/// The counters of a control group's `memory.events` (Linux, Documentation/admin-guide/cgroup-v2.rst).
struct MemoryEvents: Hashable, Sendable {
  /// How often the group was throttled for having more than its `memory.high`.
  var high = 0
  /// How often it was about to have more than its `memory.max`.
  var max = 0
  /// How often there was nothing left to give it.
  var oom = 0
  /// How many of its processes were killed for that.
  var oomKill = 0

  init(high: Int = 0, max: Int = 0, oom: Int = 0, oomKill: Int = 0) {
    self.high = high
    self.max = max
    self.oom = oom
    self.oomKill = oomKill
  }

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

  /// What has happened since these were read before; nil where nothing of it matters.
  func pressure(since before: MemoryEvents) -> MemoryPressure? {
    if oom > before.oom || oomKill > before.oomKill { return .critical }
    return high > before.high || max > before.max ? .warning : nil
  }
}
