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
    if isThere, !isZombie(process), hasOpen(process, files) != false { return .running }
    // Without the kernel's word it never was the owner: those of a container have numbers of their own.
    return holds(process, files) ? .ending : .unknown
  }

  private static func status(_ file: Int32) -> stat? {
    var status = stat()
    return file >= 0 && fstat(file, &status) == 0 ? status : nil
  }

  /// Whether the process's first thread has ended, whatever the others do.
  private static func isZombie(_ process: pid_t) -> Bool {
    // The name before it may have any characters.
    let rest = KernelFile.text(of: "/proc/\(process)/stat")?.split(separator: ")").last
    return rest?.first { $0 != " " }.map { "ZXx".contains($0) } ?? false
  }

  /// Whether the process has one of the files open; nil where that cannot be seen.
  private static func hasOpen(_ process: pid_t, _ files: [stat]) -> Bool? {
    let folder = "/proc/\(process)/fd"
    let numbers = KernelFile.numbers(in: folder)
    guard !numbers.isEmpty else { return nil }
    return numbers.contains { number in
      var other = stat()
      guard stat("\(folder)/\(number)", &other) == 0 else { return false }
      return files.contains { $0.st_ino == other.st_ino && $0.st_dev == other.st_dev }
    }
  }

  /// Whether the kernel has a lock of the process on one of the files.
  ///
  /// Their devices are not compared: Btrfs has others in this list.
  private static func holds(_ process: pid_t, _ files: [stat]) -> Bool {
    // `2: FLOCK  ADVISORY  WRITE 4711 fe:00:16236965 0 EOF`; those that wait have an arrow before their kind.
    (KernelFile.text(of: "/proc/locks") ?? "").split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK", words[4] == "\(process)" else { return false }
      return files.contains { words[5].hasSuffix(":\($0.st_ino)") }
    }
  }
}
