import Glibc

/// Makes a program known to the user's desktop and bus, or forgotten there again.
package struct DesktopInstaller {
  /// What it reads of the environment.
  package static let variables = DataFolders.variables

  /// What it has done: the files, as lines for people.
  package private(set) var files: [String] = []
  private let folders: DataFolders

  package init(environment: [String: String]) { folders = DataFolders(environment) }

  /// The path of this program, wherever it was started from.
  package static func ownPath() throws(DesktopEntry.Failure) -> String {
    guard let path = realpath("/proc/self/exe", nil) else {
      throw DesktopEntry.Failure(description: "the path of this program cannot be found: /proc is not mounted")
    }
    defer { free(path) }
    guard let text = String(validatingCString: path) else {
      throw DesktopEntry.Failure(
        description: "a desktop entry cannot name this program: its path \"\(String(cString: path))\" is not UTF-8")
    }
    return text
  }

  /// The MIME types that the machine has for file name extensions.
  package func types(of extensions: Set<String>) -> Set<String> {
    guard !extensions.isEmpty else { return [] }
    let databases = folders.data.compactMap { SmallFile.read($0 + "/mime/globs2") }
    return FileTypes.types(of: extensions, database: databases.joined(separator: "\n"))
  }

  /// Writes both files, or leaves both as they were, and has the desktop's index of programs made anew.
  package mutating func install(_ entry: DesktopEntry) throws(DesktopEntry.Failure) {
    let (entryPath, servicePath) = try paths(entry)
    do throws(SmallFile.Failure) {
      try SmallFile.write([(entry.service, servicePath), (entry.entry, entryPath)])
    } catch {
      throw DesktopEntry.Failure(description: "cannot write \(error.path): \(error.reason)")
    }
    files = [entryPath, servicePath]
    updateIndex(entryPath)
  }

  /// Removes both files, where they are there.
  package mutating func uninstall(_ entry: DesktopEntry) throws(DesktopEntry.Failure) {
    let (entryPath, servicePath) = try paths(entry)
    for path in [entryPath, servicePath] {
      guard unlink(path) != 0 else {
        files.append(path)
        continue
      }
      let code = errno
      if code != ENOENT { throw DesktopEntry.Failure(description: "cannot remove \(path): \(BusError(number: code))") }
    }
    updateIndex(entryPath)
  }

  private func paths(_ entry: DesktopEntry) throws(DesktopEntry.Failure) -> (entry: String, service: String) {
    guard let home = folders.dataHome else {
      throw DesktopEntry.Failure(
        description: "there is no place for a desktop entry: neither XDG_DATA_HOME nor HOME is set to an absolute path")
    }
    return (
      "\(home)/applications/\(entry.busName).desktop", "\(home)/dbus-1/services/\(entry.busName).service"
    )
  }

  /// From it xdg-open knows who is there for a type; without the tool the desktop finds out by itself, later.
  private func updateIndex(_ entryPath: String) {
    let folder = String(entryPath.prefix(upTo: entryPath.lastIndex(of: "/") ?? entryPath.startIndex))
    guard let child = Spawn.start(["update-desktop-database", "-q", folder], environment: [:]) else { return }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
  }
}
