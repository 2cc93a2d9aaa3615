internal import Glibc
package import ProsceniumLoop

extension PosixFiles: DocumentFiles {
  package func status(_ name: String) throws(FileError) -> FileStatus {
    var status = stat()
    try Self.check(fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW))
    return FileStatus(
      identity: FileIdentity(
        device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int(status.st_size),
        modified: Self.nanoseconds(status.st_mtim), statusChanged: Self.nanoseconds(status.st_ctim)),
      links: Int(status.st_nlink), isFile: status.st_mode & S_IFMT == S_IFREG, isOwn: status.st_uid == geteuid(),
      isWritable: faccessat(directory.number, name, W_OK, AT_EACCESS) == 0)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  package var isWritable: Bool { faccessat(directory.number, ".", W_OK | X_OK, AT_EACCESS) == 0 }

  package func adopt(_ name: String, attributesOf original: String?) throws(FileError) {
    let file = try opened(name, O_RDONLY)
    guard let original else { return try Self.setMode(0o666 & ~Self.mask, of: file) }
    var status = stat()
    try Self.check(fstatat(directory.number, original, &status, AT_SYMLINK_NOFOLLOW))
    // The group first: that clears bits of the mode. Where the user is not in it, the mode must not give to another
    // group what was meant for this one.
    let keepsGroup = fchown(file.number, uid_t.max, status.st_gid) == 0
    // The group's bits of a file with an access control list are the most that the list gives to anybody (acl(5)).
    let keepsList = ExtendedAttributes.copy(from: try opened(original, O_RDONLY), to: file)
    try Self.setMode(status.st_mode & (keepsGroup && keepsList ? 0o7777 : 0o707), of: file)
  }

  /// File systems without permissions (FUSE, some of networks) refuse that: the file is its user's alone there, as it
  /// was made.
  private static func setMode(_ mode: mode_t, of file: borrowing Descriptor) throws(FileError) {
    guard fchmod(file.number, mode) != 0 else { return }
    let code = errno
    guard [ENOSYS, EOPNOTSUPP, EPERM].contains(code) else { throw .system(code) }
  }

  /// The process's mask of permissions (proc_pid_status(5)).
  ///
  /// umask(2) would change it meanwhile, for the files of other threads.
  private static var mask: mode_t {
    let line = KernelFile.text(of: "/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    return line?.split { $0.isWhitespace }.last.flatMap { mode_t($0, radix: 8) } ?? 0o077
  }

  package func overwrite(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    let file = try opened(name, O_WRONLY)
    try Self.write(bytes, to: file)
    try Self.check(ftruncate(file.number, off_t(bytes.count)))
  }
}

/// Where a document's file really is: the folder and the name, when all links have been followed.
package struct DocumentPlace: Hashable, Sendable {
  package let folder: String
  package let name: String
  package var path: String { folder == "/" ? "/" + name : folder + "/" + name }

  package init(folder: String, name: String) { (self.folder, self.name) = (folder, name) }

  /// The path itself, whatever link it is.
  package init(unfollowed path: String) {
    let (folder, name) = Self.split(path)
    self.init(folder: folder, name: name)
  }

  /// Follows the links of a path, the file's own too, be the file there or not.
  /// - Parameter path: An absolute path.
  /// - Throws: The error of the folder: ``FileError/missing`` where it is not there.
  package init(following path: String) throws(FileError) {
    var path = path
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    // As many as the kernel follows (path_resolution(7)).
    for _ in 0..<40 {
      let (folder, name) = Self.split(path)
      guard StoreNames.isFileName(name), let real = realpath(folder, nil) else {
        throw StoreNames.isFileName(name) ? .system(errno) : .notAFile
      }
      defer { free(real) }
      self.init(folder: String(cString: real), name: name)
      let count = readlink(self.path, &target, target.count)
      guard count > 0 else { return }
      let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = text.utf8.first == Self.slash ? text : self.folder + "/" + text
    }
    throw .system(ELOOP)
  }

  /// The same where folders of the path are gone: the links of those that are there are followed.
  package init(nearest path: String) {
    if let place = try? DocumentPlace(following: path) {
      self = place
      return
    }
    let (folder, name) = Self.split(path)
    self.init(folder: ["", "/"].contains(folder) ? folder : DocumentPlace(nearest: folder).path, name: name)
  }

  private static let slash = UInt8(ascii: "/")

  /// By bytes: a name may begin with what makes one character with the slash before it.
  private static func split(_ path: String) -> (folder: String, name: String) {
    var path = path.utf8[...]
    while path.count > 1, path.last == slash { path = path.dropLast() }
    guard let end = path.lastIndex(of: slash) else { return ("", "") }
    return (
      end == path.startIndex ? "/" : String(Substring(path[..<end])), String(Substring(path[path.index(after: end)...]))
    )
  }

  /// Opens the folder.
  package func open() throws(FileError) -> PosixFiles { try PosixFiles(path: folder) }
}

extension StoreNames {
  /// Whether a text can be the name of a file.
  static func isFileName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 255 && !text.utf8.contains(0)
      && !text.utf8.contains(UInt8(ascii: "/"))
  }
}
