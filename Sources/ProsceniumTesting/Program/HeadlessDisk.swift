internal import Glibc
import ProsceniumCore
import ProsceniumLoop

/// A disk in memory, which stores a program's sessions over the deaths of its processes.
///
/// It has what POSIX promises, and no more: written data survives the death of a process; synced data survives a power
/// cut, and any part of the rest. The program's next process finds what a real disk would have.
///
/// The default data of a program (`ApplicationManifest.defaultData`) are on it, too: the program's folder `Defaults` is
/// `program/Defaults/`, and what is copied is in `support/`:
///
/// ```swift
/// program.disk.replace("program/Defaults/dictionary.txt", with: Array("one".utf8))
/// program.launch()
/// #expect(program.disk.contents(of: "support/dictionary.txt") == Array("one".utf8))
/// ```
@MainActor public final class HeadlessDisk {
  package private(set) var files = CuttableDisk()
  private var seed: UInt64 = 0

  /// An empty disk.
  public init() {}

  /// The names of the files, in alphabetical order; none while the power is cut.
  public var fileNames: [String] { ((try? files.names()) ?? []).sorted() }

  /// The content of a file.
  /// - Parameter name: Its name.
  /// - Returns: Its bytes; nil where there is no such file, or no power.
  public func contents(of name: String) -> [UInt8]? { try? files.read(name, limit: .max) }

  /// Replaces a file's content, as a damaged disk or another program may.
  ///
  /// Succeeds on a full disk and without power, survives a power cut, and does not count as a write of the program.
  /// - Parameters:
  ///   - name: The file's name.
  ///   - bytes: The new content; nil removes the file.
  public func replace(_ name: String, with bytes: [UInt8]?) { files.replace(name, with: bytes) }

  /// How many writes of the program there have been, over all its processes: whatever changes the disk, each write of
  /// bytes, each new name, each removal and each sync.
  public var writeCount: Int { files.operationCount }

  /// Whether nothing more fits on the disk: every write fails with ENOSPC until it is false again.
  public var isFull = false { didSet { files.fail(with: isFull ? .system(ENOSPC) : nil) } }

  /// A real folder for the program's directories (`Application.directories`), as it is the user's home; nil for none.
  ///
  /// Set before the launch; with one, the program's default data are copied there, too, and the kit neither fills nor
  /// cuts it. The kit removes nothing of it.
  public var home: String?

  /// Whether the power has been cut: the program is dead, and ``HeadlessProgram/relaunch(arguments:)`` brings both
  /// back.
  public var isCut: Bool { files.isDead }

  /// Cuts the power of the machine at a write.
  ///
  /// The program dies there: what it still does in the same turn of its loop reaches neither the disk nor the trace. Of
  /// a process that ends before, the next one has power; for one of its launch, cut it between
  /// ``HeadlessProgram/kill()`` and ``HeadlessProgram/relaunch(arguments:)``.
  /// - Parameters:
  ///   - count: After so many writes from now on, see ``writeCount``; the next one does not happen. 0 is the next.
  ///   - torn: How many bytes of that one arrive all the same.
  ///   - seed: Chooses what is left of what was not synced.
  public func cutPower(afterWrites count: Int, tornAt torn: Int = 0, seed: UInt64 = 0) {
    self.seed = seed
    files.cut(afterOperation: count, tornAt: torn, isSilent: true)
  }

  /// Ends the writing of the process that has used the disk, so that another one can use it.
  func changeProcess() {
    let last = files
    files = last.restarted(last.isDead ? .unsynced(seed: seed) : .nothing)
    // Tasks and threads of a dead process may still run in this one.
    last.cut(afterOperation: 0, tornAt: 0, isSilent: true)
  }
}
