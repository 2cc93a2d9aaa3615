import Glibc

/// A file that exists as long as this object does.
package final class TemporaryFile: Sendable {
  /// The file's path.
  package let path: String

  /// Writes a file; an empty path where that fails.
  package init(_ bytes: some Sequence<UInt8>) {
    var template = Array("/tmp/proscenium-file-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path =
      descriptor < 0 ? "" : String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      guard count > 0 else { break }
      written += count
    }
    close(descriptor)
  }

  /// Writes a text.
  package convenience init(_ text: String) { self.init(text.utf8) }

  deinit { unlink(path) }
}
