import Glibc

/// Files of the kernel, which are written anew for each reading.
package enum KernelFile {
  private static let mostBytes = 1 << 20

  /// The text of a file, at most 1 MiB of it; nil where it cannot be opened.
  package static func text(of path: String) -> String? {
    guard let file = try? Descriptor(opening: path, O_RDONLY) else { return nil }
    return text(of: file)
  }

  /// The text of a file that is open, at most 1 MiB of it.
  package static func text(of file: borrowing Descriptor) -> String {
    String(decoding: (try? file.contents(limit: mostBytes)) ?? [], as: UTF8.self)
  }
}
