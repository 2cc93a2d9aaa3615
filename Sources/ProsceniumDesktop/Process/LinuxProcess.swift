private import CSystem
private import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// The process itself, by the kernel and the C library.
package struct LinuxProcess: OwnProcess {
  package init() {}

  /// Reads `/proc/self/task/<id>/stat` (proc(5)); empty where `/proc` is not mounted.
  package func threadTimes() -> [Int32: ThreadTime] {
    let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    var times: [Int32: ThreadTime] = [:]
    for thread in KernelFile.numbers(in: "/proc/self/task") {
      let line = KernelFile.text(of: "/proc/self/task/\(thread)/stat")
      times[thread] = line.flatMap { Self.time(ofStat: $0, ticks: ticks) }
    }
    return times
  }

  /// Reads a line of `stat`: the name in parentheses, which may have any characters; the times are the 12th and 13th
  /// field after it.
  static func time(ofStat line: String, ticks: Double) -> ThreadTime? {
    guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close else { return nil }
    let fields = line[line.index(after: close)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
    return (name: String(line[line.index(after: open)..<close]), seconds: (user + system) / ticks)
  }

  package func trimMemory() { _ = linux_trim_memory(0) }
}
