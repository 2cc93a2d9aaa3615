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

  // Any byte but zero. Another allocator, such as a sanitizer's, does nothing of the kind.
  package func beginOverwritingFreedMemory() { _ = linux_set_malloc_option(linux_malloc_perturb, 0xA5) }

  // glibc keeps freed pieces of these sizes for each thread, 7 of a size, or 16 from 2.42 on. `M_PERTURB` passes over
  // them.
  package func overwriteFreedMemory() {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 16) { pieces in
      for size in stride(from: 24, through: 1032, by: 16) {
        for index in pieces.indices {
          let piece = malloc(size)
          if let piece { explicit_bzero(piece, size) }
          pieces.initializeElement(at: index, to: piece)
        }
        for piece in pieces { free(piece) }
      }
    }
  }

  package func exit(within time: Duration, status: Int32) {
    let step = Duration.milliseconds(250)
    let isLimited = DetachedThread.run(stackSize: 64 * 1024) {
      // Counted in steps, as the watchdog counts: while the process is stopped, or the machine sleeps, no time passes.
      for _ in 0..<Int((time / step).rounded(.up)) { usleep(UInt32(step / .microseconds(1))) }
      // To debug the end of a program takes longer.
      while KernelFile.text(of: "/proc/self/status")?.contains("TracerPid:\t0\n") == false { sleep(1) }
      StandardError.write(
        "Proscenium: the process still ran \(Int(time / .seconds(1))) s after the program was told of its end, and is ended. "
          + "A function that runs at its end, a thread or a disk holds it up: attach a debugger before to see which.")
      _exit(status)
    }
    if !isLimited { StandardError.write("Proscenium: no thread can be made, so that the process's end has no limit.") }
  }
}
