import ProsceniumLoop
import ProsceniumPlatform

/// Watches the counters of the limits of the process's control group (`memory.events`).
@MainActor final class MemoryEventsWatch {
  private let path: String
  private var counters: MemoryEvents
  private var watch: FileWatch?
  private let onPressure: (MemoryPressure) -> Void

  /// Begins to watch; nil where there are no such counters: the group has no limits, or is the first of all.
  /// - Parameters:
  ///   - path: The path of `memory.events`.
  ///   - host: The loop.
  ///   - onPressure: Called when the counters show that memory is short.
  init?(path: String, host: any SystemHost, onPressure: @escaping (MemoryPressure) -> Void) {
    guard let text = KernelFile.text(of: path) else { return nil }
    self.path = path
    self.onPressure = onPressure
    counters = MemoryEvents(text: text)
    watch = try? FileWatch(path, for: .contents, host: host) { [weak self] _ in self?.readCounters() }
    if watch == nil { return nil }
  }

  private func readCounters() {
    // A group that is removed takes its file with it.
    guard let text = KernelFile.text(of: path) else { return watch = nil }
    let before = counters
    counters = MemoryEvents(text: text)
    if let pressure = counters.pressure(since: before) { onPressure(pressure) }
  }
}

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

  /// The pressure that the counters show since they were read before; nil for none.
  func pressure(since before: MemoryEvents) -> MemoryPressure? {
    if oom > before.oom || oomKill > before.oomKill { return .critical }
    return high > before.high || max > before.max ? .warning : nil
  }
}

extension MemoryEvents {
  /// Reads the file; unknown counters are left out.
  init(text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    func count(_ name: String) -> Int { lines.first { $0.count == 2 && $0[0] == name }.flatMap { Int($0[1]) } ?? 0 }
    (high, max, oom, oomKill) = (count("high"), count("max"), count("oom"), count("oom_kill"))
  }
}

/// The control group of a process (cgroups(7)).
enum ControlGroup {
  /// The folder of the group in the hierarchy of version 2; nil where there is none.
  /// - Parameters:
  ///   - membership: `/proc/self/cgroup`; the line of version 2 begins with `0::`.
  ///   - mounts: `/proc/self/mountinfo` (proc(5)): the hierarchy may be mounted anywhere, and in part.
  /// - Returns: The folder's path.
  static func folder(membership: String, mounts: String) -> String? {
    // By bytes: there may be hundreds of mounts.
    let newline = UInt8(ascii: "\n")
    let lines = membership.utf8.split(separator: newline)
    guard let line = lines.first(where: { $0.starts(with: "0::/".utf8) }) else { return nil }
    let group = String(Substring(line.dropFirst(3)))
    // A group outside this process's namespace.
    guard !group.hasPrefix("/../") else { return nil }
    for mount in mounts.utf8.split(separator: newline) {
      let words = mount.split(separator: UInt8(ascii: " "))
      guard let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }), dash >= 6, dash + 1 < words.count,
        words[dash + 1].elementsEqual("cgroup2".utf8)
      else { continue }
      // Blanks in names are written as `\040` (proc(5)).
      func name(_ word: Int) -> String { Substring(words[word]).unescaped("\\", digits: 3, radix: 8) }
      let (root, point) = (name(3), name(4))
      if root == "/" { return point + (group == "/" ? "" : group) }
      if group == root { return point }
      if group.hasPrefix(root + "/") { return point + group.dropFirst(root.count) }
    }
    return nil
  }
}
