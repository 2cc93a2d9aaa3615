internal import Glibc
package import ProsceniumLoop

/// A directory of the program among those of the user.
package enum UserFolder: Sendable, CaseIterable { case support, documents, caches, temporary, state }

/// The directories of a program, by the rules of the XDG Base Directory Specification and of xdg-user-dirs.
///
/// For any thread. Nothing is opened or made before a directory is asked for.
package struct UserFolders: Sendable {
  let identifier: String
  private let environment: [String: String]

  /// The variables that name the directories.
  package static let variables = [
    "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR",
  ]

  /// Directories of an application.
  /// - Parameters:
  ///   - applicationIdentifier: The name of the directories.
  ///   - environment: The variables that name the user's directories.
  package init(applicationIdentifier: String, environment: [String: String]) {
    identifier = applicationIdentifier
    self.environment = environment
  }

  /// The path of a directory; that of the folder in which one is made for ``UserFolder/temporary``.
  /// - Parameter folder: The directory.
  /// - Returns: An absolute path.
  /// - Throws: ``StoreError/unusable(_:)`` where the identifier names no directory, or no variable an absolute path.
  package func path(of folder: UserFolder) throws(StoreError) -> String {
    try StoreDirectory.check(identifier)
    switch folder {
    case .support: return try StoreDirectory.parent(environment, .support) + "/" + identifier
    case .caches: return try StoreDirectory.parent(environment, .caches) + "/" + identifier
    // The directory above has the framework's own files: sessions, pictures, reports.
    case .state: return try StoreDirectory.parent(environment, .state) + "/" + identifier + "/program"
    case .documents: return try documents()
    case .temporary: return environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    }
  }

  /// Makes a directory where it is missing, and opens it.
  ///
  /// A temporary directory is another one with each call.
  /// - Parameter folder: The directory.
  /// - Returns: Its path, and a descriptor.
  /// - Throws: ``StoreError/unusable(_:)`` where it cannot be made, or is not the user's own.
  package func open(_ folder: UserFolder) throws(StoreError) -> OpenFolder {
    let path = try path(of: folder)
    switch folder {
    case .support: return OpenFolder(path: path, directory: try StoreDirectory.open(path, .support))
    case .state: return OpenFolder(path: path, directory: try StoreDirectory.open(path, .state))
    case .caches:
      let directory = try StoreDirectory.open(path, .caches)
      CacheTag.add(to: directory)
      return OpenFolder(path: path, directory: directory)
    case .documents: return OpenFolder(path: path, directory: try Self.openDocuments(path))
    case .temporary:
      // A session may have left the variable with a directory that is gone, or is another user's.
      do throws(StoreError) { return try makeTemporary(in: path) } catch {
        if path == "/tmp" { throw error }
        return try makeTemporary(in: "/tmp")
      }
    }
  }

  // MARK: Documents

  /// The longest file of xdg-user-dirs that is read.
  private static let longestFile = 1 << 16

  /// The user's directory of documents; the home where the user has none, as xdg-user-dir(1) says.
  private func documents() throws(StoreError) -> String {
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw .unusable("There is no directory of documents: HOME is no absolute path.")
    }
    let file = try StoreDirectory.parent(environment, .preferences) + "/user-dirs.dirs"
    guard let descriptor = try? Descriptor(opening: file, O_RDONLY) else { return home }
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      [geteuid(), 0].contains(status.st_uid), let bytes = try? descriptor.contents(limit: Self.longestFile)
    else { return home }
    return Self.documents(in: String(decoding: bytes, as: UTF8.self), home: home) ?? home
  }

  /// The directory of documents that a file of xdg-user-dirs names; nil for none.
  ///
  /// Reads what xdg-user-dir(1) reads: `XDG_DOCUMENTS_DIR="$HOME/Documents"`, or an absolute path, with backslashes
  /// before signs of the shell. The last line counts.
  static func documents(in file: String, home: String) -> String? {
    var found: String?
    for line in file.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].split(whereSeparator: { $0 == " " || $0 == "\t" }) == ["XDG_DOCUMENTS_DIR"]
      else { continue }
      let value = parts[1].drop { $0 == " " || $0 == "\t" }
      guard value.first == "\"" else { continue }
      var text = ""
      var isEscaped = false
      for character in value.dropFirst() {
        if !isEscaped, character == "\"" { break }
        isEscaped = !isEscaped && character == "\\"
        if !isEscaped { text.append(character) }
      }
      if text == "$HOME" || text.hasPrefix("$HOME/") { text = home + text.dropFirst("$HOME".count) }
      guard text.hasPrefix("/"), !text.utf8.contains(0) else { continue }
      found = text
    }
    return found.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
  }

  /// The user's own, for all programs: the user says who may look into it.
  private static func openDocuments(_ path: String) throws(StoreError) -> Descriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var number = Glibc.open(path, flags)
    if number < 0, errno == ENOENT {
      var made = ""
      // As xdg-user-dirs-update(1) makes it; what fails shows below.
      for component in path.split(separator: "/") {
        made += "/\(component)"
        mkdir(made, 0o755)
      }
      number = Glibc.open(path, flags)
    }
    guard number >= 0 else {
      throw .unusable("The directory of documents \"\(path)\" cannot be used: \(Errno.last).")
    }
    return Descriptor(owning: number)
  }

  // MARK: Temporary files

  private func makeTemporary(in parent: String) throws(StoreError) -> OpenFolder {
    func unusable() -> StoreError {
      .unusable("No directory for temporary files can be made in \"\(parent)\": \(Errno.last).")
    }
    var template = Array("\(parent)/\(identifier)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw unusable() }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw unusable() }
    // systemd-tmpfiles(8) leaves a directory alone that a program has locked; elsewhere it is as good without.
    flock(number, LOCK_SH | LOCK_NB)
    return OpenFolder(path: path, directory: Descriptor(owning: number))
  }
}

