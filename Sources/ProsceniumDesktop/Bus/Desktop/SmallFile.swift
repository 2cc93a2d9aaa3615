import Glibc

/// Files of the desktop, as texts.
enum SmallFile {
  /// Larger ones are none of the desktop's.
  private static let mostBytes = 1 << 23

  /// The text of a regular file; nil where it cannot be read.
  static func read(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

  private static func bytes(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
      return nil
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= mostBytes {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// What could not be written, and why.
  struct Failure: Error {
    var path: String
    var reason: BusError
  }

  /// Makes or replaces files, all of them or none: whoever reads one finds the old text or the new one, never a part.
  static func write(_ files: [(text: String, path: String)]) throws(Failure) {
    var prepared: [(temporary: String, path: String, old: [UInt8]?)] = []
    defer { for file in prepared { unlink(file.temporary) } }
    for (number, (text, path)) in files.enumerated() {
      do throws(BusError) {
        prepared.append((try prepare(Array(text.utf8), for: path, number), path, bytes(path)))
      } catch {
        throw Failure(path: path, reason: error)
      }
    }
    for (index, file) in prepared.enumerated() where rename(file.temporary, file.path) != 0 {
      let reason = BusError(number: errno)
      for (_, path, old) in prepared[..<index] { restore(path, old, files.count) }
      throw Failure(path: file.path, reason: reason)
    }
  }

  /// Puts back what was there.
  private static func restore(_ path: String, _ old: [UInt8]?, _ number: Int) {
    guard let old, let temporary = try? prepare(old, for: path, number) else {
      unlink(path)
      return
    }
    if rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// Writes a file beside the one that it is to replace.
  private static func prepare(_ bytes: [UInt8], for path: String, _ number: Int) throws(BusError) -> String {
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    var made = ""
    for component in folder.split(separator: "/") {
      made += "/" + component
      if mkdir(made, 0o755) != 0, errno != EEXIST, access(made, F_OK) != 0 { throw BusError(number: errno) }
    }
    let temporary = "\(folder)/.proscenium-\(getpid())-\(number)"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BusError(number: errno) }
    var rest = bytes[...]
    var failure: Int32 = 0
    while !rest.isEmpty, failure == 0 {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure = errno }
    }
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    close(descriptor)
    guard failure != 0 else { return temporary }
    unlink(temporary)
    throw BusError(number: failure)
  }
}
