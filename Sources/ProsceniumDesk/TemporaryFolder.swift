import CSystem
import FoundationEssentials
import Glibc

/// A folder that is there as long as this object is.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Makes a folder that only the user can enter.
  /// - Throws: ``DeskFailure`` where it cannot be made.
  public init() throws {
    var template = Array("/tmp/proscenium-tests.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw DeskFailure("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file or folder in here, whether it is there or not.
  /// - Parameter name: The path within the folder.
  /// - Returns: The path.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, with the folders that it lies in, and returns its path; a script can be run at once.
  /// - Parameters:
  ///   - name: The path within the folder.
  ///   - text: The text.
  ///   - mode: The permissions.
  /// - Returns: The path.
  /// - Throws: ``DeskFailure`` where that cannot be done.
  @discardableResult
  public func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws -> String {
    let target = file(name)
    let slash = target.lastIndex(of: "/") ?? target.startIndex
    try FileManager.default.createDirectory(atPath: String(target[..<slash]), withIntermediateDirectories: true)
    try write(text, to: target, mode: mode)
    if mode & 0o111 != 0 { try waitForWriters(of: target) }
    return target
  }

  private func write(_ text: String, to path: String, mode: UInt32) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw DeskFailure("open \(path): errno \(errno)") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw DeskFailure("write \(path): errno \(errno)")
    }
  }

  /// Copies a program into here, with the folders that the copy lies in, and returns its path; it can be run at once.
  ///
  /// `FileManager` copies with a descriptor that every process inherits which another thread starts meanwhile, and a
  /// server that was started so keeps the copy from being run for as long as it lives.
  package func copy(_ program: String, to name: String) throws -> String {
    let target = file(name)
    let slash = target.lastIndex(of: "/") ?? target.startIndex
    try FileManager.default.createDirectory(atPath: String(target[..<slash]), withIntermediateDirectories: true)
    try copyBytes(of: program, to: target)
    try waitForWriters(of: target)
    return target
  }

  private func copyBytes(of program: String, to target: String) throws {
    let (source, copy) = (open(program, O_RDONLY | O_CLOEXEC), open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0o755))
    defer {
      close(source)
      close(copy)
    }
    guard source >= 0, copy >= 0 else { throw DeskFailure("cannot open \(program) or \(target): errno \(errno)") }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(source, &buffer, buffer.count)
      if count == 0 { return }
      guard count > 0, Glibc.write(copy, buffer, count) == count else {
        throw DeskFailure("cannot copy \(program) to \(target): errno \(errno)")
      }
    }
  }

  /// Makes a folder in here that only its owner may enter, as `XDG_RUNTIME_DIR` has to be.
  package func folder(_ name: String) throws -> String {
    let target = file(name)
    guard mkdir(target, 0o700) == 0 || errno == EEXIST else { throw DeskFailure("mkdir \(target): errno \(errno)") }
    return target
  }

  /// The text of a file in here; empty where it cannot be read.
  /// - Parameter name: The path within the folder.
  /// - Returns: The text.
  public func read(_ name: String) -> String { text(of: file(name)) }
}

/// Waits until no process has a file open for writing, so that it can be run.
///
/// A process that another thread starts inherits the descriptor and has it until its `execve`; until then the file
/// cannot be run (`ETXTBSY`). A read lease is refused while there are writers (fcntl(2), `F_SETLEASE`).
package func waitForWriters(of path: String) throws {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw DeskFailure("open \(path): errno \(errno)") }
  defer { close(descriptor) }
  for _ in 0..<10_000 {
    // Where the file system has no leases, nothing can be asked.
    if fcntl(descriptor, linux_set_lease, Int32(F_RDLCK)) == 0 || errno != EAGAIN { return }
    usleep(1_000)
  }
  throw DeskFailure("\(path) is still open for writing in another process")
}

/// The bytes of a file from an offset on, or none where it cannot be read (yet).
package func contents(of path: String, from offset: Int = 0) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  lseek(descriptor, offset, SEEK_SET)
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count <= 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// The text of a file, or none where it cannot be read.
package func text(of path: String) -> String { String(decoding: contents(of: path), as: UTF8.self) }
