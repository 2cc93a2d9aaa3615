public import FoundationEssentials
import ProsceniumLoop
import ProsceniumStore

/// Why a protected file could not be read or written, and what the user can do.
public struct ProtectedFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The screen is locked: it works again after the unlock.
    case unavailable
    /// libsodium is not installed.
    case noCipher
    /// The key cannot be had: the user, or the service that has it, refuses.
    case noKey
    /// There are keys, and none is that of the file: it is lost, or the service that has it is not there.
    case otherKey
    /// The file has been changed, or cut.
    case damaged
    /// A later version of the library has written the file, in a form that this one cannot read; it is not written
    /// over.
    case newer
    /// The file is not encrypted, or in another class.
    case notProtected
    /// There is no file, or no folder, of that name.
    case missing
    /// The file could not be read or written otherwise.
    case system
  }

  /// The kind of the error.
  public let reason: Reason
  /// The file.
  public let url: URL
  /// What is wrong, as a part of a sentence for the user.
  public let detail: String

  /// The error and the remedy, as sentences for the user.
  public var description: String { "“\(url.lastPathComponent)” cannot be used: \(detail)." }

  init(_ failure: ProtectionFailure, _ url: URL) {
    (self.url, detail) = (url, failure.reason)
    reason =
      switch failure {
      case .unavailable: .unavailable
      case .noCipher, .missing: .noCipher
      case .noKey: .noKey
      case .otherKey: .otherKey
      case .damaged: .damaged
      case .newer: .newer
      case .notProtected: .notProtected
      }
  }

  init(_ error: FileError, _ url: URL) {
    self.url = url
    (reason, detail) = error == .missing ? (.missing, "there is no such file") : (.system, "\(error)")
  }

  init(_ failure: DocumentFailure, _ url: URL) {
    self.url = url
    switch failure {
    case .file(.missing): (reason, detail) = (.missing, "there is no such folder")
    case .file(let error): (reason, detail) = (.system, "\(error)")
    case .notSynced(_, let error):
      (reason, detail) = (.system, "it is written, but may be lost with the next power cut (\(error)). Write it again")
    case .locked: (reason, detail) = (.system, "it is write-protected")
    case .folderLocked: (reason, detail) = (.system, "no file can be made in its folder")
    case .noPlace:
      (reason, detail) = (.system, "it has several names, another owner, or a folder that is write-protected")
    case .changed: (reason, detail) = (.system, "another program has changed it in the same moment")
    case .exists, .vanished: (reason, detail) = (.system, "another program has made or removed it in the same moment")
    }
  }
}
