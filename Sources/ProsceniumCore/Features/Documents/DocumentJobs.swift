internal import Dispatch
import FoundationEssentials

/// What is to be done with a document's file, one after the other.
@MainActor final class DocumentJobs {
  enum Kind: Equatable {
    case open
    /// Saves into a file, with another protection from then on unless it is nil.
    case save(URL, Document.SaveOperation, FileProtection? = nil)
    /// Saves changes, or keeps them.
    case autosave
    /// The same, before ``close``.
    case saveForClosing
    /// Writes whatever is in the file.
    case overwrite
    case keep
    case look
    /// Gives the kept version, which cannot be loaded, another name.
    case putAside
    /// Removes the kept version, whose changes were undone.
    case dropKept
    case revert
    case close
    /// The same, unless a scene shows the document by then.
    case closeUnlessShown
  }

  /// The time after which a job is taken for one whose disk may not answer, in seconds.
  private static let slowTime = 3.0

  typealias Job = (kind: Kind, done: (@MainActor (Bool) -> Void)?)

  /// The document, which owns this.
  weak var document: Document?
  private var waiting: [Job] = []
  var running: (job: Job, work: DocumentWork)?
  /// A job is being begun, for which the program is called: what it asks for meanwhile comes after that.
  private var isBeginning = false
  /// What the document's kept version was made from; nil where it has kept none since it was opened.
  var keptFrom: KnownContent?
  /// A job waits for the key that its content is encrypted with.
  var awaitsCipher = false
  /// What keeps changes while a job takes too long.
  private var meanwhile: DocumentWork?
  private var backgroundTask = BackgroundTaskIdentifier.invalid

  var isBusy: Bool { running != nil || awaitsCipher || !waiting.isEmpty }

  func enqueue(_ kind: Kind, isNext: Bool = false, done: (@MainActor (Bool) -> Void)? = nil) {
    assertMainThread()
    // What nobody waits for need not be done twice.
    if done == nil, waiting.contains(where: { $0.kind == kind }) { return }
    // Counts at once: the program is not suspended, and does not end, before it is done.
    if backgroundTask == .invalid, let document, let application = document.application {
      // A wait for a key, for which the user is asked, may be longer than the background time.
      backgroundTask = application.beginBackgroundTask(
        withName: "the document \(document.localizedName)",
        expirationHandler: { [weak self] in self?.endBackgroundTask() })
    }
    waiting.insert((kind, done), at: isNext ? 0 : waiting.count)
    next()
  }

  /// Begins the next jobs, until one takes time.
  func next() {
    while running == nil, !isBeginning, !awaitsCipher, !waiting.isEmpty, let document {
      let job = waiting.removeFirst()
      // Of a program that was killed, in a test, nothing reaches the files any more.
      let isOver = document.application?.host.isDead != false
      if let succeeded = isOver ? false : begin(job, of: document) { job.done?(succeeded) }
    }
    if !isBusy { endBackgroundTask() }
  }

  /// Begins a job, with the cipher that it needs.
  /// - Returns: Whether it has succeeded; nil where it takes time.
  private func begin(_ job: Job, of document: Document) -> Bool? {
    isBeginning = true
    defer { isBeginning = false }
    let feature = document.application?.conductor?.feature(Documents.self)
    if job.kind == .closeUnlessShown, feature?.isShown(document) == true { return false }
    let protection = job.kind.protection ?? document.protection
    guard protection != .none, let use = job.kind.cipherUse(document.machine, isKnown: document.known != nil) else {
      return document.start(job, nil)
    }
    guard let protector = document.application?.value(FileProtectorKey.self) else {
      return refused(.missing, job.kind)
    }
    switch protector.cipher(protection, for: use) {
    case .success(let cipher): return document.start(job, cipher)
    case .failure(let failure): return refused(failure, job.kind)
    case nil: break
    }
    awaitsCipher = true
    protector.fetchKey(protection) { [self] in
      awaitsCipher = false
      if let succeeded = begin(job, of: document) { job.done?(succeeded) }
      next()
    }
    return nil
  }

  /// A job cannot be done, because the content can neither be encrypted nor decrypted.
  /// - Returns: False.
  func refused(_ failure: ProtectionFailure, _ kind: Kind) -> Bool {
    guard let document else { return false }
    var url = document.fileURL
    switch kind {
    case .look:
      switch failure {
      // Looked at again when it is available.
      case .unavailable, .noCipher, .noKey, .missing: return false
      case .otherKey, .damaged, .newer, .notProtected: notDecrypted(document)
      }
    case .putAside, .dropKept, .close, .closeUnlessShown: return false
    case .open: document.reduce(.failedToOpen)
    case .revert: document.setRereading(false)
    case .save(let other, _, _) where other.path != url.path || document.machine.phase != .open:
      url = other
      if document.machine.writing != nil { document.reduce(.notWritten(.elsewhere)) }
    case .save, .overwrite, .autosave, .saveForClosing: document.reduce(.notWritten(.withheld))
    case .keep: document.reduce(.notTaken)
    }
    document.fail(DocumentError(protecting: failure, url))
    return false
  }

