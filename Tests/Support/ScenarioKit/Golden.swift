private import Glibc

/// The golden traces of the package, beside the tests.
package enum Golden {
  static var directory: String {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/Golden"
  }

  /// Names of all scenarios.
  package static let names: [String] = {
    guard let directory = opendir(directory) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".txt") { names.append(String(name.dropLast(4))) }
    }
    return names.sorted()
  }()

  package static func read(_ name: String) -> String? {
    guard let file = fopen("\(directory)/\(name).txt", "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func write(_ name: String, _ text: String) {
    guard let file = fopen("\(directory)/\(name).txt", "w") else { return }
    defer { fclose(file) }
    _ = text.withCString { fputs($0, file) }
  }

  /// Whether the files are to be written from what happens, for a review by eye.
  package static var isRecording: Bool { getenv("RECORD_GOLDEN") != nil }
}
