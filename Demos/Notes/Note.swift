/// One document, and whether its text has changed since it was saved.
///
/// The text is never in the scene's restoration state alone: text that the document lacks is in a file of
/// its own, the autosave, until it is saved or discarded.
@MainActor struct Note: Sendable {
  /// The document's path; nil until a new note is saved.
  private(set) var document: String?
  /// Whether the text differs from the document.
  private(set) var isEdited = false
  /// Whether the text differs from the autosave.
  private var isUnkept = false
  private let session: String

  /// Opens the note of a session as the last run left it; `problem` is a sentence for the user.
  static func open(document: String?, session: String) -> (note: Note, text: String, problem: String?) {
    var note = Note(document: document, session: session)
    var problem: String?
    var saved: String?
    var text = ""
    do throws(Documents.Failure) {
      saved = try document.flatMap { path throws(Documents.Failure) in try Documents.read(path) }
      text = saved ?? ""
    } catch {
      // Not to be overwritten with something that it never was.
      note.document = nil
      problem = error.text
    }
    guard let autosave = try? Documents.autosave(of: session) else { return (note, text, problem) }
    do throws(Documents.Failure) {
      // The autosave is read without a limit of its size.
      if let kept = try Documents.read(autosave, limit: .max) {
        text = kept
        // Not `==`, to which different code points may be the same text.
        note.isEdited = !kept.utf8.elementsEqual((saved ?? "").utf8)
      }
    } catch {
      problem = error.text
      Documents.setAside(autosave)
    }
    return (note, text, problem)
  }

  /// The note of a scene before it is connected.
  static let empty = Note(document: nil, session: "")

  private init(document: String?, session: String) {
    self.document = document
    self.session = session
  }

  var name: String { document.flatMap { $0.split(separator: "/").last.map { String($0) } } ?? "Untitled" }

  /// Something has been written.
  mutating func edited() {
    isEdited = true
    isUnkept = true
  }

  /// Writes the document; afterwards there is nothing to keep beside it.
  mutating func save(_ text: String) throws(Documents.Failure) {
    if let document {
      try Documents.write(text, to: document)
    } else {
      document = try Documents.create(text)
    }
    isEdited = false
    isUnkept = false
    Documents.remove(try Documents.autosave(of: session))
  }

  /// Writes the autosave, if it is behind.
  mutating func writeAutosave(_ text: String) throws(Documents.Failure) {
    guard isUnkept else { return }
    try Documents.write(text, to: Documents.autosave(of: session), permissions: 0o600)
    isUnkept = false
  }
}
