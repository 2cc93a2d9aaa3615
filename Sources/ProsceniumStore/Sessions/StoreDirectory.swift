internal import Glibc
import ProsceniumLoop

/// Where the store of an application is, and whether it is fit to be used.
enum StoreDirectory {
  /// What a directory is for.
  enum Purpose: String {
    case sessions, preferences

    /// Where the user's directories of the kind are (XDG Base Directory Specification).
    fileprivate var place: (variable: String, inHome: String) {
      switch self {
      case .sessions: ("XDG_STATE_HOME", ".local/state")
      case .preferences: ("XDG_CONFIG_HOME", ".config")
      }
    }
  }

  /// The directory for what all of the user's applications keep of a kind.
  static func parent(_ environment: [String: String], _ purpose: Purpose = .sessions) throws(StoreError) -> String {
    let (variable, inHome) = purpose.place
    // "All paths must be absolute. If an implementation encounters a relative path it should consider it invalid."
    if let path = environment[variable], path.hasPrefix("/") { return path }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw .unusable(
        "There is no place for the stored \(purpose.rawValue): neither \(variable) nor HOME is an absolute path.")
    }
    return home + "/" + inHome
  }

  /// An application's identifier that can name a directory.
  static func check(_ identifier: String) throws(StoreError) {
    let isName =
      !identifier.isEmpty && identifier != "." && identifier != ".." && identifier.utf8.count <= 200
      && !identifier.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    guard isName else {
      throw .unusable(
        "The application identifier \"\(identifier)\" cannot name a directory. Use one such as org.example.Editor, without "
          + "slashes and with at most 200 bytes.")
    }
  }

  /// Opens the directory, made (0700) where it is missing, and the user's own; nobody else may look at sessions.
  static func open(_ path: String, _ purpose: Purpose = .sessions) throws(StoreError) -> Int32 {
    var made = ""
    for component in path.split(separator: "/") {
      made += "/" + component
      guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
      // What is there but may not be looked into can still be passed through.
      let code = errno
      if access(made, F_OK) != 0 {
        throw unusable(path, "\"\(made)\" cannot be made: \(FileError.system(code))", purpose)
      }
    }
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unusable(path, "\(FileError.system(errno))", purpose) }
    var status = stat()
    var problem: String?
    if fstat(descriptor, &status) != 0 {
      problem = "\(FileError.system(errno))"
    } else if status.st_uid != geteuid() {
      problem = "it belongs to the user \(status.st_uid), not to \(geteuid())"
    } else if purpose == .sessions, status.st_mode & 0o7777 != 0o700, fchmod(descriptor, 0o700) != 0 {
      problem = "others may look into it, and that cannot be changed: \(FileError.system(errno))"
    }
    guard let problem else { return descriptor }
    close(descriptor)
    throw unusable(path, problem, purpose)
  }

  static func unusable(_ path: String, _ why: String, _ purpose: Purpose = .sessions) -> StoreError {
    let what = purpose == .sessions ? "Sessions" : "Preferences"
    return .unusable("\(what) cannot be stored in \"\(path)\": \(why). The program runs on without storing any.")
  }
}

extension SessionStore {
  /// Opens the application's store for this process, and no other.
  /// - Parameters:
  ///   - applicationIdentifier: What the directory is named after.
  ///   - environment: Where the user's directories are.
  ///   - display: What another process will be told about this one.
  ///   - separate: Take another directory (`<application>.2` and so on) where the first one has an owner.
  /// - Returns: The store, which is this process's for as long as the object lives.
  /// - Throws: ``StoreError`` if another process has it, or nobody can.
  package static func open(
    applicationIdentifier: String, environment: [String: String], display: String, separate: Bool
  ) throws(StoreError) -> SessionStore {
    try StoreDirectory.check(applicationIdentifier)
    let parent = try StoreDirectory.parent(environment)
    var number = 1
    while true {
      let path = "\(parent)/\(applicationIdentifier)" + (number == 1 ? "" : ".\(number)")
      let directory = try StoreDirectory.open(path)
      // From here on the descriptor is closed with this.
      let files = PosixFiles(directory: directory)
      do throws(StoreError) {
        let lock = try StoreLock(directory: directory, path: path, display: display)
        return SessionStore(files: files, lock: lock, runsInline: false)
      } catch {
        guard separate, number < 100, case .owned = error else { throw error }
        number += 1
      }
    }
  }
}