/// A directory that is open.
package struct OpenFolder: ~Copyable, Sendable {
  package let path: String
  package let directory: Descriptor

  init(path: String, directory: consuming Descriptor) {
    self.path = path
    self.directory = directory
  }

  /// The path, as long as the directory is still there under it.
  package var pathIfThere: String? { isThere ? path : nil }

  private var isThere: Bool {
    var (own, named) = (stat(), stat())
    return fstat(directory.number, &own) == 0 && lstat(path, &named) == 0
      && (own.st_dev, own.st_ino) == (named.st_dev, named.st_ino)
  }

  /// Removes the directory with all that is in it, as far as that is possible.
  package consuming func remove() {
    let (path, isThere) = (path, isThere)
    PosixFiles(directory: directory).removeAll()
    // Another one in its place is another's.
    if isThere { rmdir(path) }
  }

  /// The room on the directory's file system; nil where the system does not say.
  package var space: DiskSpace? {
    var status = statvfs()
    guard fstatvfs(directory.number, &status) == 0 else { return nil }
    return DiskSpace(
      available: UInt64(status.f_bavail) &* UInt64(status.f_frsize),
      total: UInt64(status.f_blocks) &* UInt64(status.f_frsize))
  }
}

/// The room on a file system, in bytes.
package struct DiskSpace: Equatable, Sendable {
  package var available: UInt64
  package var total: UInt64

  package init(available: UInt64, total: UInt64) {
    self.available = available
    self.total = total
  }

  /// Whether little is left: less than a twentieth, and less than a gibibyte, at which GNOME warns the user too
  /// (gsd-housekeeping).
  package var isShort: Bool { available < 1 << 30 && available < total / 20 }
}

/// The tag of directories that backups leave out (https://bford.info/cachedir/).
enum CacheTag {
  static let name = "CACHEDIR.TAG"
  static let text = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This file is a cache directory tag. All that is beside it can be made again by the program, and may be deleted.
    # See https://bford.info/cachedir/

    """

  /// Adds the tag where there is none.
  ///
  /// Without it a backup is larger, and nothing else is lost: what fails is tried again at the next use.
  static func add(to directory: borrowing Descriptor) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = openat(directory.number, name, flags, 0o600)
    guard number >= 0 else { return }
    let file = Descriptor(owning: number)
    let isWritten = StandardError.withoutWriteSignals { (try? file.write(Array(text.utf8))) != nil }
    if !isWritten { unlinkat(directory.number, name, 0) }
  }
}
