internal import Glibc
package import ProsceniumLoop

/// The files of a real directory.
///
/// Every call goes through the directory's descriptor and follows no link, so that what another program puts there can
/// neither lead elsewhere nor make a call wait.
package final class PosixFiles: StoreFiles {
  private let directory: Int32

  /// Takes a directory's descriptor over; it is closed with this object.
  package init(directory: Int32) { self.directory = directory }

  /// Opens an existing directory.
  package convenience init(path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno) }
    self.init(directory: descriptor)
  }

  deinit { close(directory) }

  package func names() throws(FileError) -> [String] {
    let descriptor = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno) }
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw .system(code)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(validatingCString: $0)
        }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw .system(errno) }
    return names
  }

  package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
    let (descriptor, size) = try opened(name, O_RDONLY)
    defer { close(descriptor) }
    guard size <= limit else { throw .tooLarge(size) }
    // One byte more than there should be: a single call then both reads the file and finds its end.
    let capacity = size + 1
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < capacity, let base = buffer.baseAddress {
        let got = Glibc.read(descriptor, base + count, capacity - count)
        if got > 0 { count += got }
        if got < 0, errno != EINTR {
          code = errno
          break
        }
        if got == 0 || count == size { break }
      }
    }
    guard code == 0 else { throw .system(code) }
    return bytes
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    var descriptor = openat(directory, name, flags, 0o600)
    if descriptor < 0, errno == EEXIST {
      try remove(name)
      descriptor = openat(directory, name, flags, 0o600)
    }
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    try Self.put(bytes, to: descriptor)
  }

  package func append(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    let (descriptor, _) = try opened(name, O_WRONLY | O_APPEND | O_CREAT)
    defer { close(descriptor) }
    try Self.put(bytes, to: descriptor)
  }

  package func sync(_ name: String) throws(FileError) {
    let (descriptor, _) = try opened(name, O_RDONLY)
    defer { close(descriptor) }
    try Self.check(fsync(descriptor))
  }

  package func rename(_ name: String, to new: String) throws(FileError) {
    try Self.check(renameat(directory, name, directory, new))
  }

  package func remove(_ name: String) throws(FileError) { try Self.check(unlinkat(directory, name, 0)) }

  package func syncDirectory() throws(FileError) { try Self.check(fsync(directory)) }

  /// A regular file's descriptor and size.
  ///
  /// A pipe without a writer would be waited for: hence `O_NONBLOCK`.
  private func opened(_ name: String, _ flags: Int32) throws(FileError) -> (descriptor: Int32, size: Int) {
    let descriptor = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else {
      switch errno {
      // A link, a directory to write to, a socket or a pipe that nobody reads.
      case ELOOP, EISDIR, ENXIO: throw .notAFile
      case let code: throw .system(code)
      }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .system(code)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notAFile
    }
    return (descriptor, Int(status.st_size))
  }

  private static func put(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let (written, code) = StandardError.withoutWriteSignals {
        let written = bytes.withUnsafeBytes { buffer in
          buffer.baseAddress.map { Glibc.write(descriptor, $0 + done, bytes.count - done) } ?? 0
        }
        return (written, errno)
      }
      if written > 0 {
        done += written
      } else if written == 0 {
        throw .system(ENOSPC)
      } else if code != EINTR {
        throw .system(code)
      }
    }
  }

  private static func check(_ result: Int32) throws(FileError) {
    guard result == 0 else { throw .system(errno) }
  }
}
