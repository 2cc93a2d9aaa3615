import FoundationEssentials
import Glibc
import ProsceniumLoop

/// A real folder that goes with this object.
final class RealHome: Sendable {
  let path: String
  init() throws {
    var template = Array("/tmp/proscenium-home.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError.system(errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    let file = URL(filePath: path + "/" + name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
  func read(_ name: String) -> String? {
    FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
  }
  func mode(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : nil
  }
}
