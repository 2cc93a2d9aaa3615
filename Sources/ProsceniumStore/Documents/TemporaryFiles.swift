internal import Glibc
import ProsceniumLoop

/// What processes write until it takes the place of a file: hidden, with the process's number in its name, so that no
/// two write the same one, and what a killed one has left is known.
struct TemporaryFiles {
  private static let ending = ".proscenium-tmp"

  /// What their names begin with.
  private let stem: String

  /// - Parameter name: The file whose place they take.
  init(of name: String) {
    // Short enough for what follows.
    var short = name[...]
    while short.utf8.count > 200 { short = short.dropLast() }
    stem = ".\(short)."
  }

  /// A name, which is another one with each call.
  /// - Parameter process: The process that writes.
  /// - Returns: The name.
  func next(_ process: pid_t) -> String {
    // Which nobody knows: in a folder of all (/tmp) another user could take the name first, and keep it.
    let number = UInt64.random(in: 0 ... .max)
    return "\(stem)\(process)-\(number)\(Self.ending)"
  }

  /// Removes those of the file that processes have left which were killed while they wrote.
  func removeLeft(in files: any StoreFiles) { Self.removeLeft(in: files) { $0 == stem } }

  /// The same of all files, in a folder that is the program's own.
  static func removeAllLeft(in files: any StoreFiles) { removeLeft(in: files) { $0.utf8.first == UInt8(ascii: ".") } }

  private static func removeLeft(in files: any StoreFiles, _ isOwn: (Substring) -> Bool) {
    for name in (try? files.names()) ?? [] {
      guard let (stem, process) = parts(of: name), isOwn(stem), kill(process, 0) != 0, errno == ESRCH else { continue }
      _ = try? files.removeIfThere(name)
    }
  }

  /// What a name begins with, and the process in it; nil for one that is not of this form.
  private static func parts(of name: String) -> (stem: Substring, process: pid_t)? {
    guard name.hasSuffix(ending) else { return nil }
    let rest = name.dropLast(ending.count)
    guard let dot = rest.lastIndex(of: ".") else { return nil }
    let numbers = rest[rest.index(after: dot)...].split(separator: "-", omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard numbers.count == 2, numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { digits.contains($0) } }),
      let process = pid_t(numbers[0]), process > 0
    else { return nil }
    return (rest[...dot], process)
  }
}
