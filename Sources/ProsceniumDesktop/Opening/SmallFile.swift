import Glibc
import ProsceniumLoop

/// Files of the desktop environment.
enum SmallFile {
  /// Larger files are not the desktop environment's.
  private static let mostBytes = 1 << 23

  /// The text of a regular file; nil where it cannot be read.
  static func read(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = try? Descriptor(opening: path, O_RDONLY) else { return nil }
    var status = stat()
    guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
      return nil
    }
    return try? file.contents(limit: mostBytes)
  }

  /// The file that could not be written, and why.
  struct Failure: Error {
    var path: String
    var reason: Errno
  }

  /// Makes or replaces files, all of them or none.
  ///
  /// A reader finds the old text of a file or the new one, never a part.
  static func write(_ files: [(text: String, path: String)]) throws(Failure) {
    var prepared: [(temporary: String, path: String, old: [UInt8]?)] = []
    defer { for file in prepared { unlink(file.temporary) } }
    for (number, (text, path)) in files.enumerated() {
      do throws(Errno) {
        prepared.append((try prepare(Array(text.utf8), for: path, number), path, bytes(path)))
      } catch {
        throw Failure(path: path, reason: error)
      }
    }
    for (index, file) in prepared.enumerated() where rename(file.temporary, file.path) != 0 {
      let reason = Errno.last
      for (_, path, old) in prepared[..<index] { restore(path, old, files.count) }
      throw Failure(path: file.path, reason: reason)
    }
  }

  /// Writes the old contents of a file again.
  private static func restore(_ path: String, _ old: [UInt8]?, _ number: Int) {
    guard let old, let temporary = try? prepare(old, for: path, number) else {
      unlink(path)
      return
    }
    if rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// Writes a file beside the one that it is to replace.
  private static func prepare(_ bytes: [UInt8], for path: String, _ number: Int) throws(Errno) -> String {
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    var made = ""
    for component in folder.split(separator: "/") {
      made += "/" + component
      if mkdir(made, 0o755) != 0, errno != EEXIST, access(made, F_OK) != 0 { throw .last }
    }
    let temporary = "\(folder)/.proscenium-\(getpid())-\(number)"
    unlink(temporary)
    let file = try Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    do throws(Errno) {
      try file.write(bytes)
      guard fsync(file.number) == 0 else { throw .last }
    } catch {
      unlink(temporary)
      throw error
    }
    return temporary
  }
}
