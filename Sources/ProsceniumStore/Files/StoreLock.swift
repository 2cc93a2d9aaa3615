internal import Glibc
import ProsceniumLoop

/// The lock on a store's directory: held until the process ends or this object goes.
///
/// The kernel holds it, so that no death leaves a lock behind. Locked are the file `lock` and the directory itself, of
/// which one is enough: whatever is in the way of the file keeps nobody from the sessions, and a file system of a
/// network may lock no directory. The file's text is for people, and for the message of a second process.
package final class StoreLock: Sendable {
  /// The file's descriptor; -1 where it cannot be opened.
  private let file: Int32
  /// Another descriptor of the directory; -1 where there is none.
  private let directory: Int32

  /// How long one waits for a process that is ending: each of its threads ends when the machine has time for it.
  package static let patience = Duration.seconds(10)
  /// How often one looks again for an owner that has not said yet who it is; a tenth of a second in all.
  private static let mostLooks = 20

  init(
    directory: borrowing Descriptor, path: String, display: String, patience: Duration = patience
  ) throws(StoreError) {
    var (own, whole) = (Errno(0), Errno(0))
    file = Self.openFile(in: directory.number, &own)
    self.directory = fcntl(directory.number, F_DUPFD_CLOEXEC, 0)
    if self.directory < 0 { whole = .last }
    try Self.wait(for: (file, self.directory), atMost: patience) { [file, other = self.directory] in
      // Both: another process may be able to open the file. In this order, so that one of two has both.
      if file >= 0 { own = Self.lock(file) }
      guard own.code != EWOULDBLOCK else { return false }
      if other >= 0 { whole = Self.lock(other) }
      guard whole.code == EWOULDBLOCK else { return true }
      if file >= 0 { flock(file, LOCK_UN) }
      return false
    }
    guard [own.code, whole.code].contains(0) else {
      let why = "its file \"\(StoreNames.lock)\" cannot be locked (\(own)), and neither can the directory (\(whole))"
      throw StoreDirectory.unusable(path, why)
    }
    guard own.code == 0 else { return }
    // On a full disk the lock holds all the same.
    let (number, text) = (file, LockText(own: display).line)
    StandardError.withoutWriteSignals {
      if ftruncate(number, 0) == 0 { _ = pwrite(number, text, text.utf8.count, 0) }
    }
  }

  deinit {
    for number in [file, directory] where number >= 0 {
      // Not by closing it alone: a child that is being started has it open until it executes its program.
      _ = flock(number, LOCK_UN)
      close(number)
    }
  }

  /// Opens the file.
  /// - Returns: Its descriptor; -1 where it cannot be opened, or is no regular file, with the error.
  private static func openFile(in directory: Int32, _ problem: inout Errno) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = openat(directory, StoreNames.lock, flags, 0o600)
    var status = stat()
    if number >= 0, fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return number }
    problem = number < 0 ? .last : Errno(EINVAL)
    if number >= 0 { close(number) }
    return -1
  }

  /// - Returns: The error; 0 for none.
  private static func lock(_ number: Int32) -> Errno {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      if errno != EINTR { return .last }
    }
    return Errno(0)
  }

  /// Takes a lock, unless a process has it that runs.
  ///
  /// A process that has just locked the file may not have written to it yet: then it is empty, or names a process that
  /// is gone, or of another machine. One that was killed has its lock until the last of its threads has ended, which
  /// may take seconds.
  /// - Parameters:
  ///   - files: The file and the directory, of which one is enough; -1 for one that cannot be opened.
  ///   - patience: The longest time to wait for an owner that is ending.
  ///   - pause: Waits until the next try.
  ///   - take: Tries to take the lock; false where another process has it.
  /// - Throws: The error for the second process, which names the process and the display as far as they are known.
  package static func wait(
    for files: (file: Int32, directory: Int32), atMost patience: Duration, pause: () -> Void = { usleep(5000) },
    until take: () -> Bool
  ) throws(StoreError) {
    guard !take() else { return }
    let end = MonotonicClock.now + patience
    var looks = 0
    repeat {
      let owner = text(of: files.file)
      // A number of another machine says nothing here.
      let machine = owner?.otherMachine(than: Machine.own)
      let process = machine == nil ? owner?.process : nil
      switch LockOwner.state(of: process, files: [files.file, files.directory]) {
      case .ending where MonotonicClock.now < end: break
      case .unknown where looks < mostLooks: looks += 1
      case .ending, .unknown, .running:
        throw .owned(pid: owner.map { Int($0.process) }, display: owner?.display, machine: machine)
      }
      pause()
    } while !take()
  }

  /// Reads the file, which may have any content.
  private static func text(of descriptor: Int32) -> LockText? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    return LockText(buffer.prefix(max(0, count)))
  }
}
