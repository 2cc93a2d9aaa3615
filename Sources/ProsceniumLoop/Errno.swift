import Glibc

/// The error of a system call (errno(3)).
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: Int32

  package init(_ code: Int32) { self.code = code }

  /// The error of the last call of this thread that failed.
  package static var last: Errno { Errno(errno) }

  package var description: String { String(cString: strerror(code)) }
}
