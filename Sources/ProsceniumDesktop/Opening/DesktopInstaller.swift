import Glibc
import ProsceniumLoop

/// Installs and removes a program's desktop entry and service file, for the user alone.
package struct DesktopInstaller {
  /// The variables of the environment that it reads.
  package static let variables = DataFolders.variables

  /// The paths of the files that were written or removed.
  package private(set) var files: [String] = []
  private let folders: DataFolders

  package init(environment: [String: String]) { folders = DataFolders(environment) }

  /// The absolute path of this program.
  /// - Throws: ``DesktopEntry/Failure`` if it cannot be found, or cannot stand in an entry.
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

  /// The MIME types of file name extensions.
  package func types(of extensions: Set<String>) -> Set<String> {
    guard !extensions.isEmpty else { return [] }
    let databases = folders.data.compactMap { SmallFile.read($0 + "/mime/globs2") }
    return FileTypes.types(of: extensions, database: databases.joined(separator: "\n"))
  }

  /// Writes both files, or none of them, and updates the desktop environment's index of programs.
  /// - Throws: ``DesktopEntry/Failure`` if a file cannot be written.
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

  /// Writes the desktop entry of a program again that has the same MIME types; does nothing where none is installed.
  /// - Throws: ``DesktopEntry/Failure`` if the file cannot be written.
  package func update(_ entry: DesktopEntry) throws(DesktopEntry.Failure) {
    let (entryPath, _) = try paths(entry)
    guard access(entryPath, F_OK) == 0 else { return }
    do throws(SmallFile.Failure) {
      try SmallFile.write([(entry.entry, entryPath)])
    } catch {
      throw DesktopEntry.Failure(description: "cannot write \(error.path): \(error.reason)")
    }
  }

  /// Removes both files, where they exist.
  /// - Throws: ``DesktopEntry/Failure`` if a file cannot be removed.
  package mutating func uninstall(_ entry: DesktopEntry) throws(DesktopEntry.Failure) {
    let (entryPath, servicePath) = try paths(entry)
    for path in [entryPath, servicePath] {
      guard unlink(path) != 0 else {
        files.append(path)
        continue
      }
      let error = Errno.last
      if error.code != ENOENT { throw DesktopEntry.Failure(description: "cannot remove \(path): \(error)") }
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

  /// Updates the index in which xdg-open finds the programs of a type; without the tool desktops update it by
  /// themselves, later.
  private func updateIndex(_ entryPath: String) {
    let folder = String(entryPath.prefix(upTo: entryPath.lastIndex(of: "/") ?? entryPath.startIndex))
    guard let child = Spawn.start(["update-desktop-database", "-q", folder], environment: [:]) else { return }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
  }
}
