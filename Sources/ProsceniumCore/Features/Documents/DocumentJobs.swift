import FoundationEssentials

/// What is to be done with a document's file, one after the other.
@MainActor final class DocumentJobs {
  enum Kind: Equatable {
    case open
    case save(URL, Document.SaveOperation)
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
    case revert
    case close
  }

  typealias Job = (kind: Kind, done: (@MainActor (Bool) -> Void)?)

  var waiting: [Job] = []
  var running: (job: Job, work: DocumentWork)?
  /// A job waits for the key that its content is encrypted with.
  var awaitsCipher = false
  var backgroundTask = BackgroundTaskIdentifier.invalid

  var isBusy: Bool { running != nil || awaitsCipher || !waiting.isEmpty }
}

extension DocumentJobs.Kind {
  /// What a job needs the cipher of a protected document for; nil for one that does nothing with the content.
  func cipherUse(_ machine: DocumentMachine.State, isKnown: Bool) -> CipherUse? {
    switch self {
    case .open: machine.phase == .closed ? .read : nil
    case .save, .overwrite: .write
    case .autosave, .saveForClosing: machine.next == .nothing ? nil : .write
    case .keep: machine.isUrgent && machine.trouble != .none ? .write : nil
    case .look: machine.phase == .open && isKnown ? .read : nil
    case .revert: machine.phase == .open ? .read : nil
    case .putAside, .close: nil
    }
  }
}
