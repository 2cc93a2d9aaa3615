public import FoundationEssentials
import ProsceniumLoop
import ProsceniumStore

/// Why a document could not be read or written, and what the user can do.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There is no file, or no folder, of that name.
    case missing
    /// The file that was opened has been deleted, moved or renamed by another program.
    case vanished
    /// Another program has changed the file since it was read.
    case changedElsewhere
    /// There is a file already where a new one is to be made.
    case exists
    /// The file is write-protected.
    case locked
    /// No file can be made in the folder.
    case folderLocked
    /// The file may not be read.
    case notPermitted
    /// What has the name is no regular file.
    case notAFile
    /// The disk, or the user's part of it, is full.
    case diskFull
    /// The disk of the file does not answer: what could not be written for some seconds is kept elsewhere meanwhile.
    case notAnswering
    /// The file is larger than a program can be given.
    case tooLarge
    /// The content is none that the document understands: `load(fromContents:ofType:)` has thrown an error.
    case content
    /// The document could not put its content into bytes: `contents(forType:)` has thrown an error.
    case encoding
    /// The version that was kept of unsaved changes is none that the document, or this version of the library,
    /// understands: it is put aside under the name that ``description`` has, and the document has the content of its
    /// file, if there is one.
    case keptVersion
    /// The document is protected, and the screen is locked: it works again after the unlock.
    case unavailable
    /// The document is protected, and has been changed or cut: see ``Document/protection``.
    case damaged
    /// The document is protected, and its cipher or its key cannot be had, the file is not encrypted, or a later
    /// version of the library has encrypted it in another form.
    case protection
    /// Another error of the system.
    case system
  }

  /// The kind of the error.
  public let reason: Reason
  /// The file.
  public let url: URL
  /// What the system, or the document's own code, has said.
  public let detail: String
  /// Whether what has failed is tried again without being asked for.
  private let isRetried: Bool

  init(_ reason: Reason, _ url: URL, _ detail: String = "", isRetried: Bool = true) {
    (self.reason, self.url, self.detail, self.isRetried) = (reason, url, detail, isRetried)
  }

  /// The error and the remedy, as sentences for the user.
  public var description: String {
    let name = "“\(url.lastPathComponent)”"
    return switch reason {
    case .missing: "\(name) cannot be opened: there is no such file. Look whether it has been moved or renamed."
    case .vanished:
      "\(name) has been deleted, moved or renamed. Save it again in its place or under another name, or close it; the "
        + "changes are kept until then."
    case .changedElsewhere: "\(name) has been changed by another program. Choose which version is to stay."
    case .exists: "\(name) cannot be saved as a new file: there is one of that name. Choose another name."
    case .locked:
      "\(name) cannot be saved: the file is write-protected. Save it under another name, or change its permissions."
    case .folderLocked:
      "\(name) cannot be saved: no file can be made in its folder. Save it in another folder, or change the permissions "
        + "of this one."
    case .notPermitted: "\(name) cannot be opened: you may not read it. Ask its owner for permission."
    case .notAFile: "\(name) cannot be used: it is no regular file. Choose a file."
    case .diskFull where isRetried:
      "\(name) cannot be saved: the disk is full. Free some room; it is tried again by itself."
    case .diskFull: "\(name) cannot be saved: the disk is full. Free some room, and save it again."
    case .notAnswering:
      "\(name) cannot be saved yet: its disk does not answer. Look at the disk, or at the connection to it."
    case .tooLarge: "\(name) cannot be opened: it is too large (\(detail))."
    case .content: "\(name) cannot be opened: its content is not what this program reads (\(detail))."
    case .encoding: "\(name) cannot be saved as it is (\(detail))."
    case .keptVersion:
      "Changes of \(name) that were not saved cannot be read by this version of the program. Open them with the one that "
        + "wrote them: they are kept as “\(detail)” in the program's folder of documents."
    case .unavailable, .damaged, .protection, .system: "\(name) cannot be used: \(detail)."
    }
  }
}

extension DocumentError {
  init(reading error: FileError, _ url: URL) {
    switch error {
    case .system(ErrorNumber.missing), .system(ErrorNumber.noFolder): self.init(.missing, url)
    case .system(ErrorNumber.notPermitted), .system(ErrorNumber.noAccess), .foreign: self.init(.notPermitted, url)
    case .notAFile: self.init(.notAFile, url)
    case .tooLarge(let size): self.init(.tooLarge, url, "\(size) bytes")
    case .system: self.init(.system, url, "\(error)")
    }
  }

  init(writing failure: DocumentFailure, _ url: URL, isRetried: Bool = true) {
    switch failure {
    case .changed: self.init(.changedElsewhere, url)
    case .vanished: self.init(.vanished, url)
    case .exists: self.init(.exists, url)
    case .locked: self.init(.locked, url)
    case .folderLocked: self.init(.folderLocked, url)
    case .noPlace:
      self.init(.system, url, "it has several names, and there is no folder to keep its content in while it is written")
    case .notSynced(_, let error):
      self.init(
        .system, url,
        "what was saved last may be lost with a power cut (\(error)); "
          + (isRetried ? "it is saved again by itself" : "save it again"))
    case .file(.system(ErrorNumber.full)), .file(.system(ErrorNumber.quota)):
      self.init(.diskFull, url, isRetried: isRetried)
    case .file(.system(ErrorNumber.missing)): self.init(.vanished, url)
    case .file(.notAFile): self.init(.notAFile, url)
    case .file(let error): self.init(.system, url, "\(error)")
    }
  }
}

extension DocumentError {
  /// Whether it was one of a content that could not be read, of which the file has another one by now.
  func isOver(for content: Data, after last: Document.Conflict?) -> Bool {
    switch reason {
    case .damaged, .protection: true
    case .content: last?.contentsOnDisk != content
    default: false
    }
  }
}

extension DocumentError {
  init(protecting failure: ProtectionFailure, _ url: URL) {
    let reason: Reason =
      switch failure {
      case .unavailable: .unavailable
      case .damaged: .damaged
      case .noCipher, .noKey, .otherKey, .newer, .notProtected, .missing: .protection
      }
    self.init(reason, url, failure.reason)
  }
}

/// The numbers of errors that users can do something about (errno(3)).
private enum ErrorNumber {
  static let notPermitted: Int32 = 1
  static let missing: Int32 = 2
  static let noAccess: Int32 = 13
  static let noFolder: Int32 = 20
  static let full: Int32 = 28
  static let quota: Int32 = 122
}
