import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Finds the application that a process belongs to, by what its sandbox, its launcher and the kernel say of it, and
/// never by what the process says.
///
/// In this order: the control group, which snapd, Flatpak and the desktop environments name after the application
/// (systemd, "Desktop Environment Integration": `app-...-ID-RANDOM.scope`); and the executable, where it is this
/// program's own and has the library in it: an interpreter, which loads the library, runs the scripts of many programs.
/// Where the process's root has Flatpak's `.flatpak-info`, that has to name the same application: any process can enter
/// a root that it has made, and a Flatpak without systemd is in its launcher's group. In a Flatpak of its own this
/// program sees other processes than the bus does, and finds none.
struct CallerApplication: Hashable, Sendable {
  /// The folder of the processes: `/proc`.
  let folder: String
  /// This program's id.
  let ownIdentifier: String
  /// Whether this program's executable is of no other program.
  var ownsExecutable = Self.isInExecutable

  private static let mostBytes = 64 * 1024
  private static let flatpakFile = ".flatpak-info"

  /// The application's id: the desktop entry's name without `.desktop`; nil where it is unknown.
  /// - Parameter process: The process, as the bus names it.
  /// - Returns: The id.
  func identifier(of process: Int) -> String? {
    let path = "\(folder)/\(process)"
    guard belongsToUser(path), !isSandboxed else { return nil }
    let unit = text(of: "\(path)/cgroup").flatMap(Self.controlGroup)
    let sandbox = "\(path)/root/\(Self.flatpakFile)"
    if access(sandbox, F_OK) == 0 { return text(of: sandbox).flatMap(Self.flatpak) == unit ? unit : nil }
    return unit ?? (ownsExecutable && hasOwnExecutable(path) ? ownIdentifier : nil)
  }

  /// Whether this process is in a Flatpak.
  var isSandboxed: Bool { access("\(folder)/self/root/\(Self.flatpakFile)", F_OK) == 0 }

  /// The application that this process belongs to by its control group; nil where that names none.
  var ownControlGroup: String? { text(of: "\(folder)/self/cgroup").flatMap(Self.controlGroup) }

  /// Reads `.flatpak-info` (flatpak-metadata(5)): `name` of the group `[Application]`.
  static func flatpak(_ text: String) -> String? {
    var isApplication = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") {
        isApplication = line == "[Application]"
      } else if isApplication, line.hasPrefix("name=") {
        return valid(String(line.dropFirst(5)))
      }
    }
    return nil
  }

  /// Reads a process's `cgroup` (cgroups(7)): the innermost unit that is named after an application.
  ///
  /// What a terminal runs is in a unit without a name within the terminal's, and belongs to the terminal.
  static func controlGroup(_ text: String) -> String? {
    for line in text.split(separator: "\n") {
      // The number of the hierarchy, its controllers, and the path.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[1].isEmpty || fields[1] == "name=systemd" else { continue }
      let units = fields[2].split(separator: "/").reversed()
      if let found = units.lazy.compactMap({ snap($0) ?? unit($0) }).first { return found }
    }
    return nil
  }

  /// `snap.NAME.APP.UUID.scope` or `snap.NAME.APP-UUID.scope`, also of services: the entry is `NAME_APP.desktop`.
  private static func snap(_ unit: Substring) -> String? {
    let words = unit.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count >= 4, words[0] == "snap", words[2] != "hook" else { return nil }
    var name = words[2]
    // A random number of 36 characters, of which four are hyphens (snapd, `systemd.RunningSnapScope`).
    if name.utf8.count > 37, name.suffix(36).filter({ $0 == "-" }).count == 4, name.dropLast(36).last == "-" {
      name = name.dropLast(37)
    }
    return valid("\(words[1])_\(name)")
  }

  /// `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service`, `app[-LAUNCHER]-ID[-RANDOM].slice`, and
  /// `dbus-...-NAME@NUMBER.service` of the bus; hyphens of the id are `\x2d`.
  private static func unit(_ unit: Substring) -> String? {
    guard let dot = unit.lastIndex(of: ".") else { return nil }
    let name = unit[..<dot].prefix { $0 != "@" }
    var words = name.split(separator: "-", omittingEmptySubsequences: false)
    let (first, kind) = (words.removeFirst(), unit[unit.index(after: dot)...])
    switch (first, kind) {
    case ("app", "service"), ("dbus", "service"): break
    case ("app", "scope"): words = words.dropLast()
    // The number is not always there; an id without a dot before one cannot be told from a launcher's name.
    case ("app", "slice"): if let last = words.last, !last.contains("."), words.count > 1 { words.removeLast() }
    case _: return nil
    }
    return words.last.flatMap {
      valid($0.split(separator: #"\x2d"#, omittingEmptySubsequences: false).joined(separator: "-"))
    }
  }

  private static func valid(_ name: String) -> String? {
    let isValid = name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._-".utf8.contains($0) }
    return isValid && (1...255).contains(name.utf8.count) ? name : nil
  }

  private func belongsToUser(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_uid == geteuid()
  }

  /// Whether the library is a part of the executable, and no shared object of its own.
  ///
  /// Of a program without any shared object the C library finds neither.
  private static let isInExecutable: Bool = {
    var (own, program) = (linux_symbol(), linux_symbol())
    let headers = UnsafeRawPointer(bitPattern: linux_auxiliary_value(linux_program_headers))
    guard linux_symbol_at(#dsohandle, &own) != 0, linux_symbol_at(headers, &program) != 0 else { return true }
    return own.base == program.base
  }()

  private func hasOwnExecutable(_ path: String) -> Bool {
    var (own, other) = (stat(), stat())
    return stat("\(folder)/self/exe", &own) == 0 && stat("\(path)/exe", &other) == 0
      && own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  /// Reads a small regular file; another process decides what is there.
  private func text(of path: String) -> String? {
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY) else { return nil }
    var status = stat()
    guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let bytes = try? file.contents(limit: Self.mostBytes)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
