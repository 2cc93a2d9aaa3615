import Glibc

/// The one owner of a descriptor; closed when it goes.
package final class KernelFile {
  package let descriptor: Int32

  /// Takes a descriptor over.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Opens a file; nil, and `errno`, where that cannot be done.
  package init?(_ path: String, _ flags: Int32) {
    let descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// What a small file says, from its beginning; the kernel writes it anew for each reading.
  package var text: String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var end = 0
    while end < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + end }, $0.count - end, off_t(end))
      }
      guard count > 0 else { break }
      end += count
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Throws away what there is to read; whether there was something, and whether nothing will ever come again.
  package func drain() -> (hasRead: Bool, hasEnded: Bool) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var hasRead = false
    // A writer that never stops must not keep the loop here.
    for _ in 0..<64 {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return (hasRead, count == 0) }
      hasRead = true
    }
    return (hasRead, false)
  }

  /// Whether it has failed, or has nothing to be waited for.
  package var hasFailed: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
    return poll(&entry, 1, 0) > 0 && Int32(entry.revents) & Int32(POLLERR) != 0
  }

  /// Writes all of it in one call; false, and `errno`, where that cannot be done.
  package func write(_ bytes: [UInt8]) -> Bool { Glibc.write(descriptor, bytes, bytes.count) == bytes.count }

  package static func text(of path: String) -> String? { KernelFile(path, O_RDONLY)?.text }
}

/// What the last call said was wrong.
package func lastError() -> String { String(cString: strerror(errno)) }
