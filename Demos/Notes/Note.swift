import FoundationEssentials
import Glibc
import Proscenium

/// The document of one window: plain text in a file.
final class Note: Document {
  struct NotText: Error, CustomStringConvertible { var description: String { "it is not UTF-8 text" } }
  struct Taken: Error, CustomStringConvertible {
    var description: String { "The note cannot be saved: its file has an earlier one." }
  }
  struct Withheld: Error, CustomStringConvertible {
    var description: String { "its text is read again when the screen is unlocked" }
  }

  /// The text that the file had when it was read last.
  private(set) var text = ""
  /// The text now: the view's.
  var currentText: () -> String = { "" }
  /// Called when ``text`` is to be shown.
  var textWasLoaded: () -> Void = {}
  /// Called when the text is not to be in memory any more.
  var textIsWithheld: () -> Void = {}
  /// Whether the text of a protected note is in its file alone, because the screen is locked.
  private(set) var isWithheld = false
  private var isLocked = false
  private var isBeginning = false
  /// Whether the note had a file when it was made, or should have had one.
  private(set) var isToBeRead = false
  /// Where new notes are; nil where that is not known, so that this is none of them.
  private let folderOfNewNotes = try? Note.folderOfNewNotes()
  /// Called with each error, in place of a line on standard error.
  var failed: (DocumentError) -> Void = { _ in }

  /// Files with this ending are encrypted, and cannot be read while the screen is locked.
  private static let protectedEnding = ".private.txt"

  override init(fileURL: URL) {
    super.init(fileURL: fileURL)
    protection = Self.protection(of: fileURL)
    // A new note has no file before something is written.
    isToBeRead = hasFile || !isNew
  }

  /// When the text of a note with this name can be read.
  static func protection(of url: URL) -> FileProtection {
    url.lastPathComponent.hasSuffix(protectedEnding) ? .complete : .none
  }

  /// Whether the user has not said yet that the note is to be kept: its file is the program's own.
  var isNew: Bool { fileURL.deletingLastPathComponent().path == folderOfNewNotes?.path }
  var name: String { isNew ? "Untitled" : fileURL.lastPathComponent }
  override var isNotedAsRecent: Bool { !isNew }

  override func contents(forType typeName: String) throws -> Data {
    guard !isWithheld else { throw Withheld() }
    return Data(currentText().utf8)
  }

  override func load(fromContents contents: Data, ofType typeName: String) throws {
    // Saving a repaired text would lose the unreadable bytes.
    guard let text = String(validating: contents, as: UTF8.self) else { throw NotText() }
    // What another program writes now is read again after the unlock.
    guard !isWithheld else { return }
    self.text = text
    textWasLoaded()
  }

  override func handleError(_ error: DocumentError) {
    if !isBeginning || error.reason != .missing { failed(error) }
  }

  // MARK: Protected notes

  /// Makes an empty file for a protected note that is not there yet, of a path on the command line.
  ///
  /// The framework opens files that are there, also in a program that runs already.
  static func makeFile(at path: String) {
    guard protection(of: URL(filePath: path)) != .none else { return }
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { Glibc.close(file) }
  }

