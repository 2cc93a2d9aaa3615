internal import Glibc
import ProsceniumLoop

/// Where the default data of a program come from, and where they are copied to.
package enum ProgramDataPlace: Equatable, Sendable {
  /// Files and folders in a folder of the program.
  case program(folder: String, names: [String])
  /// The support directory of the application.
  case support(applicationIdentifier: String)
}

/// The real folders of a program's data.
package struct ProgramData: Sendable {
  private let program: String
  private let environment: [String: String]
  private let lockSteps: Int

  /// The data of a program.
  /// - Parameters:
  ///   - program: The path of the executable, or of another file in the folder from which relative folders count.
  ///   - environment: The variables that name the user's directories.
  ///   - lockSteps: How long another instance may be at the same directory and write nothing, in steps of 5 ms.
  package init(program: String, environment: [String: String], lockSteps: Int = 600) {
    self.program = program
    self.environment = environment
    self.lockSteps = lockSteps
  }

  /// Opens a place.
  ///
  /// What is read of the program's folder belongs to the user, to root, or to the owner of the executable, and nobody
  /// else can have written it.
  /// The support directory is locked until the object goes: another instance waits, for as long as this one lives and
  /// writes.
  /// - Parameter place: The place.
  /// - Returns: Its files.
  /// - Throws: ``StoreError/unusable(_:)``.
  package func open(_ place: ProgramDataPlace) throws(StoreError) -> any StoreFiles {
    switch place {
    case .program(let folder, let names):
      let beside = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? ""
      let path = folder.hasPrefix("/") ? folder : beside + "/" + folder
      var status = stat()
      var owners: Set<uid_t> = [0, geteuid()]
      if stat(program, &status) == 0 { owners.insert(status.st_uid) }
      do throws(FileError) { return try FolderTree(path: path, listing: names, owners: owners) } catch {
        throw .unusable("the program's folder \"\(path)\" cannot be used: \(error)")
      }
    case .support(let identifier):
      let folders = UserFolders(applicationIdentifier: identifier, environment: environment)
      let support = try folders.open(.support)
      let number = support.directory.number
      guard StoreDirectory.lock(number, steps: lockSteps, progress: { Self.progress(in: number) }) else {
        throw .unusable(
          "another instance of the program has been copying them for seconds without progress. End it, and start the "
            + "program again")
      }
      return FolderTree(directory: support.intoDirectory())
    }
  }
}

extension ProgramData {
  /// A number that changes with the names, the sizes and the times of the files in a directory.
  private static func progress(in directory: Int32) -> Int {
    let own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return 0 }
    let files = PosixFiles(directory: Descriptor(owning: own))
    var hasher = Hasher()
    for name in ((try? files.names()) ?? []).sorted() {
      hasher.combine(name)
      hasher.combine(try? files.status(name).identity)
    }
    return hasher.finalize()
  }
}

extension OpenFolder {
  /// The descriptor alone.
  consuming func intoDirectory() -> Descriptor { directory }
}
