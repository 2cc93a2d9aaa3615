import FoundationEssentials
import Glibc
import ProsceniumCore

/// The folder in which the user of the program has chosen files last, kept in a file of its state directory.
///
/// A program without such a directory has none.
struct LastFolder: Sendable {
  #if WITHOUT_Directories
    @MainActor init() {}
    private var file: URL? { nil }
  #else
    private let directories: Directories?
    @MainActor init() { directories = Application.sharedIfLaunched?.directories }
    private var file: URL? { (try? directories?.state)?.appending(path: "last-folder") }
  #endif

  /// Reads the file; not on the main thread, since a disk may take its time.
  /// - Returns: The path of the folder, which may be gone; nil for none.
  func recall() -> String? {
    guard let file, let stream = fopen(file.path, "re") else { return nil }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, stream))
    guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Writes the file, beside the main thread; where that fails, the folder is not remembered.
  @MainActor func remember(_ path: String) {
    Task {
      await runBesideMainThread {
        if let file { try? Data(path.utf8).write(to: file, options: .atomic) }
      }
    }
  }
}