  /// Opens the note, or begins a protected one whose file is empty: encrypted, even a note without text is not.
  func openOrBegin() async {
    var status = stat()
    guard protection != .none, lstat(fileURL.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size == 0, unlink(fileURL.path) == 0
    else {
      await open()
      return
    }
    isBeginning = true
    // What could not be saved of an earlier note of this name comes first.
    if !(await open()), error?.reason == .missing, !(await save(to: fileURL, for: .forCreating)) {
      Self.makeFile(at: fileURL.path)
    }
    isBeginning = false
  }

  /// Lets the text go when the screen is locked; not what could not be saved, which is nowhere else.
  func withhold() async {
    isLocked = true
    guard protection == .complete, await autosave(), isLocked, !isWithheld, !hasUnsavedChanges,
      !documentState.contains(.closed)
    else { return }
    isWithheld = true
    text = ""
    undoManager.removeAllActions()
    textIsWithheld()
  }

  /// Reads the text again after the unlock, also where the note could not be opened.
  func giveBack() async {
    isLocked = false
    if documentState == .closed, error?.reason == .unavailable { await openOrBegin() }
    guard isWithheld else { return }
    isWithheld = false
    isWithheld = !(await revert())
  }

  // MARK: New notes

  /// The file of a session's note until the user keeps it.
  static func fileOfNewNote(of session: SceneSession) throws -> URL {
    let folder = try folderOfNewNotes()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder.appending(path: session.persistentIdentifier + ".txt")
  }

  private static func folderOfNewNotes() throws -> URL {
    try Application.shared.directories.support.appending(path: "autosave")
  }

  var hasFile: Bool { FileManager.default.fileExists(atPath: fileURL.path) }

  /// Whether the text is in the file alone: it has not been read yet, or cannot be.
  var isUnread: Bool {
    isToBeRead && documentState.contains(.closed)
      && (!isNew || hasFile || documentState.contains(.progressAvailable))
  }

  /// Waits until the note has been read, if that is under way, and returns whether its text is here; `error` says why
  /// not.
  private func hasText() async -> Bool {
    if documentState.contains(.progressAvailable) { await open() }
    return !isUnread
  }

  /// Saves the note in its place; one that is gone, as the user has been told, is made anew.
  private func saveInPlace() async -> Bool {
    if await save(to: fileURL, for: .forOverwriting) { return true }
    return error?.reason == .vanished ? await resolveConflict(keeping: .own) : false
  }

  /// Keeps a new note under the first free name `Untitled N.txt`; saves any other one.
  func keep() async -> Bool {
    guard await hasText() else { return false }
    guard isNew else { return await saveInPlace() }
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
  /// What a file that is there has, which the user has agreed to replace, stays beside it: with a `~` after its name,
  /// or `~2` and so on.
  func save(as url: URL) async -> Bool {
    guard await hasText() else { return false }
    let old = fileURL
    let wasNew = isNew
    if url.standardizedFileURL == old.standardizedFileURL { return await saveInPlace() }
    let protection = Self.protection(of: url)
    var isSaved = await save(to: url, for: .forCreating, protection: protection)
    if !isSaved, error?.reason == .exists, let copy = await Task.detached(operation: { Self.copy(of: url) }).value {
      // The file has the old content or the new one at any moment.
      isSaved = await save(to: url, for: .forOverwriting, protection: protection)
      if !isSaved { try? FileManager.default.removeItem(at: copy) }
    }
    if isSaved, wasNew { try? FileManager.default.removeItem(at: old) }
    return isSaved
  }

  /// Copies a file beside it, to the first free name, and returns that when the copy is on the disk; nil where that
  /// fails.
  ///
  /// No second name of the file: a file that has several names is written into.
  private nonisolated static func copy(of url: URL) -> URL? {
    for number in 1...9999 {
      let copy = URL(filePath: url.path + "~" + (number == 1 ? "" : "\(number)"))
      guard access(copy.path, F_OK) != 0 else { continue }
      do {
        try FileManager.default.copyItem(at: url.resolvingSymlinksInPath(), to: copy)
      } catch let error as CocoaError where error.code == .fileWriteFileExists {
        continue
      } catch {
        // Half a copy is none.
        try? FileManager.default.removeItem(at: copy)
        return nil
      }
      return sync(copy) && sync(copy.deletingLastPathComponent()) ? copy : nil
    }
    return nil
  }

  private nonisolated static func sync(_ url: URL) -> Bool {
    let file = Glibc.open(url.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { Glibc.close(file) }
    return fsync(file) == 0
  }

  /// Closes a note whose changes are not to be kept, and removes the file of a new one.
  func discard() async {
    // A write that is under way, and fails, makes them changes again.
    for _ in 1...3 {
      updateChangeCount(.cleared)
      if await close() { break }
    }
    if isNew { try? FileManager.default.removeItem(at: fileURL) }
  }
}
