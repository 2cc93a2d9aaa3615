internal import Glibc
import ProsceniumLoop

/// What has become of the process that a lock's file names, as the kernel tells (proc(5)).
enum LockOwner {
  enum State {
    case running
    /// It was killed, and the kernel has not released its lock yet.
    case ending
    /// There is no such process here: it has not said yet who it is, has ended meanwhile, or has another number there.
    case unknown
  }

  /// Looks at a process that is said to have a lock.
  /// - Parameters:
  ///   - process: Its number, which may be wrong, or another process's by now; nil where none is known.
  ///   - files: The files that are locked; -1 for none.
  /// - Returns: Its state.
  static func state(of process: pid_t?, files: [Int32]) -> State {
    guard let process else { return .unknown }
    let isThere = kill(process, 0) == 0 || errno == EPERM
    let files = files.compactMap(status)
    // One without the file is another process by now, whose number it was; that one may have left its lock to a child.
    let line = KernelFile.text(of: "/proc/\(process)/stat") ?? ""
    if isThere, !isEnding(line), hasLock(process, files) != false { return .running }
    // Without the kernel's word it never was the owner: those of a container have numbers of their own.
    return holds(process, files) ? .ending : .unknown
  }

  private static func status(_ file: Int32) -> stat? {
    var status = stat()
    return file >= 0 && fstat(file, &status) == 0 ? status : nil
  }

  /// Whether the process's first thread has ended, ends, or is to be killed, whatever the others do.
  /// - Parameter status: Its `/proc/<number>/stat`.
  /// - Returns: Whether it is ending; false where the text does not say.
  static func isEnding(_ status: String) -> Bool {
    // The name before the state may have any characters.
    let words = status.split(separator: ")").last?.split(separator: " ") ?? []
    func bits(_ place: Int) -> UInt64 { words.count > place ? UInt64(words[place]) ?? 0 : 0 }
    // The flag PF_EXITING (include/linux/sched.h), and SIGKILL among the pending signals.
    return ["Z", "X", "x"].contains(words.first) || bits(6) & 4 != 0 || bits(28) & 1 << UInt64(SIGKILL - 1) != 0
  }

  /// Whether a descriptor of the process has a lock on one of the files; nil where that cannot be seen.
  ///
  /// The files themselves are not looked at: others of the process may be on a disk that hangs.
  private static func hasLock(_ process: pid_t, _ files: [stat]) -> Bool? {
    let folder = "/proc/\(process)/fdinfo"
    let numbers = KernelFile.numbers(in: folder)
    guard !numbers.isEmpty else { return nil }
    // `lock:   1: FLOCK  ADVISORY  WRITE 4711 fe:00:16236965 0 EOF`
    return numbers.contains { number in
      let lines = (KernelFile.text(of: "\(folder)/\(number)") ?? "").split(separator: "\n")
      return lines.contains { line in line.hasPrefix("lock:") && isOn(line.split(separator: " ").dropFirst(), files) }
    }
  }

  /// Whether a lock as the kernel lists it is on one of the files.
  ///
  /// Their devices are not compared: Btrfs has others in this list.
  private static func isOn(_ words: some Collection<Substring>, _ files: [stat]) -> Bool {
    words.contains("FLOCK") && words.contains { word in files.contains { word.hasSuffix(":\($0.st_ino)") } }
  }

  /// Whether the kernel has a lock of the process on one of the files.
  private static func holds(_ process: pid_t, _ files: [stat]) -> Bool {
    // `2: FLOCK  ADVISORY  WRITE 4711 fe:00:16236965 0 EOF`; those that wait have an arrow before their kind.
    (KernelFile.text(of: "/proc/locks") ?? "").split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK", words[4] == "\(process)" else { return false }
      return isOn([words[1], words[5]], files)
    }
  }
}
