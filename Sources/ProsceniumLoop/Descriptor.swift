internal import Glibc

/// A file descriptor with one owner, closed when the value ends.
package struct Descriptor: ~Copyable, Sendable {
  /// The number; valid for as long as the value exists.
  package let number: Int32

  /// Takes over a descriptor that no other value owns.
  package init(owning number: Int32) { self.number = number }

  /// Opens a file without waiting, for this process alone.
  /// - Parameters:
  ///   - path: The file's path.
  ///   - flags: The flags of open(2), besides `O_CLOEXEC`, `O_NOCTTY` and `O_NONBLOCK`.
  ///   - mode: The permissions of a file that is created.
  /// - Throws: The error of open(2).
  package init(opening path: String, _ flags: Int32, mode: UInt32 = 0) throws(Errno) {
    let number = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
    guard number >= 0 else { throw .last }
    self.number = number
  }

  /// Makes another descriptor of the same open file, for this process alone.
  /// - Throws: The error of fcntl(2).
  package init(copying other: Int32) throws(Errno) {
    let number = fcntl(other, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw .last }
    self.number = number
  }

  deinit { close(number) }

  /// Ends the value without closing the descriptor.
  /// - Returns: The number, which the caller closes or gives to a function that closes it.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Reads a file from its beginning.
  /// - Parameter limit: The most bytes that are read.
  /// - Returns: The bytes.
  /// - Throws: The error of pread(2).
  package func contents(limit: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while bytes.count < limit {
      let count = pread(number, &buffer, min(buffer.count, limit - bytes.count), off_t(bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Writes bytes, in as many calls as it takes.
  /// - Throws: The error of write(2); part of the bytes may have been written.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw .last }
    }
  }
}
