internal import Glibc

/// The error of a file operation.
package enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error of a system call, as an `errno`.
  case system(Int32)
  /// The file is a directory, a link, a pipe, a socket or a device.
  case notAFile
  /// The file has this many bytes, which is more than the limit.
  case tooLarge(Int)

  package var description: String {
    switch self {
    case .system(let code): String(cString: strerror(code))
    case .notAFile: "it is not a regular file"
    case .tooLarge(let size): "it has \(size) bytes"
    }
  }

  /// There is no file of that name.
  package static var missing: FileError { .system(ENOENT) }
}
