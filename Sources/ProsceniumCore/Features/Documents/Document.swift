public import FoundationEssentials
import ProsceniumStore

/// A file that the user edits: read and written off the main thread, saved by itself, and safe from other programs.
///
/// ```swift
/// final class Letter: Document {
///   var text = ""
///   override func contents(forType typeName: String) throws -> Data { Data(text.utf8) }
///   override func load(fromContents contents: Data, ofType typeName: String) throws {
///     text = String(decoding: contents, as: UTF8.self)
///   }
/// }
/// ```
///
/// A subclass overrides these two, says of each change that it is one (``updateChangeCount(_:)``, or with
/// ``undoManager``), and shows ``documentState``. Used on the main thread. See <doc:Documents>.
///
/// **When it is saved.** Within a second of a change, when a scene that shows it resigns or enters the background,
/// before the program is suspended, before the machine sleeps, and before the program ends; for each write the program
/// has background time. A `kill -9` loses what was changed in the last second and in the time of a write.
///
/// **How it is saved.** The new content is written into a file beside the old one, synced, and renamed; it has the
/// permissions and the group of the old one. A symbolic link stays, and its target is replaced. A file with several
/// names (hard links), of another user, or in a folder to which nobody may write is written into; the new content lies
/// in the kept version meanwhile, and the next ``open()`` ends a write that a kill has interrupted. A file that is
/// write-protected is left alone.
///
/// **Other programs.** The file is watched while the document is open. One that another program has changed is read
/// again, silently, where there are no unsaved changes; otherwise the document is ``State/inConflict`` and has both
/// versions (``conflict``). Nothing is written over a file that is not what the document knows.
///
/// **Kept versions.** Changes that cannot be in the file, because of a conflict or an error, are in
/// `$XDG_STATE_HOME/<application id>/documents` (`~/.local/state` where the variable is not set), and the next
/// ``open()`` has them again as unsaved changes.
@preconcurrency @MainActor open class Document {
  /// The states of a document; empty for one that is open and well.
  public struct State: OptionSet, Hashable, Sendable {
    /// The states as bits.
    public let rawValue: Int
    /// States of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// It is open, and nothing is wrong.
    public static let normal: State = []
    /// It has not been opened, or has been closed.
    public static let closed = State(rawValue: 1)
    /// Another program has changed the file, and there are unsaved changes: see ``Document/conflict``.
    public static let inConflict = State(rawValue: 2)
    /// The last save has failed, or the file is gone: see ``Document/error``.
    public static let savingError = State(rawValue: 4)
    /// The content is about to be replaced by that of the file; what the user types now is lost.
    public static let editingDisabled = State(rawValue: 8)
    /// The file is being read for ``Document/open()``.
    public static let progressAvailable = State(rawValue: 16)
  }

  /// The kinds of changes of the content.
  public enum ChangeKind: Hashable, Sendable, CaseIterable {
    /// Something was changed.
    case done
    /// The last change was undone.
    case undone
    /// A change that was undone was made again.
    case redone
    /// The content is what is in the file.
    case cleared
  }

  /// How a document is saved.
  public enum SaveOperation: Hashable, Sendable, CaseIterable {
    /// Into a new file, which must not be there.
    case forCreating
    /// Into the document's file.
    case forOverwriting
  }

  /// Which version stays after a conflict.
  public enum Version: Hashable, Sendable, CaseIterable {
    /// That of the document: the file is replaced.
    case own
    /// That of the file: the document's unsaved changes are given up.
    case onDisk
  }

