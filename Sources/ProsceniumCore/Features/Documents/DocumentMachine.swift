/// The unsaved changes of a document.
struct DocumentChanges: Hashable, Sendable {
  private var count = 0
  /// What was saved cannot be reached by undoing and redoing any more.
  private var isUntracked = false

  /// No changes.
  init() {}

  /// Changes of which nothing is known but that they are there.
  static let untracked: DocumentChanges = {
    var changes = DocumentChanges()
    changes.isUntracked = true
    return changes
  }()

  var isEmpty: Bool { count == 0 && !isUntracked }

  mutating func add(_ kind: Document.ChangeKind) {
    switch kind {
    case .done:
      // What was undone since it was saved cannot be redone any more.
      if count < 0 { isUntracked = true }
      count += 1
    case .undone: count -= 1
    case .redone: count += 1
    case .cleared: self = DocumentChanges()
    }
  }
}

/// The life of a document: what it is, and what has to be done next.
///
/// A pure total function of (state, input) to (state, effects).
enum DocumentMachine {
  enum Phase: Hashable, CaseIterable { case closed, opening, open }

  /// What keeps the changes out of the file.
  enum Trouble: Hashable, CaseIterable {
    case none
    /// It could not be written; that is tried again.
    case failed
    /// Another program has changed the file: the person decides.
    case conflict
    /// The file is gone: the person decides.
    case vanished
  }

  struct State: Hashable {
    var phase = Phase.closed
    var changes = DocumentChanges()
    /// The changes that are being written.
    var writing: DocumentChanges?
    var trouble = Trouble.none
    /// All changes are in the kept version.
    var isKept = false
    /// There is a kept version, perhaps one of earlier changes; never without unsaved changes.
    var hasVersion = false
    /// Not even a kept version could be written; that is tried again.
    var isStuck = false
    /// The content cannot be had; nothing is tried before the next change, or without the cipher.
    var isWithheld = false
    /// It could not be opened: what its file has is not known.
    var isUnread = false

    /// Whether the content is another than that of the file, as far as it is known.
    var hasUnsavedChanges: Bool { phase == .open && (!changes.isEmpty || writing?.isEmpty == false) }
    /// Whether it is to have a new file, which has not been made: what is in it is nowhere, and nothing is tried.
    var isWithoutFile: Bool { phase == .closed && (!changes.isEmpty || writing?.isEmpty == false) }
    /// What is due for the changes.
    var next: Writing {
      guard phase == .open, writing == nil, !changes.isEmpty else { return .nothing }
      switch trouble {
      case .none, .failed: return .save
      case .conflict, .vanished: return isKept ? .nothing : .keep
      }
    }
    /// What is changed when the present write comes to nothing: what was undone meanwhile may be a change, too.
    var changesIfNotWritten: DocumentChanges { writing?.isEmpty != false ? changes : .untracked }
    /// Whether changes are nowhere on the disk.
    var isNowhere: Bool { hasUnsavedChanges && !isKept }
    /// Whether such changes wait for nothing but to be written.
    var isUrgent: Bool { isNowhere && !isStuck && !isWithheld }
    /// Whether changes that cannot be in the file are to be kept, also where that has failed before.
    var canBeKept: Bool { isNowhere && !isWithheld && trouble != .none }
    /// Whether an error is over because the file is found as it is known: it was of another one, of none, of one that
    /// could not be read, or of changes that have been undone since.
    func isOver(_ error: DocumentError.Reason?) -> Bool {
      trouble == .vanished || trouble == .conflict || error == .unavailable && !hasUnsavedChanges
    }
  }

  enum Writing: Hashable { case nothing, save, keep }

  /// What is in the file now.
  enum Finding: Hashable, CaseIterable {
    /// The content that is known, perhaps in another file.
    case known
    /// Another content.
    case other
    /// There is no file.
    case missing
  }

  /// How a write has failed.
  enum Refusal: Hashable, CaseIterable {
    /// The file is not what is known.
    case strange
    case failed
    /// There is no cipher for what is protected.
    case withheld
    /// Another file was to be written: the document's own is as it was.
    case elsewhere
  }

  enum Input: Hashable {
    case open
    /// The content has been read: whether there was a kept version, and the file has changed since.
    case opened(unsaved: Bool, conflict: Bool)
    case failedToOpen
    case changed(Document.ChangeKind)
    /// The undo manager cannot say what the change amounts to.
    case changedSomehow
    /// The content has been taken, and is being written.
    case writing
    case written
    case notWritten(Refusal)
    /// The content has been taken, and is being kept.
    case keeping
    case notKept
    /// The content could not be taken, or is not to be kept without the cipher.
    case notTaken
    /// The cipher may be there again.
    case available
    case found(Finding)
    /// The file has a content that the document cannot load: nothing may be written over it.
    case notLoaded
    /// The content is that of the file again.
    case reverted
    /// The person wants this version, whatever is in the file.
    case resolved
    case close
  }

  enum Effect: Hashable {
    /// Write within a moment.
    case saveSoon
    /// Keep the changes elsewhere, now.
    case keep
    /// Remove the kept version: its changes were undone, and must not come back.
    case dropKept
    /// See what is in the file now.
    case look
    /// The file's content takes the place of this one.
    case reread
  }

