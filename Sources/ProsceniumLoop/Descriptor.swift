import Glibc

/// A file descriptor with one owner, closed when the value ends.
package struct Descriptor: ~Copyable, Sendable {
  /// The number; valid for as long as the value exists.
  package let number: Int32

  /// Takes over a descriptor that no other value owns.
  package init(owning number: Int32) { self.number = number }

  /// Takes over what a system call has returned.
  /// - Throws: The error of the call, where it has returned no descriptor.
  package init(checking number: Int32) throws(Errno) {
    guard number >= 0 else { throw .last }
    self.number = number
  }

  /// Opens a file without waiting, for this process alone.
  /// - Parameters:
  ///   - path: The file's path.
  ///   - flags: The flags of open(2), besides `O_CLOEXEC`, `O_NOCTTY` and `O_NONBLOCK`.
  ///   - mode: The permissions of a file that is created.
  /// - Throws: The error of open(2).
  package init(opening path: String, _ flags: Int32, mode: UInt32 = 0) throws(Errno) {
    try self.init(checking: open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode))
  }

  /// Makes another descriptor of the same open file, for this process alone.
  /// - Throws: The error of fcntl(2).
  package init(copying other: Int32) throws(Errno) { try self.init(checking: fcntl(other, F_DUPFD_CLOEXEC, 0)) }

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
    // A page, which is enough for most files of the kernel: a larger buffer is as many pages of memory that stay.
    var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 12))
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
      if count == 0 { throw Errno(ENOSPC) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw .last }
    }
  }
}

/// The error of a system call (errno(3)).
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: Int32

  package init(_ code: Int32) { self.code = code }

  /// The error of the last call of this thread that failed.
  package static var last: Errno { Errno(errno) }

  package var description: String { String(cString: strerror(code)) }
}

/// The error of a file operation.
package enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error of a system call, as an `errno`.
  case system(Int32)
  /// The file is a directory, a link, a pipe, a socket or a device.
  case notAFile
  /// The file has this many bytes, which is more than the limit.
  case tooLarge(Int)
  /// Another user owns the file or the directory, or may write to it.
  case foreign

  package var description: String {
    switch self {
    case .system(let code): String(cString: strerror(code))
    case .notAFile: "it is not a regular file"
    case .tooLarge(let size): "it has \(size) bytes"
    case .foreign: "another user owns it, or may write to it"
    }
  }

  /// There is no file of that name.
  package static var missing: FileError { .system(ENOENT) }

  /// Whether the disk, or the user's part of it, is full.
  package var isDiskFull: Bool { self == .system(ENOSPC) || self == .system(EDQUOT) }
}

/// Files of the kernel, which are written anew for each reading.
package enum KernelFile {
  private static let mostBytes = 1 << 20

  /// The text of a file, at most 1 MiB of it; nil where it cannot be opened.
  package static func text(of path: String) -> String? {
    guard let file = try? Descriptor(opening: path, O_RDONLY) else { return nil }
    return text(of: file)
  }

  /// The text of a file that is open, at most 1 MiB of it.
  package static func text(of file: borrowing Descriptor) -> String {
    String(decoding: (try? file.contents(limit: mostBytes)) ?? [], as: UTF8.self)
  }

  /// The numbers among the names in a folder of `/proc`; none where it cannot be read.
  package static func numbers(in path: String) -> [Int32] { names(in: path).compactMap { Int32($0) } }

  /// The names in a folder; none where it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      // In place: a record may end before its name's 256 bytes.
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
        })
    }
    return names
  }
}

/// A mapping of memory with one owner, unmapped when the value ends (mmap(2)).
///
/// Sendable, because the pages belong to no thread, and every access has borrowed the one value.
package struct MemoryMapping: ~Copyable, @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  /// The size in bytes.
  package let count: Int

  /// Maps zeros for this process alone; nil where there is not as much memory.
  /// - Parameter count: The size in bytes.
  package init?(count: Int) { self.init(count, MAP_PRIVATE | MAP_ANONYMOUS, -1) }

  /// Maps a file, so that others see what is written; nil where that is not possible.
  /// - Parameters:
  ///   - file: The file, which may be closed afterwards.
  ///   - count: The size in bytes.
  package init?(sharing file: borrowing Descriptor, count: Int) { self.init(count, MAP_SHARED, file.number) }

  private init?(_ count: Int, _ flags: Int32, _ descriptor: Int32) {
    guard count > 0, let base = mmap(nil, count, PROT_READ | PROT_WRITE, flags, descriptor, 0), base != MAP_FAILED
    else {
      return nil
    }
    self.base = base
    self.count = count
  }

  deinit { munmap(base, count) }
}
