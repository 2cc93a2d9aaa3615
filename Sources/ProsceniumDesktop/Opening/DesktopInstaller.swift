import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Installs and removes a program's desktop entry and service file, for the user alone.
package struct DesktopInstaller {
  /// The variables of the environment that it reads.
  package static let variables = DataFolders.variables + imageVariables + BusAddress.variables
  /// The variables of the environment by which a program knows the AppImage that it runs from.
  static let imageVariables = ["APPDIR", "APPIMAGE"]

  /// The paths of the files that were written or removed.
  package private(set) var files: [String] = []
  private let folders: DataFolders
  private let environment: [String: String]
  /// How long the bus may take to read its services again.
  private static let busTimeout = Duration.seconds(20)

  package init(environment: [String: String]) {
    folders = DataFolders(environment)
    self.environment = environment
  }

  /// The absolute path that this program had at the launch: ``ProgramName/path``.
  /// - Throws: ``DesktopEntry/Failure`` if it cannot be found, or cannot stand in an entry.
  package static func ownPath() throws(DesktopEntry.Failure) -> String {
    let path: [UInt8]
    do throws(Errno) { path = try ProgramName.path.get() } catch {
      throw DesktopEntry.Failure("the path of this program, /proc/self/exe, cannot be found: \(error)")
    }
    guard let text = String(validating: path, as: UTF8.self) else {
      throw DesktopEntry.Failure(
        "a desktop entry cannot name this program: its path \"\(String(decoding: path, as: UTF8.self))\" is not UTF-8")
    }
    return text
  }

  /// The absolute path by which others start this program.
  ///
  /// That of its AppImage, where it runs from one: the folder of its own path is there only while it runs.
  /// - Parameter environment: The program's environment at its launch, in which ``variables`` are looked up.
  /// - Returns: The path.
  /// - Throws: ``DesktopEntry/Failure`` as ``ownPath()`` does.
  package static func startPath(_ environment: [String: String]) throws(DesktopEntry.Failure) -> String {
    let path = try ownPath()
    return image(of: path, environment) ?? path
  }

  /// The AppImage that an executable is in: a program that another one's AppImage has started is in none.
  static func image(of path: String, _ environment: [String: String]) -> String? {
    guard let image = environment["APPIMAGE"], image.hasPrefix("/"), let named = environment["APPDIR"],
      named.hasPrefix("/"), let folder = resolved(named), path.hasPrefix(folder + "/")
    else { return nil }
    return isRegularFile(image) && access(image, X_OK) == 0 ? image : nil
  }

  /// Finds the script that this program runs.
  ///
  /// An interpreter has its own name, and its options, before what the script takes for its command line.
  /// - Parameters:
  ///   - arguments: The command line as the script has it.
  ///   - process: That of the process.
  /// - Returns: Its absolute path; nil where the program is no interpreter.
  /// - Throws: ``DesktopEntry/Failure`` if what it runs is no file.
  package static func script(_ arguments: [String], in process: [String]) throws(DesktopEntry.Failure) -> String? {
    guard let name = arguments.first, let interpreter = process.first, name != interpreter else { return nil }
    // Python names a module that it runs by its file. Other programs may give themselves any name.
    let isNamed = process.dropFirst().contains(name)
    guard isNamed || name.hasPrefix("/") else { return nil }
    if let path = resolved(name), isRegularFile(path) { return path == (try ownPath()) ? nil : path }
    guard isNamed else { return nil }
    throw DesktopEntry.Failure("what \(interpreter) runs, \"\(name)\", is no file: start it by its file")
  }

  /// The absolute path by which an interpreter is started.
  ///
  /// Not that of its executable: a virtual environment of Python is found by the link that starts it, and a link of the
  /// system stays at the next version.
  /// - Parameters:
  ///   - name: The name by which this process was started.
  ///   - path: The folders in which it was looked for (`PATH`).
  /// - Returns: The path; that of the executable where the name does not lead there.
  /// - Throws: ``DesktopEntry/Failure`` as ``ownPath()`` does.
  package static func interpreterPath(_ name: String?, _ path: String?) throws(DesktopEntry.Failure) -> String {
    let own = try ownPath()
    guard let name, !name.isEmpty else { return own }
    let found = name.contains("/") ? [name] : (path ?? "").split(separator: ":").map { "\($0)/\(name)" }
    guard let link = found.first(where: { resolved($0) == own }), let slash = link.lastIndex(of: "/"),
      let folder = resolved(String(link[...slash]))
    else { return own }
    return (folder == "/" ? "" : folder) + link[slash...]
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  private static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
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
    try SmallFile.write([(entry.service, servicePath), (entry.entry, entryPath)])
    files = [entryPath, servicePath]
    updateIndex(entryPath)
  }

  /// Writes the desktop entry of a program again that has the same MIME types; does nothing where none is installed.
  ///
  /// So it does with a service file that names another place of the program: both have to lead to one. The bus learns
  /// of that by itself: dbus-broker watches the folder since the installation, and dbus-daemon looks at the file
  /// whenever it starts the service.
  /// - Throws: ``DesktopEntry/Failure`` if a file cannot be written; both are as they were.
  package func update(_ entry: DesktopEntry) throws(DesktopEntry.Failure) {
    let (entryPath, servicePath) = try paths(entry)
    guard access(entryPath, F_OK) == 0 else { return }
    var files = [(text: entry.entry, path: entryPath)]
    if let service = SmallFile.read(servicePath), service != entry.service {
      files.insert((entry.service, servicePath), at: 0)
    }
    try SmallFile.write(files)
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
      if error.code != ENOENT { throw DesktopEntry.Failure("cannot remove \(path): \(error)") }
    }
    updateIndex(entryPath)
  }

  /// Has the session bus read its services again, where there is one.
  ///
  /// dbus-broker watches only the folders of services that are there when it starts.
  @MainActor package func tellBus() {
    let loop = BriefLoop()
    guard let bus = Bus(.session, environment: environment, host: loop) else { return }
    bus.connect()
    defer { bus.disconnect() }
    guard bus.isConnected else { return }
    var isDone: Bool?
    bus.call(BusDaemon.name, BusDaemon.member("ReloadConfig")) { _ in isDone = true }
    _ = loop.run(for: Self.busTimeout) { isDone }
  }

  private func paths(_ entry: DesktopEntry) throws(DesktopEntry.Failure) -> (entry: String, service: String) {
    guard let home = folders.dataHome else {
      throw DesktopEntry.Failure(
        "there is no place for a desktop entry: neither XDG_DATA_HOME nor HOME is set to an absolute path")
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

/// Files of the desktop environment.
enum SmallFile {
  /// Larger files are not the desktop environment's.
  private static let mostBytes = 1 << 23

  /// The text of a regular file; nil where it cannot be read.
  static func read(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = try? Descriptor(opening: path, O_RDONLY) else { return nil }
    var status = stat()
    guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
      return nil
    }
    return try? file.contents(limit: mostBytes)
  }

  /// Makes or replaces files, all of them or none.
  ///
  /// A reader finds the old text of a file or the new one, never a part.
  /// - Throws: The file that could not be written, and why.
  static func write(_ files: [(text: String, path: String)]) throws(DesktopEntry.Failure) {
    var prepared: [(temporary: String, path: String, old: [UInt8]?)] = []
    defer { for file in prepared { unlink(file.temporary) } }
    for (number, (text, path)) in files.enumerated() {
      do throws(Errno) {
        prepared.append((try prepare(Array(text.utf8), for: path, number), path, bytes(path)))
      } catch {
        throw DesktopEntry.Failure("cannot write \(path): \(error)")
      }
    }
    for (index, file) in prepared.enumerated() where rename(file.temporary, file.path) != 0 {
      let reason = Errno.last
      for (_, path, old) in prepared[..<index] { restore(path, old, files.count) }
      throw DesktopEntry.Failure("cannot write \(file.path): \(reason)")
    }
  }

  /// Writes the old contents of a file again.
  private static func restore(_ path: String, _ old: [UInt8]?, _ number: Int) {
    guard let old, let temporary = try? prepare(old, for: path, number) else {
      unlink(path)
      return
    }
    if rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// Writes a file beside the one that it is to replace.
  private static func prepare(_ bytes: [UInt8], for path: String, _ number: Int) throws(Errno) -> String {
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    var made = ""
    for component in folder.split(separator: "/") {
      made += "/" + component
      if mkdir(made, 0o755) != 0, errno != EEXIST, access(made, F_OK) != 0 { throw .last }
    }
    let temporary = "\(folder)/.proscenium-\(getpid())-\(number)"
    unlink(temporary)
    let file = try Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    do throws(Errno) {
      try file.write(bytes)
      guard fsync(file.number) == 0 else { throw .last }
    } catch {
      unlink(temporary)
      throw error
    }
    return temporary
  }
}

/// The MIME types of files by their names (Shared MIME-info Database, `globs2`).
struct FileTypes {
  /// The type of each extension that the database has: the one with the highest weight.
  static func types(of extensions: Set<String>, database: String) -> Set<String> {
    let wanted = Set(extensions.map { $0.lowercased() })
    var found: [String: (weight: Int, type: Substring)] = [:]
    for line in database.split(separator: "\n") where !line.hasPrefix("#") {
      // weight:type:*.extension[:flags]
      let fields = line.split(separator: ":")
      guard fields.count >= 3, let weight = Int(fields[0]), fields[2].hasPrefix("*.") else { continue }
      let name = fields[2].dropFirst(2).lowercased()
      guard wanted.contains(name), (found[name]?.weight ?? -1) < weight else { continue }
      found[name] = (weight, fields[1])
    }
    return Set(found.values.map { String($0.type) })
  }
}