  static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    var (next, effects) = step(state, input)
    if next.phase == .open, next.hasVersion, !next.hasUnsavedChanges {
      (next.isKept, next.hasVersion) = (false, false)
      effects.append(.dropKept)
    }
    // Without changes of its own the document has what the file has.
    if case .changed = input, next.trouble == .conflict, state.hasUnsavedChanges, !next.hasUnsavedChanges {
      effects.append(.look)
    }
    return (next, effects)
  }

  private static func step(_ state: State, _ input: Input) -> (State, [Effect]) {
    var next = state
    switch (state.phase, input) {
    case (.closed, .open):
      next = State(phase: .opening)
    // One that is to have a new file: what is changed while that is made is not in it yet.
    case (.closed, .changed(let kind)): next.changes.add(kind)
    case (.closed, .changedSomehow): next.changes = .untracked
    case (.closed, .writing):
      next.writing = state.changes
      next.changes = DocumentChanges()
    case (.closed, .written):
      next = State(phase: .open, changes: state.changes)
      return (next, next.changes.isEmpty ? [] : [.saveSoon])
    case (.closed, .notWritten):
      next.changes = state.changesIfNotWritten
      next.writing = nil
    case (.opening, .opened(let unsaved, let conflict)):
      next.phase = .open
      if unsaved { next.changes = .untracked }
      // It is kept already.
      (next.isKept, next.hasVersion) = (unsaved, unsaved)
      next.trouble = conflict ? .conflict : .none
      return (next, unsaved && !conflict ? [.saveSoon] : [])
    case (.opening, .failedToOpen): next = State(isUnread: true)

    case (.open, .changed(let kind)):
      next.changes.add(kind)
      (next.isKept, next.isStuck, next.isWithheld) = (false, false, false)
      return (next, next.changes.isEmpty ? [] : [.saveSoon])
    case (.open, .changedSomehow):
      next.changes = .untracked
      (next.isKept, next.isStuck, next.isWithheld) = (false, false, false)
      return (next, [.saveSoon])
    case (.open, .writing):
      next.writing = state.changes
      next.changes = DocumentChanges()
    case (.open, .written):
      next.writing = nil
      (next.trouble, next.isKept, next.hasVersion) = (.none, false, false)
      (next.isStuck, next.isWithheld) = (false, false)
      return (next, next.changes.isEmpty ? [] : [.saveSoon])
    case (.open, .notWritten(let refusal)):
      next.changes = state.changesIfNotWritten
      next.writing = nil
      switch refusal {
      case .elsewhere: return (next, next.changes.isEmpty ? [] : [.saveSoon])
      case .strange: return (next, [.look])
      case .failed:
        // A write into the file has its version where an earlier one was, and takes it with it.
        (next.trouble, next.isKept) = (.failed, false)
        return (next, [.keep, .saveSoon])
      case .withheld:
        // A conflict is still one.
        if state.trouble == .none { next.trouble = .failed }
        next.isWithheld = true
      }
    case (.open, .keeping): (next.isKept, next.hasVersion) = (true, true)
    case (.open, .notKept):
      (next.isKept, next.isStuck) = (false, true)
      return (next, next.next == .nothing ? [] : [.saveSoon])
    case (.open, .notTaken): (next.isKept, next.isWithheld) = (false, true)
    case (.open, .available):
      next.isWithheld = false
      // What could not be saved was undone.
      if state.changes.isEmpty, state.trouble == .failed { next.trouble = .none }
      return (next, next.next == .nothing ? [] : [.saveSoon])

    case (.open, .found(.known)):
      if state.trouble == .vanished || state.trouble == .conflict { next.trouble = .none }
      return (next, state.changes.isEmpty ? [] : [.saveSoon])
    case (.open, .found(.other)):
      guard state.hasUnsavedChanges else {
        next.trouble = .none
        return (next, [.reread])
      }
      // The program that has written it may be another instance of this one, whose version has had the same name.
      (next.trouble, next.isKept) = (.conflict, false)
      return (next, [.keep])
    case (.open, .found(.missing)):
      next.trouble = .vanished
      return (next, state.hasUnsavedChanges && !state.isKept ? [.keep] : [])
    case (.open, .notLoaded):
      // A version that was kept has gone with the attempt to revert. A save that was withheld because of this content
      // was one into the file: the changes can be kept.
      (next.trouble, next.isKept, next.isWithheld) = (.conflict, false, false)
      return (next, state.hasUnsavedChanges ? [.keep] : [])
    case (.open, .reverted): next = State(phase: .open)
    case (.open, .resolved):
      next.trouble = .none
      next.changes = .untracked
    case (.open, .close): next = State()

    case (.closed, .opened), (.closed, .failedToOpen), (.closed, .keeping), (.closed, .notKept),
      (.closed, .notTaken), (.closed, .available), (.closed, .found), (.closed, .notLoaded), (.closed, .reverted),
      (.closed, .resolved),
      (.closed, .close),
      (.opening, .open), (.opening, .changed), (.opening, .changedSomehow), (.opening, .writing), (.opening, .written),
      (.opening, .notWritten), (.opening, .keeping), (.opening, .notKept), (.opening, .notTaken),
      (.opening, .available), (.opening, .found),
      (.opening, .notLoaded),
      (.opening, .reverted), (.opening, .resolved), (.opening, .close), (.open, .open), (.open, .opened),
      (.open, .failedToOpen):
      break
    }
    return (next, [])
  }
}
