import Glibc
import ProsceniumLoop

/// The kernel's view of this process.
enum ProcessStatus {
  /// The time for which the process had run at a moment.
  /// - Parameters:
  ///   - uptime: The moment, as the machine's uptime (`CLOCK_BOOTTIME`).
  ///   - now: The same on the clock that stands still while the machine sleeps, which the age is not more than.
  /// - Returns: The time in nanoseconds; 0 if unknown.
  static func age(at uptime: UInt64, now: UInt64) -> UInt64 {
    let ticks = sysconf(Int32(_SC_CLK_TCK))
    guard ticks > 0, let started = startTicks(in: KernelFile.text(of: "/proc/self/stat") ?? "") else { return 0 }
    let start = started * (1_000_000_000 / UInt64(ticks))
    return uptime > start ? min(uptime - start, now) : 0
  }

  /// Whether a debugger traces the process.
  static var isTraced: Bool { tracer(in: KernelFile.text(of: "/proc/self/status") ?? "") != 0 }

  /// The 22nd field of `/proc/self/stat` (proc(5)); the second is a name in brackets that may contain any character.
  static func startTicks(in text: String) -> UInt64? {
    // By bytes: every launch comes here.
    guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text.utf8[end...].dropFirst().split(separator: UInt8(ascii: " "), maxSplits: 20)
    return fields.count > 19 ? UInt64(Substring(fields[19])) : nil
  }

  static func tracer(in text: String) -> Int { field("TracerPid:", in: text).flatMap { Int($0) } ?? 0 }

  /// Whether a thread blocks a signal (proc_pid_status(5), `SigBlk`).
  static func blocks(_ thread: Int32, _ signal: Int32) -> Bool {
    let word = field("SigBlk:", in: KernelFile.text(of: "/proc/self/task/\(thread)/status") ?? "")
    guard let mask = word.flatMap({ UInt64($0, radix: 16) }), (1...64).contains(signal) else { return false }
    return mask & 1 << UInt64(signal - 1) != 0
  }

  /// The value of a line of a status file.
  private static func field(_ name: String, in text: String) -> Substring? {
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.dropFirst(name.count).drop { $0 == "\t" || $0 == " " }
  }
}
