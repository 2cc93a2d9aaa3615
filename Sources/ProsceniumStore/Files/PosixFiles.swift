internal import CSystem
internal import Glibc
package import ProsceniumLoop
internal import Synchronization

/// The files of a real directory.
///
/// Every call goes through the directory's descriptor and follows no link, so that a file of another program can
/// neither lead elsewhere nor make a call wait. For any thread.
package final class PosixFiles: StoreFiles {
  /// A file that is kept open, and its identity.
  private struct OpenFile: ~Copyable {
    let descriptor: Descriptor
    let identity: Identity
  }

  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t

    init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
  }

  let directory: Descriptor
  /// The users whose files are read; those of any user where nil.
  private let owners: Set<uid_t>?
  /// The journal, whose lines follow each other.
  private let journal = Mutex<OpenFile?>(nil)

  /// Takes over a directory's descriptor.
  package init(directory: consuming Descriptor) {
    self.directory = directory
    owners = nil
  }

  /// Takes over a directory's descriptor, for files that nobody but some users can have written.
  init(directory: consuming Descriptor, owners: Set<uid_t>?) throws(FileError) {
    try Self.check(owners, of: try Self.status(directory))
    self.directory = directory
    self.owners = owners
  }

  private static func check(_ owners: Set<uid_t>?, of status: stat) throws(FileError) {
    guard let owners else { return }
    guard owners.contains(status.st_uid), status.st_mode & S_IWOTH == 0 else { throw .foreign }
  }

  /// Opens an existing directory.
  package convenience init(path: String) throws(FileError) {
    self.init(directory: try Self.descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)))
  }

  package func names() throws(FileError) -> [String] {
    let own = try Self.descriptor(openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard let stream = fdopendir(own.number) else { throw .system(errno) }
    // The stream closes the descriptor.
    _ = own.release()
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
    try start(of: name, limit: limit, count: .max).bytes
  }

  package func start(
    of name: String, limit: Int, count most: Int
  ) throws(FileError) -> (bytes: [UInt8], size: Int) {
    var status = stat()
    let descriptor = try opened(name, O_RDONLY, &status)
    let size = Int(status.st_size)
    guard size <= limit else { throw .tooLarge(size) }
    // One byte more than there should be: a single call then both reads the file and finds its end.
    let capacity = min(size + 1, most)
    // An array made with no capacity sets the count of the empty array, which all threads share.
    guard capacity > 0 else { return ([], size) }
    let number = descriptor.number
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < capacity, let base = buffer.baseAddress {
        let got = Glibc.read(number, base + count, capacity - count)
        if got > 0 { count += got }
        if got < 0, errno != EINTR {
          code = errno
          break
        }
        if got == 0 || count == size { break }
      }
    }
    guard code == 0 else { throw .system(code) }
    // A file may have grown meanwhile, or shrunk: then what is there are not the first bytes of a larger one.
    return (bytes, bytes.count < capacity ? bytes.count : max(size, bytes.count))
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    var number = openat(directory.number, name, flags, 0o600)
    if number < 0, errno == EEXIST {
      try remove(name)
      number = openat(directory.number, name, flags, 0o600)
    }
    try Self.write(bytes, to: try Self.descriptor(number))
  }

  package func append(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    // A picture that is removed while it is open would keep its place on the disk.
    guard name == StoreNames.journal else { return try Self.write(bytes, to: try appending(name)) }
    // Taken out, so that no thread waits for another one's write.
    if let last = journal.withLock({ $0.take() }), identity(of: name) == last.identity {
      try write(bytes, toJournal: last)
    } else {
      let descriptor = try appending(name)
      let identity = Identity(try Self.status(descriptor))
      try write(bytes, toJournal: OpenFile(descriptor: descriptor, identity: identity))
    }
  }

  private func write(_ bytes: [UInt8], toJournal file: consuming OpenFile) throws(FileError) {
    try Self.write(bytes, to: file.descriptor)
    var file: OpenFile? = file
    // Another thread's is closed after the lock.
    journal.withLock { swap(&$0, &file) }
  }

  /// Which file has a name now: it may have been renamed or replaced.
  private func identity(of name: String) -> Identity? {
    var status = stat()
    return fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? Identity(status) : nil
  }

  package func appender(_ name: String) -> Descriptor? { try? appending(name) }

  /// Opens a file to append to.
  ///
  /// A file that is there without `O_CREAT`: with it the kernel waits for the lock of the directory, which a rename or
  /// an unlink on another thread holds for as long as the disk hangs.
  private func appending(_ name: String) throws(FileError) -> Descriptor {
    let flags = O_WRONLY | O_APPEND
    do throws(FileError) { return try opened(name, flags) } catch {
      guard error == .missing else { throw error }
      return try opened(name, flags | O_CREAT)
    }
  }

  package func isExecutable(_ name: String) throws(FileError) -> Bool {
    try Self.status(try opened(name, O_RDONLY)).st_mode & S_IXUSR != 0
  }

  package func makeExecutable(_ name: String) throws(FileError) {
    let descriptor = try opened(name, O_RDONLY)
    try Self.check(fchmod(descriptor.number, 0o700))
  }

  package func sync(_ name: String) throws(FileError) {
    let descriptor = try opened(name, O_RDONLY)
    try Self.check(fsync(descriptor.number))
  }

  package func rename(_ name: String, to new: String) throws(FileError) {
    try Self.check(renameat(directory.number, name, directory.number, new))
  }

  package func renameNew(_ name: String, to new: String) throws(FileError) {
    try renameNew(name, to: new, in: self)
  }

  package func remove(_ name: String) throws(FileError) { try Self.check(unlinkat(directory.number, name, 0)) }

  /// File systems that cannot sync a directory (FUSE and older ones) have no better way: what they are given has its
  /// name all the same.
  package func syncDirectory() throws(FileError) {
    guard fsync(directory.number) != 0 else { return }
    let code = errno
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) else { throw .system(code) }
  }

  /// Opens a regular file.
  ///
  /// A pipe without a writer would be waited for: hence `O_NONBLOCK`.
  func opened(_ name: String, _ flags: Int32) throws(FileError) -> Descriptor {
    var status = stat()
    return try opened(name, flags, &status)
  }

  /// Opens a file that is one, and of which this user is the owner; tells its status, too.
  private func opened(_ name: String, _ flags: Int32, _ status: inout stat) throws(FileError) -> Descriptor {
    let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = openat(directory.number, name, flags, 0o600)
    // A link, a directory to write to, a socket or a pipe without a reader.
    if number < 0, [ELOOP, EISDIR, ENXIO].contains(errno) { throw .notAFile }
    let descriptor = try Self.descriptor(number)
    status = try Self.status(descriptor)
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    try Self.check(owners, of: status)
    return descriptor
  }

  // MARK: Folders

  /// The files of a folder in this one, which is no link.
  /// - Parameters:
  ///   - name: The folder's name.
  ///   - makes: Whether it is made (0700) where there is none.
  /// - Returns: Its files.
  /// - Throws: ``FileError/notAFile`` for a link or a file.
  func folder(_ name: String, makes: Bool = false) throws(FileError) -> PosixFiles {
    if makes, mkdirat(directory.number, name, 0o700) != 0, errno != EEXIST { throw .system(errno) }
    let number = openat(directory.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if number < 0, errno == ENOTDIR || errno == ELOOP { throw .notAFile }
    return try PosixFiles(directory: try Self.descriptor(number), owners: owners)
  }

  /// Renames a file into another folder, in place of the one that has the new name.
  func rename(_ name: String, to new: String, in folder: PosixFiles) throws(FileError) {
    try Self.check(renameat(directory.number, name, folder.directory.number, new))
  }

  /// Gives a file a name in another folder that no file has there.
  /// - Throws: `EEXIST` where one has it.
  func renameNew(_ name: String, to new: String, in folder: PosixFiles) throws(FileError) {
    let (old, target) = (directory.number, folder.directory.number)
    if linux_rename(old, name, target, new, linux_rename_no_replace) == 0 { return }
    // A file system that has no such renaming (NFS), or a kernel before it. Unlike a renaming, a link replaces no file;
    // a kill between the two calls leaves the file both names.
    guard errno == EINVAL || errno == ENOSYS else { throw .system(errno) }
    if linkat(old, name, target, new, 0) == 0 { return try remove(name) }
    guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw .system(errno) }
    // One without links, too, has no better way than to look before: what comes between the two calls is replaced.
    guard folder.identity(of: new) == nil else { throw .system(EEXIST) }
    try rename(name, to: new, in: folder)
  }

  /// Removes all that is in the directory, as far as that is possible; follows no link.
  /// - Parameter depth: How many levels of folders are removed.
  func removeAll(depth: Int = 64) {
    for name in (try? names()) ?? [] where unlinkat(directory.number, name, 0) != 0 {
      if depth > 0 { (try? folder(name))?.removeAll(depth: depth - 1) }
      // What cannot be removed stays: the caller has no better way.
      unlinkat(directory.number, name, AT_REMOVEDIR)
    }
  }

  static func status(_ descriptor: borrowing Descriptor) throws(FileError) -> stat {
    var status = stat()
    try check(fstat(descriptor.number, &status))
    return status
  }

  static func write(_ bytes: [UInt8], to descriptor: borrowing Descriptor) throws(FileError) {
    let failure = StandardError.withoutWriteSignals { () -> Errno? in
      do throws(Errno) { try descriptor.write(bytes) } catch { return error }
      return nil
    }
    if let failure { throw .system(failure.code) }
  }

  /// Takes over what open(2) has returned.
  private static func descriptor(_ number: Int32) throws(FileError) -> Descriptor {
    try check(number)
    return Descriptor(owning: number)
  }

  static func check(_ result: Int32) throws(FileError) {
    guard result >= 0 else { throw .system(errno) }
  }
}
