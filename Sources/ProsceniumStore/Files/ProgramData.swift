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

  /// The data of a program.
  /// - Parameters:
  ///   - program: The path of the executable, or of another file in the folder from which relative folders count.
  ///   - environment: The variables that name the user's directories.
  package init(program: String, environment: [String: String]) {
    self.program = program
    self.environment = environment
  }

  /// How long another instance may be at the same directory, in steps of 5 ms: no longer than a launch may take.
  private static let lockSteps = 600

  /// Opens a place.
  ///
  /// What is read of the program's folder belongs to the user, to root, or to the owner of the executable, and nobody
  /// else can have written it. The support directory is locked until the object goes: another instance waits.
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
      StoreDirectory.lock(support.directory.number, steps: Self.lockSteps)
      return FolderTree(directory: support.intoDirectory())
    }
  }
}

extension OpenFolder {
  /// The descriptor alone.
  consuming func intoDirectory() -> Descriptor { directory }
}
