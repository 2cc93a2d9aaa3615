internal import Glibc
import ProsceniumLoop

/// The directories of an application among those of the user.
enum StoreDirectory {
  /// What a directory is for.
  enum Purpose: String {
    case sessions, preferences
    /// Files of the program itself: see ``UserFolder``.
    case support = "support files", caches, state = "state files"

    /// The user's directory for all applications (XDG Base Directory Specification).
    fileprivate var parent: (variable: String, inHome: String) {
      switch self {
      case .sessions, .state: ("XDG_STATE_HOME", ".local/state")
      case .support: ("XDG_DATA_HOME", ".local/share")
      case .caches: ("XDG_CACHE_HOME", ".cache")
      case .preferences: ("XDG_CONFIG_HOME", ".config")
      }
    }
  }

  /// Finds the user's directory for all applications.
  /// - Parameters:
  ///   - environment: The variables that name it.
  ///   - purpose: What the directory is for.
  /// - Returns: An absolute path.
  /// - Throws: ``StoreError/unusable(_:)`` where no variable names an absolute path.
  static func parent(_ environment: [String: String], _ purpose: Purpose = .sessions) throws(StoreError) -> String {
    let (variable, inHome) = purpose.parent
    // "All paths must be absolute. If an implementation encounters a relative path it should consider it invalid."
    if let path = environment[variable], path.hasPrefix("/") { return path }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw .unusable(
        "There is no place for the stored \(purpose.rawValue): neither \(variable) nor HOME is an absolute path.")
    }
    return home + "/" + inHome
  }

  /// Checks that an application's identifier can name a directory.
  static func check(_ identifier: String) throws(StoreError) {
    guard StoreNames.isName(identifier), identifier != ".", identifier != ".." else {
      throw .unusable(
        "The application identifier \"\(identifier)\" cannot name a directory. Use one such as org.example.Editor, without "
          + "slashes and with at most 200 bytes.")
    }
  }

  /// Opens the directory of an application's sessions; creates it where it is missing.
  static func files(of identifier: String, _ environment: [String: String]) throws(StoreError) -> PosixFiles {
    try check(identifier)
    return PosixFiles(directory: try open(try parent(environment) + "/" + identifier))
  }

  /// Opens a directory; creates it (0700) where it is missing.
  ///
  /// It has to be the user's own; a directory of sessions is closed to other users, and in one of the program's files
  /// no other user can put any.
  static func open(_ path: String, _ purpose: Purpose = .sessions) throws(StoreError) -> Descriptor {
    func unusable(_ why: String) -> StoreError { self.unusable(path, why, purpose) }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var number = Glibc.open(path, flags)
    if number < 0 {
      try make(path, unusable)
      number = Glibc.open(path, flags)
    }
    guard number >= 0 else { throw unusable("\(Errno.last)") }
    let descriptor = Descriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw unusable("\(Errno.last)") }
    guard status.st_uid == geteuid() else {
      throw unusable("it belongs to the user \(status.st_uid), not to \(geteuid())")
    }
    let mode = status.st_mode & 0o7777
    switch purpose {
    case .sessions:
      if mode != 0o700, fchmod(number, 0o700) != 0 {
        throw unusable("others may look into it, and that cannot be changed: \(Errno.last)")
      }
    case .support, .caches, .state:
      if mode & 0o022 != 0, fchmod(number, mode & ~0o022) != 0 {
        throw unusable("others may write to it, and that cannot be changed: \(Errno.last)")
      }
    case .preferences: break
    }
    return descriptor
  }

  /// Makes the directories of a path that are missing (0700).
  private static func make(_ path: String, _ unusable: (String) -> StoreError) throws(StoreError) {
    // The nearest one that is there.
    var (nearest, owner) = ("/", uid_t(0))
    var made = ""
    for component in path.split(separator: "/") {
      made += "/\(component)"
      var status = stat()
      guard stat(made, &status) != 0 else {
        (nearest, owner) = (made, status.st_uid)
        continue
      }
      // What root makes in a user's home (`sudo -E`) keeps that user's own programs out.
      if geteuid() == 0, owner != 0 {
        throw unusable("\"\(nearest)\" belongs to the user \(owner), not to 0")
      }
      guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
      // A directory that may not be listed can still be passed through.
      let error = Errno.last
      if access(made, F_OK) != 0 { throw unusable("\"\(made)\" cannot be made: \(error)") }
    }
  }

  /// Locks a directory until its descriptor is closed, or gives up after a number of waits of 5 ms.
  /// - Parameters:
  ///   - directory: The directory.
  ///   - steps: The most waits without progress.
  ///   - progress: Another value whenever whoever has the lock has done something.
  /// - Returns: False where another process has the lock still. A file system that locks no directories is no reason to
  ///   wait.
  @discardableResult
  static func lock(_ directory: Int32, steps: Int, progress: () -> Int = { 0 }) -> Bool {
    var (left, last) = (steps, progress())
    while flock(directory, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { return true }
      guard left > 0 else {
        let now = progress()
        guard now != last else { return false }
        (left, last) = (steps, now)
        continue
      }
      left -= 1
      usleep(5000)
    }
    return true
  }

  static func unusable(_ path: String, _ why: String, _ purpose: Purpose = .sessions) -> StoreError {
    let subject: String
    switch purpose {
    case .sessions: subject = "Sessions"
    case .preferences: subject = "Preferences"
    case .support, .caches, .state:
      return .unusable("The directory \"\(path)\" for the program's \(purpose.rawValue) cannot be used: \(why).")
    }
    return .unusable(
      "\(subject) cannot be stored in \"\(path)\": \(why). It is tried again once a second; until then none are stored."
    )
  }
}
