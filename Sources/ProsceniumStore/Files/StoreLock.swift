internal import Glibc
import ProsceniumLoop

/// The lock on a store's directory: held until the process ends or this object goes.
///
/// The kernel holds it, so that no death leaves a lock behind. The file's text is for people, and for the message of a
/// second process.
package final class StoreLock: Sendable {
  private let descriptor: Descriptor

  init(directory: borrowing Descriptor, path: String, display: String) throws(StoreError) {
    let name = StoreNames.lock
    func unusable(_ problem: String) -> StoreError { StoreDirectory.unusable(path, "the file \"\(name)\" \(problem)") }
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = openat(directory.number, name, flags, 0o600)
    guard number >= 0 else { throw unusable("cannot be opened: \(FileError.system(errno))") }
    descriptor = Descriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw unusable("is not a regular file")
    }
    var result = flock(number, LOCK_EX | LOCK_NB)
    while result != 0, errno == EINTR { result = flock(number, LOCK_EX | LOCK_NB) }
    if result != 0 {
      throw errno == EWOULDBLOCK ? Self.owner(number) : unusable("cannot be locked: \(FileError.system(errno))")
    }
    // On a full disk the lock holds all the same.
    let text = "\(getpid()) \(Token.encode(display))\n"
    StandardError.withoutWriteSignals {
      if ftruncate(number, 0) == 0 { _ = pwrite(number, text, text.utf8.count, 0) }
    }
  }

  /// Not by closing the file alone: a child that is being started has it open until it executes its program.
  deinit { _ = flock(descriptor.number, LOCK_UN) }

  /// The process that holds the lock, as far as the file says.
  ///
  /// A process that has just locked the file may not have written to it yet: then it is empty, or names a process that
  /// is gone.
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - wait: Waits until the file is read again, at most 20 times; a tenth of a second in all.
  /// - Returns: The error for the second process, which names the process and the display as far as they are known.
  package static func owner(_ descriptor: Int32, wait: () -> Void = { usleep(5000) }) -> StoreError {
    for _ in 0..<20 {
      if let (pid, display) = name(descriptor), kill(pid, 0) == 0 || errno == EPERM {
        return .owned(pid: Int(pid), display: display)
      }
      wait()
    }
    let last = name(descriptor)
    return .owned(pid: last.map { Int($0.pid) }, display: last?.display)
  }

  /// Reads the file, which may have any content.
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
