import Glibc
import Proscenium

/// Writes an event to standard output, one line a call.
@MainActor func log(_ message: String, _ session: SceneSession? = nil) {
  let name = session.map { " " + $0.persistentIdentifier.prefix(4) } ?? ""
  let line = "meter\(name): \(message)\n"
  _ = line.withCString { write(1, $0, strlen($0)) }
}

/// The process's memory in KiB, with its share of shared pages (proc(5), `smaps_rollup`).
func proportionalMemory() -> Int? {
  guard let file = fopen("/proc/self/smaps_rollup", "re") else { return nil }
  defer { fclose(file) }
  var buffer = [CChar](repeating: 0, count: 256)
  while fgets(&buffer, Int32(buffer.count), file) != nil {
    let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let words = line.split(separator: " ")
    if words.first == "Pss:", words.count > 1 { return Int(words[1]) }
  }
  return nil
}
