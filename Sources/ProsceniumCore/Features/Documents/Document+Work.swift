import FoundationEssentials
import ProsceniumJSON
import ProsceniumStore
import ProsceniumTrace

extension Document {
  private var conductor: Conductor? { application?.conductor }
  private var feature: Documents? { conductor?.feature(Documents.self) }

  // MARK: The machine

  /// Reduces one input, and does what follows.
  func reduce(_ input: DocumentMachine.Input) {
    let (wasUrgent, wasNowhere) = (machine.isUrgent, machine.isNowhere)
    let (next, effects) = DocumentMachine.reduce(machine, input)
    machine = next
    if next.trouble != .conflict { conflict = nil }
    if machine.isUrgent, !wasUrgent { trace("edited") }
    if case .changed = input, wasNowhere, !machine.hasUnsavedChanges { trace("undone") }
    // An undo returns to what is in the file.
    if input == .changed(.cleared) { undoManager.beginNewStep() }
    for effect in effects {
      switch effect {
      case .saveSoon: feature?.saveSoon(self)
      case .keep: jobs.enqueue(.keep, isNext: true)
      case .dropKept: jobs.enqueue(.dropKept, isNext: true)
      case .look: jobs.enqueue(.look, isNext: true)
      case .reread: break
      }
    }
    if !effects.contains(.reread) { stateMayHaveChanged() }
  }

  func fail(_ error: DocumentError, isNew: Bool = true) {
    trace("failed", error.reason.rawValue)
    // Also of a new try: the caches may have been told of another full disk too short a time before the first one.
    if error.reason == .diskFull { conductor?.noteFullDisk() }
    guard isNew else { return }
    let isNew = exchange(&self.error, with: error) != error
    stateMayHaveChanged(force: isNew)
    if isNew { call("handleError(_:)") { handleError(error) } }
  }

