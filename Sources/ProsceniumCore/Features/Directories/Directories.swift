public import FoundationEssentials
import ProsceniumStore
import Synchronization

/// The directories of the program, each made when it is asked for.
///
/// ```swift
/// let file = try application.directories.support.appending(path: "dictionary.txt")
/// ```
///
/// By the rules of the XDG Base Directory Specification: a variable that is no absolute path does not count. The
/// directories of a program are named after its ``ApplicationManifest/applicationIdentifier``, belong to the user, and
/// are made with the mode 0700; one that belongs to another user is refused, and one to which others may write is
/// closed to their writing. All instances of a program have the same ones, but for ``temporary``. A program that asks
/// for none opens and makes none.
///
/// | directory | is | lasts |
/// |---|---|---|
/// | ``support`` | `$XDG_DATA_HOME/<id>`, else `~/.local/share/<id>` | until the user deletes it |
/// | ``documents`` | `XDG_DOCUMENTS_DIR` of `user-dirs.dirs`, else the home | it is the user's own |
/// | ``caches`` | `$XDG_CACHE_HOME/<id>`, else `~/.cache/<id>` | until somebody needs the room |
/// | ``temporary`` | `$TMPDIR/<id>-...`, else `/tmp/<id>-...` | until the process ends |
/// | ``state`` | `$XDG_STATE_HOME/<id>/program`, else `~/.local/state/<id>/program` | until the user deletes it |
///
/// ``Application/directories`` has them from `application(_:willFinishLaunchingWithOptions:)` on; before it they throw.
/// The value may be used on any thread. Each use looks whether the directory is there, which takes a few system calls:
/// keep the URL while you write several files.
public struct Directories: Sendable {
  let folders: UserFolders?
  let use: DirectoryUse

  /// What the program keeps for the user and cannot make again; its default data are copied there
  /// (``ApplicationManifest/defaultData``).
  public var support: URL { get throws(DirectoryError) { try url(of: .support) } }

  /// The user's documents, for all programs: for files that the user names.
  ///
  /// The home where xdg-user-dirs names no directory, as xdg-user-dir(1) says. Made with the mode 0755 where it is
  /// missing.
  public var documents: URL { get throws(DirectoryError) { try url(of: .documents) } }

  /// What can be made again: anybody may delete it at any time, also while the program runs.
  ///
  /// It has a `CACHEDIR.TAG`, so that backups leave it out. Once a program has asked for it,
  /// ``Directories/CachesShouldShrinkMessage`` tells it when memory or the disk is short.
  public var caches: URL { get throws(DirectoryError) { try url(of: .caches) } }

  /// Files of this process: a directory of its own, which is removed with all that is in it when the program ends.
  ///
  /// What a process leaves that is killed is left to the system (systemd-tmpfiles(8)), which leaves it alone while the
  /// process runs.
  public var temporary: URL { get throws(DirectoryError) { try url(of: .temporary) } }

  /// What lasts and is worth no backup: histories, the last view, logs.
  public var state: URL { get throws(DirectoryError) { try url(of: .state) } }

  private func url(of folder: UserFolder) throws(DirectoryError) -> URL {
    guard let folders else {
      throw DirectoryError(
        "The program has no directories: they are there from application(_:willFinishLaunchingWithOptions:) on, and in "
          + "tests where the test gives the program a home.")
    }
    do throws(StoreError) { return URL(filePath: try use.path(of: folder, folders), directoryHint: .isDirectory) } catch
    {
      throw DirectoryError("\(error)")
    }
  }
}

/// Why a directory cannot be used.
public struct DirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, to which directory, and why, as a sentence for the user.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// What a process has asked for; for any thread.
final class DirectoryUse: Sendable {
  private struct State: ~Copyable {
    var temporary: OpenFolder?
    var usesCaches = false
    var isOver = false
  }

  private let state = Mutex(State())

  /// Makes a directory where it is missing; returns its path.
  func path(of folder: UserFolder, _ folders: UserFolders) throws(StoreError) -> String {
    switch folder {
    case .temporary: return try temporary(folders)
    case .caches:
      let path = try folders.open(folder).path
      state.withLock { $0.usesCaches = true }
      return path
    case .support, .documents, .state: return try folders.open(folder).path
    }
  }

  private func temporary(_ folders: UserFolders) throws(StoreError) -> String {
    try state.withLock { state throws(StoreError) in
      if state.isOver { throw .unusable("The program has ended, and its temporary directory is gone.") }
      if let path = state.temporary?.pathIfThere { return path }
      let folder = try folders.open(.temporary)
      let path = folder.path
      state.temporary = consume folder
      return path
    }
  }

  /// Whether the program has asked for its caches.
  var usesCaches: Bool { state.withLock { $0.usesCaches } }

  /// Removes the temporary directory: the program ends.
  func end() {
    let folder = state.withLock { state -> OpenFolder? in
      state.isOver = true
      return state.temporary.take()
    }
    folder?.remove()
  }
}
