internal import Glibc
import ProsceniumLoop

/// The lock on a store's directory: held until the process ends or this object goes.
///
/// The kernel keeps it, so that no death leaves a lock behind. What stands in the file is for people, and for the
/// message of a second process.
final class StoreLock: Sendable {
  private let descriptor: Int32

  init(directory: Int32, path: String, display: String) throws(StoreError) {
    let name = StoreNames.lock
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = openat(directory, name, flags, 0o600)
    guard descriptor >= 0 else {
      throw StoreDirectory.unusable(path, "the file \"\(name)\" cannot be opened: \(FileError.system(errno))")
    }
    var status = stat()
    var problem: StoreError?
    if fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
      problem = StoreDirectory.unusable(path, "\"\(name)\" is not a regular file")
    } else {
      var result = flock(descriptor, LOCK_EX | LOCK_NB)
      while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX | LOCK_NB) }
      if result != 0 {
        problem =
          errno == EWOULDBLOCK
          ? Self.owner(descriptor)
          : StoreDirectory.unusable(path, "\"\(name)\" cannot be locked: \(FileError.system(errno))")
      }
    }
    if let problem {
      close(descriptor)
      throw problem
    }
    self.descriptor = descriptor
    // On a full disk the lock holds all the same.
    let text = "\(getpid()) \(Token.encode(display))\n"
    StandardError.withoutWriteSignals {
      if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.utf8.count, 0) }
    }
  }

  deinit { close(descriptor) }

  /// Who has the lock, as far as the file says.
  ///
  /// Whoever has just taken it may not have written so yet: then it is empty, or names a process that is gone.
  private static func owner(_ descriptor: Int32) -> StoreError {
    for _ in 0..<20 {
      if let (pid, display) = name(descriptor), kill(pid, 0) == 0 || errno == EPERM {
        return .owned(pid: Int(pid), display: display)
      }
      usleep(5000)
    }
    let last = name(descriptor)
    return .owned(pid: last.map { Int($0.pid) }, display: last?.display)
  }

  /// What the file says, which may be anything.
  private static func name(_ descriptor: Int32) -> (pid: pid_t, display: String?)? {
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let line = buffer.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    let tokens = line.split(separator: UInt8(ascii: " "))
    guard let first = tokens.first, let pid = pid_t(String(decoding: first, as: UTF8.self)), pid > 0 else { return nil }
    guard tokens.count > 1, case .some(.some(let display)) = Token.decode(tokens[1]) else { return (pid, nil) }
    return (pid, display)
  }
}
