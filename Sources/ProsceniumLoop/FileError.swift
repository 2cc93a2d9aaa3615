internal import Glibc

/// What can go wrong with a file.
package enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the system said, as an `errno`.
  case system(Int32)
  /// It is a directory, a link, a pipe, a socket or a device.
  case notAFile
  /// It has this many bytes, which is more than was asked for.
  case tooLarge(Int)

  package var description: String {
    switch self {
    case .system(let code): String(cString: strerror(code))
    case .notAFile: "it is not a regular file"
    case .tooLarge(let size): "it has \(size) bytes"
    }
  }

  /// There is nothing under that name.
  package static var missing: FileError { .system(ENOENT) }
}
