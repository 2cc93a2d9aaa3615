import FoundationEssentials
import Glibc
import Proscenium

/// Files: read and written as a whole, so that a note on disk is always the old one or the new one.
enum Documents {
  /// A failed operation, its file, and the reason.
  struct Failure: Error {
    let text: String
    init(_ action: String, _ path: String, because reason: String = String(cString: strerror(errno))) {
      // The path comes last: where the row is too short for all of it, people still read why.
      text = "Cannot be \(action) (\(reason)): \(path)"
    }
  }

  /// A document of more is no note: the demo keeps all of it in memory, and writes all of it.
  static let sizeLimit = 4 << 20

  /// Where notes are kept that the user has not saved elsewhere.
  @MainActor static func folder() throws(Failure) -> String {
    do { return try Application.shared.directories.support.path } catch {
      throw Failure("kept", "the note", because: "\(error)")
    }
  }

  /// The path of the unsaved text of a session's note.
  @MainActor static func autosave(of session: String) throws(Failure) -> String {
    try folder() + "/autosave/\(session).txt"
  }

  /// One name for a file, whichever way it was given.
  static func canonical(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The text of a file; nil where there is no such file.
  static func read(_ path: String, limit: Int = sizeLimit) throws(Failure) -> String? {
    // A pipe in the file's place must not block.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw Failure("read", path)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Failure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("read", path, because: "it is not a file") }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure("read", path) }
      if count == 0 { break }
      bytes += part[..<count]
      guard bytes.count <= limit else {
        throw Failure("read", path, because: "it is larger than \(limit >> 20) MB")
      }
    }
    // Saving a repaired text would lose the unreadable bytes.
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("read", path, because: "it is not UTF-8 text")
    }
    return text
  }

  /// Replaces a file, or makes it and its folder.
  ///
  /// A file that exists keeps its permissions.
  static func write(_ text: String, to path: String, permissions: mode_t = 0o666) throws(Failure) {
    let temporary = try writeTemporary(text, for: path, permissions)
    guard rename(temporary, path) == 0 else {
      let failure = Failure("written", path)
      unlink(temporary)
      throw failure
    }
    syncFolder(of: path)
  }

  /// Makes a file with the first free name `Untitled N.txt`, and returns its path.
  @MainActor static func create(_ text: String) throws(Failure) -> String {
    let folder = try folder()
    let temporary = try writeTemporary(text, for: folder + "/Untitled.txt", 0o666)
    defer { unlink(temporary) }
    for number in 1...9999 {
      let path = folder + "/Untitled \(number).txt"
      // Unlike a renaming, a link replaces no file.
      if link(temporary, path) == 0 {
        syncFolder(of: path)
        return path
      }
      guard errno == EEXIST else { throw Failure("written", path) }
    }
    throw Failure("written", folder + "/Untitled.txt", because: "there are 9999 of them")
  }

  static func remove(_ path: String) { unlink(path) }

  /// Gives a file that cannot be read another name, so that nothing is written over it.
  static func setAside(_ path: String) { rename(path, path + ".damaged") }

  private static func writeTemporary(
    _ text: String, for path: String, _ permissions: mode_t
  ) throws(Failure) -> String {
    makeFolder(parent(of: path))
    let temporary = parent(of: path) + "/.notes-" + (path.split(separator: "/").last ?? "") + "~"
    // One that a crash left behind.
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    guard file >= 0 else { throw Failure("written", path) }
    var status = stat()
    if stat(path, &status) == 0 { fchmod(file, status.st_mode & 0o777) }
    let isWritten = writeAll(Array(text.utf8), to: file) && fsync(file) == 0
    let failure = Failure("written", path)
    close(file)
    guard isWritten else {
      unlink(temporary)
      throw failure
    }
    return temporary
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// A failure shows in the write that follows.
  private static func makeFolder(_ path: String) {
    guard access(path, F_OK) != 0, path != "/" else { return }
    makeFolder(parent(of: path))
    mkdir(path, 0o700)
  }

  /// The new name survives a power cut too.
  private static func syncFolder(of path: String) {
    let folder = open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}