  /// Posted when ``Document/documentState``, ``Document/hasUnsavedChanges`` or ``Document/conflict`` has changed, when
  /// there is another ``Document/error``, and after the content was read again.
  public struct StateDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The document.
    public typealias Subject = Document
    /// The document.
    public let document: Document
  }

  /// The two versions of a document that another program has changed.
  public struct Conflict: Hashable, Sendable {
    /// The content that the file has now; the document has the other one.
    ///
    /// Empty where the document is protected, and the file is damaged, not encrypted, or encrypted with another key:
    /// ``Document/error`` says which.
    public let contentsOnDisk: Data
  }

  // MARK: What it is

  /// The file; another one after a save into a new file.
  public internal(set) var fileURL: URL
  /// The name for the user: the file's, without what follows the last dot.
  open var localizedName: String { fileURL.deletingPathExtension().lastPathComponent }
  /// The media type of the content, by the end of the file's name; `application/octet-stream` where that says nothing.
  open var fileType: String { MediaType.of(fileURL.lastPathComponent) }
  /// When the content of the file was last changed, as far as the document knows; nil before it is open.
  public var fileModificationDate: Date? {
    known.map { Date(timeIntervalSince1970: Double($0.identity.modified) / 1e9) }
  }
  /// Whether the file is noted in the desktop's list of recent files when it is opened or made: yes by default.
  open var isNotedAsRecent: Bool { true }
  /// When the content can be read: an ordinary file by default.
  ///
  /// Set before ``open()``, which reads a file in this class alone; each save writes in the class of its moment. While
  /// the content of a ``FileProtection/complete`` document is unavailable, ``error`` has
  /// ``DocumentError/Reason/unavailable``. What is changed meanwhile is in the program's memory alone, and saved as
  /// soon as the screen is unlocked. See <doc:Documents>.
  public var protection = FileProtection.none {
    didSet {
      assertMainThread()
      if protection != oldValue { application?.conductor?.feature(Documents.self)?.protectionChanged(self) }
    }
  }
  /// What can be undone.
  ///
  /// The document counts its changes by it.
  public let undoManager = UndoManager()

  var machine = DocumentMachine.State() { didSet { assertMainThread() } }
  /// The last error of reading or writing; nil after a success.
  public internal(set) var error: DocumentError?
  /// The other version while the document is ``State/inConflict``; nil otherwise.
  public internal(set) var conflict: Conflict?
  var isRereading = false
  /// It is closed when its changes have been saved or kept: on a full disk, or without the cipher, neither is possible.
  var closesOnceSaved = false
  weak var application: Application?
  var known: KnownContent?
  let jobs = DocumentJobs()
  /// The number of the document in the trace.
  let number: Int
  private static var lastNumber = 0
  private var lastState = State.closed
  private var hadUnsavedChanges = false

  /// Makes a document of a file, which need not be there yet; reads nothing.
  /// - Parameter fileURL: The file.
  public init(fileURL: URL) {
    self.fileURL = fileURL
    Self.lastNumber += 1
    number = Self.lastNumber
    application = Application.shared
    jobs.document = self
    undoManager.onChange = { [weak self] change in
      switch change {
      case .done: self?.updateChangeCount(.done)
      case .undone: self?.updateChangeCount(.undone)
      case .redone: self?.updateChangeCount(.redone)
      case .untracked: self?.reduce(.changedSomehow)
      }
    }
  }

  // MARK: For subclasses

  /// The content as bytes; called on the main thread before each save, and before a version is kept.
  ///
  /// The default has none. It is called as the content is, in the middle of the user's work: it takes the value, and
  /// the writing is done elsewhere.
  /// - Parameter typeName: The media type.
  /// - Returns: The bytes.
  /// - Throws: An error that the user is shown as a part of a sentence.
  open func contents(forType typeName: String) throws -> Data { Data() }

  /// Takes over the content of the file; called on the main thread when the document is opened, reverted, or has been
  /// changed by another program.
  ///
  /// The default does nothing.
  /// - Parameters:
  ///   - contents: The bytes.
  ///   - typeName: The media type.
  /// - Throws: An error that the user is shown as a part of a sentence: the bytes are no such document.
  open func load(fromContents contents: Data, ofType typeName: String) throws {}

  /// Handles an error of reading or writing; called on the main thread, once for each new one.
  ///
  /// The default writes it to standard error. ``error`` has it, too.
  /// - Parameter error: The error.
  open func handleError(_ error: DocumentError) { application?.conductor?.report("\(error)") }

  // MARK: States

  /// The state of the document.
  public var documentState: State {
    switch machine.phase {
    case .closed: return .closed
    case .opening: return [.closed, .progressAvailable]
    case .open: break
    }
    var state: State = isRereading ? .editingDisabled : .normal
    switch machine.trouble {
    case .none: break
    case .failed, .vanished: state.insert(.savingError)
    case .conflict: state.insert(.inConflict)
    }
    return state
  }

  /// Whether the document has changes that are not in its file.
  public var hasUnsavedChanges: Bool { machine.hasUnsavedChanges }

  /// Counts a change of the content, which is saved within a second.
  ///
  /// For changes that are not registered with ``undoManager``. Ignored while the document is being opened. One that is
  /// to have a new file counts them before it is open: they are said to be lost if the program ends without that file.
  /// - Parameter change: The change.
  public func updateChangeCount(_ change: ChangeKind) { reduce(.changed(change)) }

  /// Says that the state may have changed.
  func stateMayHaveChanged(force: Bool = false) {
    let state = documentState
    let isSame = state == lastState && hasUnsavedChanges == hadUnsavedChanges
    (lastState, hadUnsavedChanges) = (state, hasUnsavedChanges)
    guard force || !isSame else { return }
    NotificationCenter.default.post(StateDidChangeMessage(document: self), subject: self)
  }

  // MARK: Reading and writing

  /// Reads the file, and opens the document.
  ///
  /// What could not be saved when the document was last open is there again, as unsaved changes.
  /// - Returns: Whether it is open now; ``error`` says why not.
  @discardableResult public func open() async -> Bool { await run(.open) }

  /// Saves the changes, and closes the document; it can be opened again.
  ///
  /// Changes that cannot be in the file are kept beside it.
  /// - Returns: Whether it is closed; it stays open where the changes could neither be saved nor kept: see ``error``.
  ///   That is tried again, and it is closed then unless a scene shows it. Where the user gives the changes up, call
  ///   ``updateChangeCount(_:)`` with ``ChangeKind/cleared`` before.
  @discardableResult public func close() async -> Bool {
    jobs.enqueue(.saveForClosing)
    return await run(.close)
  }

  /// Saves the content.
  ///
  /// A new file that was made is the document's from now on; a document that was not open is open then, and what its
  /// file had is written over by ``SaveOperation/forOverwriting``, but not after an ``open()`` that has failed.
  /// - Parameters:
  ///   - url: The file.
  ///   - operation: Whether it is a new file.
  /// - Returns: Whether the content is in the file and on the disk; ``error`` says why not.
  @discardableResult public func save(to url: URL, for operation: SaveOperation) async -> Bool {
    await run(.save(url, operation))
  }

  /// Saves the content as ``save(to:for:)`` does; another ``protection`` is the document's once the file has it.
  /// - Parameters:
  ///   - url: The file.
  ///   - operation: Whether it is a new file.
  ///   - protection: When the content of the file can be read.
  /// - Returns: Whether the content is in the file and on the disk; ``error`` says why not.
  @discardableResult public func save(to url: URL, for operation: SaveOperation, protection: FileProtection) async
    -> Bool
  { await run(.save(url, operation, protection)) }

  /// Saves the changes, if there are any; keeps them beside the file where they cannot be in it.
  /// - Returns: Whether all changes are on the disk.
  @discardableResult public func autosave() async -> Bool {
    guard machine.hasUnsavedChanges else { return true }
    if await run(.autosave) { return true }
    // After what has followed from it.
    _ = await run(.keep)
    return !machine.hasUnsavedChanges || machine.isKept
  }

  /// Reads the file again, and gives up all changes since it was saved.
  /// - Returns: Whether the document has the content of the file; ``error`` says why not, unless it is not open.
  @discardableResult public func revert() async -> Bool { await run(.revert) }

  /// Ends a conflict, or the absence of the file.
  ///
  /// To have both versions, save the document's into a new file: ``save(to:for:)``.
  /// - Parameter version: The version that stays; ``Version/own`` makes a file anew that is gone.
  /// - Returns: Whether the document and its file have that version now; false where it is not open.
  @discardableResult public func resolveConflict(keeping version: Version) async -> Bool {
    switch version {
    case .own: await run(.overwrite)
    case .onDisk: await run(.revert)
    }
  }
}

extension Document: nonisolated Hashable {
  /// Whether both are the same object.
  public nonisolated static func == (left: Document, right: Document) -> Bool { left === right }
  /// Hashes the identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Document.StateDidChangeMessage> {
  /// Names ``Document/StateDidChangeMessage``.
  public static var documentStateDidChange: Self { .init() }
}
