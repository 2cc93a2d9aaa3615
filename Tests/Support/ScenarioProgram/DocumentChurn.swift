import FoundationEssentials
import Glibc
import ProsceniumStore

/// A process without windows that saves one version of a document after the other, as fast as the disk takes them, and
/// writes the number of each to standard output when it is saved: `--save-versions=FILE`.
enum DocumentChurn {
  static func begin(_ arguments: [String]) -> Bool {
    let prefix = "--save-versions="
    guard let argument = arguments.first(where: { $0.hasPrefix(prefix) }) else { return false }
    do {
      try save(String(argument.dropFirst(prefix.count)))
    } catch {
      print("error: \(error)")
    }
    return true
  }

  /// A text that no part of it is taken for, and whose size changes in both directions.
  private static func text(_ version: Int) -> [UInt8] {
    Array(String(repeating: "version \(version)\n", count: 1000 + version * 7919 % 3000).utf8)
  }

  private static func save(_ path: String) throws {
    let place = try DocumentPlace(following: path)
    let kept = try KeptVersions(
      applicationIdentifier: "org.proscenium.Scenario", environment: ProcessInfo.processInfo.environment)
    let file = DocumentFile(try place.open(), place, kept: kept)
    let content = try file.open(limit: .max).content
    let first = content.bytes.split(separator: UInt8(ascii: "\n")).first ?? []
    var version = String(decoding: first, as: UTF8.self).split(separator: " ").last.flatMap { Int($0) } ?? 0
    guard version == 0 || content.bytes == text(version) else { return print("no version") }
    print("opened \(version)")
    var identity = content.identity
    while true {
      version += 1
      identity = try file.write(text(version), expecting: .known(identity))
      print("saved \(version)")
      fflush(nil)
    }
  }
}