  private func call<Result, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let conductor else { return try body() }
    return try conductor.timed(CallDescription(name), body)
  }

  func trace(_ event: String, _ cause: String? = nil) {
    conductor?.trace(
      .system(
        "document",
        [
          "document": .int(number), "event": .string(event), "cause": cause.map { .string($0) },
          "name": .string(fileURL.lastPathComponent),
        ]))
  }

  // MARK: Jobs

  /// Does a job when those before it are done; returns whether it has succeeded.
  func run(_ kind: DocumentJobs.Kind) async -> Bool {
    await withMainActorContinuation { continuation in jobs.enqueue(kind) { continuation.resume(returning: $0) } }
  }

  /// - Returns: Nil: it takes time.
  private func work(_ job: DocumentJobs.Job, _ body: @escaping @Sendable () -> DocumentOutcome) -> Bool? {
    jobs.running = (job, DocumentWork(body, whenDone: { [weak self] in self?.collect() }))
    return nil
  }

  /// Begins a job whose cipher is there.
  /// - Returns: Whether it has succeeded; nil where it takes time.
  func start(_ job: DocumentJobs.Job, _ cipher: (any ContentCipher)?) -> Bool? {
    let (path, disk) = (fileURL.path, DocumentDisk(self, cipher))
    switch job.kind {
    case .open:
      guard machine.phase == .closed else { return machine.phase == .open }
      error = nil
      reduce(.open)
      return work(job) { disk.read(path) }
    case .save(let url, .forCreating, _): return write(job, to: url, expecting: .none, disk)
    case .save(let url, .forOverwriting, _) where url.path != path || machine.phase != .open:
      return write(job, to: url, expecting: url.path == path && machine.isUnread ? .none : .anything, disk)
    case .save:
      guard machine.trouble != .conflict && machine.trouble != .vanished else {
        fail(DocumentError(machine.trouble == .conflict ? .changedElsewhere : .vanished, fileURL))
        return false
      }
      return write(job, to: fileURL, expecting: known.map { .known($0.identity) } ?? .none, disk)
    case .overwrite:
      guard machine.phase == .open else { return false }
      return write(job, to: fileURL, expecting: .anything, disk)
    case .autosave, .saveForClosing:
      switch machine.next {
      case .nothing: return !machine.isNowhere
      case .save: return write(job, to: fileURL, expecting: known.map { .known($0.identity) } ?? .none, disk)
      case .keep: return keep(job, disk)
      }
    case .keep: return machine.canBeKept ? keep(job, disk) : true
    case .look:
      guard machine.phase == .open, let known else { return true }
      let hasVersion = machine.hasVersion
      return work(job) { disk.look(path, known, hasVersion: hasVersion) }
    case .putAside:
      return work(job) { disk.putAside(path) }
    case .dropKept:
      // Newer changes may be kept by now.
      guard machine.phase == .open, !machine.hasVersion, let known else { return true }
      return work(job) { disk.dropKept(known, path) }
    case .revert:
      guard machine.phase == .open, let known else { return false }
      setRereading(true)
      return work(job) { disk.reread(path, known) }
    case .close, .closeUnlessShown:
      guard machine.phase == .open else { return true }
      // On a full disk, or without the cipher, changes are nowhere but here.
      closesOnceSaved = machine.isNowhere
      guard !closesOnceSaved else { return false }
      finishClosing()
      return true
    }
  }

  private func finishClosing() {
    reduce(.close)
    trace("closed")
    (error, known, closesOnceSaved) = (nil, nil, false)
    undoManager.removeAllActions()
    feature?.closed(self)
  }

  func snapshot() -> Data? {
    do {
      let content = try call("contents(forType:)") { try contents(forType: fileType) }
      // An undo returns to what is being saved.
      undoManager.beginNewStep()
      return content
    } catch {
      reduce(.notTaken)
      fail(DocumentError(.encoding, fileURL, "\(error)"))
      return nil
    }
  }

  private func write(
    _ job: DocumentJobs.Job, to url: URL, expecting expected: DocumentExpectation, _ disk: DocumentDisk
  ) -> Bool? {
    guard let content = snapshot() else { return false }
    reduce(.writing)
    let (path, document, last) = (url.path, fileURL.path, known)
    return work(job) { disk.write(content, to: path, of: document, expecting: expected, after: last) }
  }

  private func keep(_ job: DocumentJobs.Job, _ disk: DocumentDisk) -> Bool? {
    guard let known, let content = snapshot() else { return false }
    reduce(.keeping)
    let path = fileURL.path
    return work(job) { disk.keep(content, of: known, path) }
  }

  func setRereading(_ isOn: Bool) {
    isRereading = isOn
    stateMayHaveChanged()
  }

  // MARK: Outcomes

  /// Handles the outcome of the work that is done.
  func collect() {
    guard let (job, work) = jobs.running, let outcome = work.outcome else { return }
    jobs.running = nil
    let succeeded = handle(outcome, of: job.kind)
    job.done?(succeeded)
    jobs.next()
  }

  func handle(_ outcome: DocumentOutcome, of kind: DocumentJobs.Kind) -> Bool {
    switch outcome {
    case .read(let content, let known, let unsaved): return opened(content, known, unsaved)
    case .readVersion(let own, let known, let failure): return openedVersion(own, known, failure)
    case .vanished(let unsaved): return openedVanished(unsaved)
    case .notRead(let error):
      setRereading(false)
      reduce(.failedToOpen)
      fail(DocumentError(reading: error, fileURL))
      return false
    case .refused(let failure): return jobs.refused(failure, kind)
    case .written(let known): return written(known, kind)
    case .notWritten(let failure, let known): return notWritten(failure, known, kind)
    case .kept(let origin):
      jobs.keptFrom = origin
      trace("kept")
      feature?.closeIfPossible(self)
      return true
    case .notKept(let error):
      // That it has failed again is no news.
      let isNew = !machine.isStuck
      reduce(.notKept)
      fail(DocumentError(writing: .file(error), fileURL), isNew: isNew)
      return false
    case .found(let known):
      let isOver = error != nil && machine.isOver(error?.reason)
      (self.known, error) = (known, isOver ? nil : error)
      feature?.placed(self)
      reduce(.found(.known))
      stateMayHaveChanged(force: isOver)
      return true
    case .foundOther(let content, let known): return foundOther(content, known, isReverting: kind == .revert)
    case .foundNone(let failure):
      let wasThere = machine.trouble != .vanished
      reduce(.found(.missing))
      let error = DocumentError(reading: failure, fileURL)
      if wasThere { fail(error.reason == .missing ? DocumentError(.vanished, fileURL) : error) }
      return false
    case .putAside(let name):
      if let name { fail(DocumentError(.keptVersion, fileURL, name)) }
      return true
    case .dropped: return true
    case .torn:
      // The file has a part of what was undone.
      reduce(.changedSomehow)
      return false
    }
  }

  /// Gives the program a content; says why not.
  private func load(_ content: Data, isReported: Bool = true) -> Bool {
    do {
      try call("load(fromContents:ofType:)") { try load(fromContents: content, ofType: fileType) }
      undoManager.removeAllActions()
      return true
    } catch {
      if isReported { fail(DocumentError(.content, fileURL, "\(error)")) }
      return false
    }
  }

  private func opened(_ content: Data, _ known: KnownContent, _ unsaved: UnsavedContent?) -> Bool {
    if let unsaved, unsaved.content.map({ load($0, isReported: false) }) != true {
      // The file itself may be well. Nothing is to be written over the version meanwhile.
      guard opened(content, known, nil) else { return false }
      jobs.enqueue(.putAside, isNext: true)
      return true
    }
    guard unsaved != nil || load(content) else {
      reduce(.failedToOpen)
      return false
    }
    let isConflict = unsaved?.origin != nil
    // Nothing is written over what another program has written, of which the version does not know.
    setOpen(unsaved?.origin ?? known, isUnsaved: unsaved != nil, isConflict: isConflict)
    if isConflict {
      conflict = Conflict(contentsOnDisk: content)
      trace("conflict")
      stateMayHaveChanged(force: true)
    }
    return true
  }

  /// The file cannot be decrypted; the changes that were not in it are there again.
  private func openedVersion(_ own: Data, _ known: KnownContent, _ failure: ProtectionFailure) -> Bool {
    guard load(own, isReported: false) else { return jobs.refused(failure, .open) }
    setOpen(known, isUnsaved: true, isConflict: true)
    trace("conflict")
    // As when the file is looked at.
    _ = jobs.refused(failure, .look)
    return true
  }

  /// The file is gone; the changes that were not in it are there again.
  private func openedVanished(_ unsaved: UnsavedDocument?) -> Bool {
    guard let (content, known) = unsaved, load(content, isReported: false) else {
      reduce(.failedToOpen)
      fail(DocumentError(.missing, fileURL))
      // Nothing is to be written over the version when the file is made anew.
      jobs.enqueue(.putAside, isNext: true)
      return false
    }
    setOpen(known, isUnsaved: true, isConflict: false)
    reduce(.found(.missing))
    fail(DocumentError(.vanished, fileURL))
    return true
  }

  /// The program has the content.
  private func setOpen(_ known: KnownContent, isUnsaved: Bool, isConflict: Bool) {
    (self.known, error) = (known, nil)
    jobs.keptFrom = isUnsaved ? known : nil
    trace("opened")
    feature?.opened(self)
    reduce(.opened(unsaved: isUnsaved, conflict: isConflict))
    if isUnsaved { trace("kept") }
  }

  private func written(_ known: KnownContent, _ kind: DocumentJobs.Kind) -> Bool {
    self.known = known
    error = nil
    var isNew = false
    if case .save(let url, _, let protection) = kind {
      isNew = machine.phase != .open || url.path != fileURL.path
      fileURL = url
      if let protection { self.protection = protection }
    }
    // A new document has nothing to read.
    if machine.phase != .open { trace("opened") }
    let wasUrgent = machine.isUrgent
    trace("saved")
    reduce(.written)
    if machine.isUrgent, wasUrgent { trace("edited") }
    if isNew { feature?.opened(self) } else { feature?.placed(self) }
    feature?.closeIfPossible(self)
    return true
  }

  private func notWritten(_ failure: DocumentFailure, _ new: KnownContent?, _ kind: DocumentJobs.Kind) -> Bool {
    let url = kind.url ?? fileURL
    let isOwn = url.path == fileURL.path
    if isOwn, machine.phase == .open, let new { (known, protection) = (new, kind.protection ?? protection) }
    let isStrange = failure == .changed || failure == .vanished
    reduce(.notWritten(!isOwn ? .elsewhere : isStrange ? .strange : .failed))
    // What is strange is said when it has been looked at, which an open one is.
    if !isStrange || !isOwn || machine.phase != .open {
      fail(DocumentError(writing: failure, url, isRetried: isOwn && machine.phase == .open))
    }
    return false
  }

  private func foundOther(_ content: Data, _ known: KnownContent, isReverting: Bool) -> Bool {
    if isReverting || !machine.hasUnsavedChanges {
      if !isReverting { reduce(.found(.other)) }
      isRereading = true
      let isLoaded = load(content)
      isRereading = false
      if isLoaded {
        // What the program has counted while it loaded is no change of the user's.
        if isReverting || machine.hasUnsavedChanges { reduce(isReverting ? .reverted : .changed(.cleared)) }
        (self.known, error) = (known, nil)
        feature?.placed(self)
        trace(isReverting ? "reverted" : "reread")
      } else {
        // It is not written over by what was there before, unless the user wants that.
        let isNew = conflict == nil
        reduce(.notLoaded)
        conflict = Conflict(contentsOnDisk: content)
        if isNew { trace("conflict") }
      }
      stateMayHaveChanged(force: true)
      return isLoaded
    }
    let isNew = machine.trouble != .conflict
    let wasUnreadable = error?.isOver(for: content, after: conflict) == true
    reduce(.found(.other))
    conflict = Conflict(contentsOnDisk: content)
    if isNew { trace("conflict") }
    if isNew || wasUnreadable { fail(DocumentError(.changedElsewhere, fileURL)) }
    stateMayHaveChanged(force: true)
    return false
  }
}
