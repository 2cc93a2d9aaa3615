import Glibc

/// A file or a folder, as a dialog lists it.
struct FolderEntry: Hashable, Sendable {
  /// The name as it is shown; in one that is no UTF-8 U+FFFD stands for what cannot be read.
  var name: String
  var isFolder = false
  var size: Int64 = 0
  /// When its content was changed, in seconds since 1970.
  var time: Int64 = 0
  /// Whether the name is UTF-8, without which no path leads to it.
  var isReachable = true

  var isHidden: Bool { name.hasPrefix(".") }
}

/// Why a folder cannot be shown.
struct FolderError: Error, Hashable {
  var path: String
  var code: Int32

  /// What happened, as a sentence.
  var message: String { "\u{201C}\(path)\u{201D} cannot be shown: \(String(cString: strerror(code)))." }
}

/// What a folder holds; read by any thread but the main one, since a disk or a server may take its time.
enum Folder {
  /// Reads a folder.
  /// - Parameters:
  ///   - path: Its path.
  ///   - isWanted: Asked for each file whether the answer is still of use.
  /// - Returns: What it holds, in no order; a part of it where it is not wanted any more.
  /// - Throws: The error of opendir(3) or readdir(3).
  static func entries(of path: String, isWanted: () -> Bool) throws(FolderError) -> [FolderEntry] {
    guard let stream = opendir(path) else { throw FolderError(path: path, code: errno) }
    defer { closedir(stream) }
    let number = dirfd(stream)
    var entries: [FolderEntry] = []
    while isWanted() {
      errno = 0
      guard let found = readdir(stream) else {
        guard errno == 0 else { throw FolderError(path: path, code: errno) }
        break
      }
      let new: FolderEntry? = withUnsafePointer(to: &found.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          entry(named: $0, in: number)
        }
      }
      if let new { entries.append(new) }
    }
    return entries
  }

  /// What a name stands for; nil for the folder itself, for the one above it, and for what has gone meanwhile.
  private static func entry(named bytes: UnsafePointer<CChar>, in folder: Int32) -> FolderEntry? {
    let name = String(cString: bytes)
    guard name != ".", name != ".." else { return nil }
    var status = stat()
    // A link that leads nowhere is shown as the link that it is.
    guard fstatat(folder, bytes, &status, 0) == 0 || fstatat(folder, bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    return FolderEntry(
      name: name, isFolder: status.st_mode & S_IFMT == S_IFDIR, size: Int64(status.st_size),
      time: Int64(status.st_mtim.tv_sec), isReachable: String(validatingCString: bytes) != nil)
  }

  /// What is at a path; as ``entries(of:isWanted:)``, not for the main thread.
  static func kind(of path: String) -> PathKind {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == ENOENT ? .nothing : .unknown(FolderError(path: path, code: errno))
    }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }
}

/// What is at a path.
enum PathKind: Hashable, Sendable {
  case nothing
  case file
  case folder
  /// It cannot be known: why.
  case unknown(FolderError)
}
