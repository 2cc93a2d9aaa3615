internal import Glibc
package import ProsceniumLoop

/// Files that say what a program is to do: its manifest's file and its interface files.
///
/// Root, the user and the owner of the executable are the only ones who can have written them.
package enum TrustedFile {
  /// Why a file was not read.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case system(Errno)
    /// Others can have written it; the text says what is to be done.
    case foreign(String)

    package var description: String {
      switch self {
      case .system(let error): "\(error)"
      case .foreign(let reason): reason
      }
    }
  }

  /// Reads a file, through links too.
  /// - Parameters:
  ///   - path: The path.
  ///   - most: The most bytes that are read.
  /// - Returns: The bytes.
  /// - Throws: ``Failure``.
  package static func bytes(of path: String, most: Int) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]
    var status = stat()
    do throws(Errno) {
      let file = try Descriptor(opening: path, O_RDONLY)
      guard fstat(file.number, &status) == 0 else { throw Errno.last }
      bytes = try file.contents(limit: most)
    } catch {
      throw .system(error)
    }
    var folder = stat()
    let owners = owners
    if let reason = Doubt(owner: status.st_uid, mode: status.st_mode, owners: owners)?.sentence(path) {
      throw .foreign(reason)
    }
    if let name = self.folder(of: path), stat(name, &folder) == 0,
      let reason = Doubt(owner: folder.st_uid, mode: folder.st_mode, owners: owners)?.sentence(name)
    {
      throw .foreign(reason)
    }
    return bytes
  }

  private static var owners: Set<uid_t> {
    var program = stat()
    return stat("/proc/self/exe", &program) == 0 ? [0, geteuid(), program.st_uid] : [0, geteuid()]
  }

  /// The folder in which the file really is.
  private static func folder(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    let text = String(cString: real)
    return text.lastIndex(of: "/").map { $0 == text.startIndex ? "/" : String(text[..<$0]) }
  }

  /// What lets others write a file, or put another one in its place.
  package enum Doubt: Equatable {
    case owner(UInt32)
    case mode

    /// Looks at an owner and a mode; nil where there is no doubt.
    /// - Parameters:
    ///   - owner: The owner of a file or a folder.
    ///   - mode: Its type and its permissions.
    ///   - owners: The users who may have written it.
    package init?(owner: UInt32, mode: UInt32, owners: Set<UInt32>) {
      let isFolder = mode & S_IFMT == S_IFDIR
      if !owners.contains(owner) {
        self = .owner(owner)
      } else if mode & S_IWOTH != 0, !isFolder || mode & S_ISVTX == 0 {
        // In a sticky folder, such as /tmp, each file is its owner's.
        self = .mode
      } else {
        return nil
      }
    }

    func sentence(_ path: String) -> String {
      switch self {
      case .owner(let user):
        "\"\(path)\" belongs to the user \(user). Give it to root, or to the user who runs the program (chown)"
      case .mode: "all users may write to \"\(path)\". Take that from them (chmod o-w)"
      }
    }
  }
}
