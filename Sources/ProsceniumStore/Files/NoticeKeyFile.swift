internal import Glibc
import ProsceniumLoop

/// The key of the notices of an application, beside its sessions, which only its user reads (0600).
package struct NoticeKeyFile: Sendable {
  static let name = "notice-key"
  /// The length of a key in bytes: letters and digits.
  static let length = 64

  private let identifier: String
  private let environment: [String: String]

  /// The file of an application.
  /// - Parameters:
  ///   - applicationIdentifier: The name of the directory.
  ///   - environment: The variables that name the user's directories.
  package init(applicationIdentifier: String, environment: [String: String]) {
    identifier = applicationIdentifier
    self.environment = environment
  }

  /// Reads the key, and makes the file where it has none.
  ///
  /// It is not synced: what a power cut takes with it no desktop's notices have survived.
  /// - Parameter new: The key to be kept where none is; nil to keep none.
  /// - Returns: The key that is kept; nil where none is, or none can be.
  package func value(keeping new: String?) -> String? {
    guard let files = try? StoreDirectory.files(of: identifier, environment) else { return nil }
    do throws(FileError) {
      if let key = try Self.read(files) { return key }
      // What is there is no key: it is of no use to anybody.
      if new != nil { try files.removeIfThere(Self.name) }
    } catch FileError.missing {} catch { return nil }
    guard let new, Self.isKey(new) else { return nil }
    let temporary = StoreNames.temporary("\(Self.name).\(getpid())")
    do throws(FileError) {
      try files.write(temporary, Array(new.utf8))
      try files.renameNew(temporary, to: Self.name)
      return new
    } catch {
      try? files.remove(temporary)
      // Another instance may have been faster.
      return (try? Self.read(files)) ?? nil
    }
  }

  /// Nil where the file has none.
  private static func read(_ files: PosixFiles) throws(FileError) -> String? {
    let text = String(decoding: try files.read(name, limit: 4096), as: UTF8.self)
    return isKey(text) ? text : nil
  }

  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == length && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 }
  }
}
