internal import Glibc
package import ProsceniumLoop
internal import Synchronization

/// The files of a real folder and of the folders in it, by names such as `Themes/dark.json`.
///
/// No link in it is followed, and no name leads out of it. For any thread.
package final class FolderTree: StoreFiles {
  /// More names are not listed: nobody means such a folder.
  package static let mostNames = 10_000
  private static let deepest = 16

  private let root: PosixFiles
  /// The files and folders that ``names()`` lists with all that is in them; the folder's own names where nil.
  private let listed: [String]?
  /// The folders whose names have changed, `""` for the folder itself.
  private let changed = Mutex<Set<String>>([])

  /// Takes over a directory's descriptor.
  package init(directory: consuming Descriptor) {
    root = PosixFiles(directory: directory)
    listed = nil
  }

  /// Opens an existing folder to read some of its files.
  /// - Parameters:
  ///   - path: The folder.
  ///   - listed: The files and folders that ``names()`` lists with all that is in them.
  ///   - owners: The users who may own the folder and what is read of it; nobody else may write to it.
  /// - Throws: The error of the system, or ``FileError/foreign``.
  package init(path: String, listing listed: [String], owners: Set<UInt32>) throws(FileError) {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .system(errno) }
    root = try PosixFiles(directory: Descriptor(owning: number), owners: owners)
    self.listed = listed
  }

  /// Whether a text names a file within a folder: no absolute path, and no part of it is empty, `.` or `..`.
  package static func isName(_ text: String) -> Bool {
    text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      StoreNames.isName(String(part)) && part != "." && part != ".."
    }
  }

  private static func split(_ name: String) throws(FileError) -> (folders: [Substring], last: String) {
    guard isName(name) else { throw .system(EINVAL) }
    let parts = name.split(separator: "/")
    return (Array(parts.dropLast()), String(parts.last ?? ""))
  }

  private func folder(_ parts: [Substring], makes: Bool = false) throws(FileError) -> PosixFiles {
    var folder = root
    var path = ""
    for part in parts {
      if makes { changed.withLock { [path] in _ = $0.insert(path) } }
      folder = try folder.folder(String(part), makes: makes)
      path += path.isEmpty ? "\(part)" : "/\(part)"
    }
    if makes { changed.withLock { [path] in _ = $0.insert(path) } }
    return folder
  }

  package func names() throws(FileError) -> [String] {
    guard let listed else { return try root.names() }
    var names: [String] = []
    for name in listed { try list(name, depth: 0, into: &names) }
    return names
  }

  /// Adds a file, or the files of a folder; what is neither is found out when it is read, and what is not there is not
  /// listed.
  private func list(_ name: String, depth: Int, into names: inout [String]) throws(FileError) {
    guard depth < Self.deepest, names.count < Self.mostNames else { throw .system(EMLINK) }
    let (folders, last) = try Self.split(name)
    do throws(FileError) {
      for inner in try folder(folders).folder(last).names().sorted() {
        try list(name + "/" + inner, depth: depth + 1, into: &names)
      }
    } catch FileError.notAFile {
      names.append(name)
    } catch FileError.missing {}
  }

  package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
    let (folders, last) = try Self.split(name)
    return try folder(folders).read(last, limit: limit)
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    let (folders, last) = try Self.split(name)
    try folder(folders, makes: true).write(last, bytes)
  }

  package func append(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    let (folders, last) = try Self.split(name)
    try folder(folders, makes: true).append(last, bytes)
  }

  package func isExecutable(_ name: String) throws(FileError) -> Bool {
    let (folders, last) = try Self.split(name)
    return try folder(folders).isExecutable(last)
  }

  package func makeExecutable(_ name: String) throws(FileError) {
    let (folders, last) = try Self.split(name)
    try folder(folders).makeExecutable(last)
  }

  package func sync(_ name: String) throws(FileError) {
    let (folders, last) = try Self.split(name)
    try folder(folders).sync(last)
  }

  package func rename(_ name: String, to new: String) throws(FileError) {
    let (from, to) = (try Self.split(name), try Self.split(new))
    try folder(from.folders, makes: true).rename(from.last, to: to.last, in: try folder(to.folders, makes: true))
  }

  package func renameNew(_ name: String, to new: String) throws(FileError) {
    let (from, to) = (try Self.split(name), try Self.split(new))
    try folder(from.folders, makes: true).renameNew(from.last, to: to.last, in: try folder(to.folders, makes: true))
  }

  package func remove(_ name: String) throws(FileError) {
    let (folders, last) = try Self.split(name)
    try folder(folders).remove(last)
  }

  package func syncDirectory() throws(FileError) {
    let paths = changed.withLock { $0 }
    for path in paths.union([""]) { try folder(path.split(separator: "/")).syncDirectory() }
    changed.withLock { $0.subtract(paths) }
  }
}
