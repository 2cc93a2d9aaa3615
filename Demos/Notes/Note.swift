import FoundationEssentials
import Glibc
import Proscenium

/// The document of one window: plain text in a file.
final class Note: Document {
  struct NotText: Error, CustomStringConvertible { var description: String { "it is not UTF-8 text" } }

  /// The text that the file had when it was read last.
  private(set) var text = ""
  /// The text now: the view's.
  var currentText: () -> String = { "" }
  /// Called when ``text`` is to be shown.
  var textWasLoaded: () -> Void = {}
  /// Called with each error, in place of a line on standard error.
  var failed: (DocumentError) -> Void = { _ in }

  /// Files with this ending are encrypted, and cannot be read while the screen is locked.
  private static let protectedEnding = ".private.txt"

  override init(fileURL: URL) {
    super.init(fileURL: fileURL)
    if fileURL.lastPathComponent.hasSuffix(Self.protectedEnding) { protection = .complete }
  }

  /// Whether the user has not said yet that the note is to be kept: its file is the program's own.
  var isNew: Bool { fileURL.deletingLastPathComponent().lastPathComponent == "autosave" }
  var name: String { isNew ? "Untitled" : fileURL.lastPathComponent }
  override var isNotedAsRecent: Bool { !isNew }

  override func contents(forType typeName: String) throws -> Data { Data(currentText().utf8) }

  override func load(fromContents contents: Data, ofType typeName: String) throws {
    // Saving a repaired text would lose the unreadable bytes.
    guard let text = String(validating: contents, as: UTF8.self) else { throw NotText() }
    self.text = text
    textWasLoaded()
  }

  override func handleError(_ error: DocumentError) { failed(error) }

  // MARK: New notes

  /// The file of a session's note until the user keeps it.
  static func fileOfNewNote(of session: SceneSession) throws -> URL {
    let folder = try Application.shared.directories.support.appending(path: "autosave")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder.appending(path: session.persistentIdentifier + ".txt")
  }

  var hasFile: Bool { FileManager.default.fileExists(atPath: fileURL.path) }

  /// Keeps a new note under the first free name `Untitled N.txt`; saves any other one.
  func keep() async -> Bool {
    guard isNew else { return await save(to: fileURL, for: .forOverwriting) }
    guard let folder = try? Application.shared.directories.support else { return false }
    let old = fileURL
    for number in 1...9999 {
      if await save(to: folder.appending(path: "Untitled \(number).txt"), for: .forCreating) {
        try? FileManager.default.removeItem(at: old)
        return true
      }
      guard error?.reason == .exists else { return false }
    }
    return false
  }

  /// Saves the note as another file.
  ///
  /// A file that is there, which the user has agreed to replace, stays beside it with a `~` after its name.
  func save(as url: URL) async -> Bool {
    let old = fileURL
    let wasNew = isNew
    if url.standardizedFileURL == old.standardizedFileURL { return await save(to: old, for: .forOverwriting) }
    var isSaved = await save(to: url, for: .forCreating)
    if !isSaved, error?.reason == .exists, rename(url.path, url.path + "~") == 0 {
      isSaved = await save(to: url, for: .forCreating)
      if !isSaved { rename(url.path + "~", url.path) }
    }
    if isSaved, wasNew { try? FileManager.default.removeItem(at: old) }
    return isSaved
  }

  /// Closes a new note that is not to be kept, and removes its file.
  func discard() async {
    await close()
    try? FileManager.default.removeItem(at: fileURL)
  }
}
