internal import Glibc
import ProsceniumLoop

/// What processes write until it takes the place of a file: hidden, with the process's number in its name, so that no
/// two write the same one, and what a killed one has left is known.
struct TemporaryFiles {
  private static let ending = ".proscenium-tmp"
  /// The age in nanoseconds from which a file is left over that a process elsewhere has written: longer than any save.
  private static let mostAge: Int64 = 24 * 3600 * 1_000_000_000

  /// Says in a name where the number of its process has a meaning.
  ///
  /// That is the process's namespace (pid_namespaces(7)), until the machine's next start. Where these cannot be told,
  /// each process has another one.
  private static let origin: UInt32 = {
    var space = stat()
    guard let start = KernelFile.text(of: "/proc/sys/kernel/random/boot_id"), stat("/proc/self/ns/pid", &space) == 0
    else { return .random(in: 0 ... .max) }
    return UInt32(truncatingIfNeeded: Checksum("\(start)\(space.st_ino)".utf8).value)
  }()

  /// What their names begin with.
  private let stem: String

  /// - Parameter name: The file whose place they take.
  init(of name: String) {
    // Short enough for what follows, also where a name has 143 bytes at most (eCryptfs).
    var short = name[...]
    while short.utf8.count > 80 { short = short.dropLast() }
    stem = ".\(short)."
  }

  /// A name, which is another one with each call.
  /// - Parameter process: The process that writes.
  /// - Returns: The name.
  func next(_ process: pid_t) -> String {
    // A half that nobody knows: in a folder of all (/tmp) another user could take the name first, and keep it.
    let number = UInt64(Self.origin) << 32 | UInt64(UInt32.random(in: 0 ... .max))
    return "\(stem)\(process)-\(number)\(Self.ending)"
  }

  /// Removes those of the file that processes have left which were killed while they wrote.
  ///
  /// One that is written on another machine, in a container or before the machine's last start goes once it is a day
  /// old: its process is not seen from here, and may be writing.
  func removeLeft(in files: any DocumentFiles) { Self.removeLeft(in: files) { $0 == stem } }

  /// The same of all files, in a folder that is the program's own.
  static func removeAllLeft(in files: any DocumentFiles) {
    removeLeft(in: files) { $0.utf8.first == UInt8(ascii: ".") }
  }

  private static func removeLeft(in files: any DocumentFiles, _ isOwn: (Substring) -> Bool) {
    for name in (try? files.names()) ?? [] {
      guard let (stem, process, origin) = parts(of: name), isOwn(stem) else { continue }
      let isLeft = origin == Self.origin ? kill(process, 0) != 0 && errno == ESRCH : isOld(name, files)
      if isLeft { _ = try? files.removeIfThere(name) }
    }
  }

  private static func isOld(_ name: String, _ files: any DocumentFiles) -> Bool {
    guard let modified = try? files.status(name).identity.modified else { return false }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return modified < Int64(now.tv_sec) * 1_000_000_000 - mostAge
  }

  /// What a name begins with, the process in it, and where that is; nil for one that is not of this form.
  private static func parts(of name: String) -> (stem: Substring, process: pid_t, origin: UInt32?)? {
    guard name.hasSuffix(ending) else { return nil }
    let rest = name.dropLast(ending.count)
    guard let dot = rest.lastIndex(of: ".") else { return nil }
    let numbers = rest[rest.index(after: dot)...].split(separator: "-", omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard numbers.count == 2, numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { digits.contains($0) } }),
      let process = pid_t(numbers[0]), process > 0
    else { return nil }
    return (rest[...dot], process, UInt64(numbers[1]).map { UInt32($0 >> 32) })
  }
}