  /// What another program has put in the place of the file cannot be decrypted, now or later: it is not written over by
  /// what was there before, unless the user wants that.
  private func notDecrypted(_ document: Document) {
    let isNew = document.machine.trouble != .conflict
    if isNew { document.reduce(.notLoaded) }
    let unknown = Document.Conflict(contentsOnDisk: Data())
    let isOther = exchange(&document.conflict, with: unknown) != unknown
    if isNew { document.trace("conflict") }
    if isOther { document.stateMayHaveChanged(force: true) }
  }

  private func endBackgroundTask() {
    document?.application?.endBackgroundTask(backgroundTask)
    backgroundTask = .invalid
  }

  /// Writes what is unsaved, and returns when it is on the disk, or at the time limit; without the main queue.
  /// - Returns: False where the disk has not answered in time.
  func finish(until end: DispatchTime) -> Bool {
    var tries = 0
    while let document {
      // The program has called from within what a job has called.
      if isBeginning { return false }
      if !isBusy {
        guard document.machine.isUrgent, tries < 3 else { return true }
        tries += 1
        enqueue(.autosave)
      }
      // Only the loop can bring a key.
      guard !awaitsCipher else { return true }
      guard let work = running?.work else { continue }
      guard work.wait(until: end) else { return false }
      document.collect()
    }
    return true
  }

  // MARK: Disks that do not answer

  /// Whether the disk may not answer.
  var isSlow: Bool { running.map { $0.work.began + Self.slowTime < .now() } ?? false }

  /// Keeps what is nowhere on the disk while a job takes too long, perhaps for ever: beside it, by a thread of its own.
  /// - Parameter end: How long that is waited for, without the main queue.
  func keepMeanwhile(until end: DispatchTime = .now()) {
    if meanwhile == nil, let document, let known = document.known, document.machine.isUrgent,
      let disk = disk(of: document), let content = document.snapshot()
    {
      document.fail(DocumentError(.notAnswering, document.fileURL))
      document.reduce(.keeping)
      let path = document.fileURL.path
      meanwhile = DocumentWork(
        { disk.keepUnseen(content, of: known, path) }, whenDone: { [weak self] in self?.collectMeanwhile() })
      // The version may come after the write whose end makes it needless has looked for one.
      enqueue(.dropKept)
    }
    if meanwhile?.wait(until: end) == true { collectMeanwhile() }
  }

  /// Whether a version is being written that is not on the disk yet.
  var isKeeping: Bool {
    if meanwhile != nil { return true }
    return switch running?.job.kind {
    case .keep: true
    case .autosave, .saveForClosing: document?.machine.writing == nil
    default: false
    }
  }

  private func collectMeanwhile() {
    guard let document, let outcome = meanwhile?.outcome else { return }
    meanwhile = nil
    if document.handle(outcome, of: .keep) { enqueue(.dropKept) }
  }

  /// The disk of a document, where its cipher is at hand.
  private func disk(of document: Document) -> DocumentDisk? {
    guard document.protection != .none else { return DocumentDisk(document, nil) }
    let protector = document.application?.value(FileProtectorKey.self)
    guard case .success(let cipher) = protector?.cipher(document.protection, for: .write) else { return nil }
    return DocumentDisk(document, cipher)
  }
}

extension DocumentJobs.Kind {
  /// The file that is written, where it may be another one than the document's.
  var url: URL? { if case .save(let url, _, _) = self { url } else { nil } }

  /// The class of the file that is written, where it is not the document's.
  var protection: FileProtection? { if case .save(_, _, let protection) = self { protection } else { nil } }

  /// What a job needs the cipher of a protected document for; nil for one that does nothing with the content.
  func cipherUse(_ machine: DocumentMachine.State, isKnown: Bool) -> CipherUse? {
    switch self {
    case .open: machine.phase == .closed ? .read : nil
    case .save, .overwrite: .write
    case .autosave, .saveForClosing: machine.next == .nothing ? nil : .write
    case .keep: machine.canBeKept ? .write : nil
    case .look: machine.phase == .open && isKnown ? .read : nil
    case .revert: machine.phase == .open ? .read : nil
    case .putAside, .dropKept, .close, .closeUnlessShown: nil
    }
  }
}
