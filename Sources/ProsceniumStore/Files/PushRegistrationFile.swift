internal import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// The registration of an application for pushed messages, beside its sessions, which only its user reads (0600): the
/// token, the distributor's name, and that of the one that the user has chosen in the program, with a space in between.
///
/// The third may be empty, or not there. Later versions may add words and lines, which this one ignores, and does not
/// write again: a user who goes back to it is reached by the same token.
package struct PushRegistrationFile: PushRegistrationStore {
  static let name = "push-registration"
  /// The longest token, and the longest name on the bus, in bytes.
  private static let (longestToken, longestName) = (64, 255)

  private let identifier: String
  private let environment: [String: String]

  /// The file of an application.
  /// - Parameters:
  ///   - applicationIdentifier: The name of the directory.
  ///   - environment: The variables that name the user's directories.
  package nonisolated init(applicationIdentifier: String, environment: [String: String]) {
    identifier = applicationIdentifier
    self.environment = environment
  }

  package func read() throws -> PushRegistration? {
    let files = try StoreDirectory.files(of: identifier, environment)
    do throws(FileError) {
      return Self.registration(try files.read(Self.name, limit: 4096))
    } catch {
      // Nothing, or something that is no file of the program's.
      guard case .system = error, error != .missing else { return nil }
      throw error
    }
  }

  /// It is not synced: after a power cut the program registers at its next launch.
  package func keep(_ registration: PushRegistration?) {
    guard let files = try? StoreDirectory.files(of: identifier, environment) else { return }
    let words = registration.map { [$0.token, $0.distributor, $0.chosen].compactMap(\.self) } ?? []
    let bytes = Array(words.joined(separator: " ").utf8)
    guard Self.registration(bytes) != nil else {
      try? files.remove(Self.name)
      return
    }
    let temporary = StoreNames.temporary("\(Self.name).\(getpid())")
    do throws(FileError) {
      try files.write(temporary, bytes)
      try files.rename(temporary, to: Self.name)
    } catch {
      try? files.remove(temporary)
    }
  }

  /// Reads a file, which may have any content.
  static func registration(_ bytes: [UInt8]) -> PushRegistration? {
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count >= 2, isWord(words[0], longestToken), isWord(words[1], longestName) else { return nil }
    let chosen = words.count > 2 && !words[2].isEmpty ? words[2] : nil
    if let chosen, !isWord(chosen, longestName) { return nil }
    return PushRegistration(
      token: String(words[0]), distributor: String(words[1]), chosen: chosen.map { String($0) })
  }

  /// Letters, digits, and what else names on the bus have.
  private static func isWord(_ text: Substring, _ longest: Int) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._-".utf8.contains($0) }
  }
}
