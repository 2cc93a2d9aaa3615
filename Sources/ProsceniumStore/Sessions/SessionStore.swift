internal import Dispatch
internal import Glibc
import ProsceniumLoop

/// The sessions of one application on disk.
///
/// One file for each session, `<identifier>.session`; one that the user closed is `<identifier>.discarded` until the
/// program has been told. Records are encoded and written by a thread of their own, in the order in which they were
/// given. What is saved under an identifier between its being discarded and forgotten is dropped. Beside a record there
/// may be what the window showed last, `<identifier>.png`.
@MainActor package final class SessionStore {
  /// How the program's latest run ended.
  package enum LastRun: Hashable, Sendable {
    /// There was none.
    case none
    case died
    case quit
    /// The user logged out, or the machine went down.
    case sessionEnded
  }

  /// Told on the main thread when saving begins to fail, and of a session that cannot be saved as it is.
  ///
  /// Once, not for each record. What failed is kept, and tried again with the next flush.
  package var onFailure: (@MainActor (StoreFailure) -> Void)?
  /// How many records have been decoded, for tests.
  package internal(set) var decodedCount = 0

  /// How many milliseconds the writer's thread stays for more: longer than between two steps of a busy user, and short
  /// enough for an idle program to have one thread soon.
  package nonisolated static let patience = 500

  let files: any StoreFiles
  /// Holds the directory for this process.
  private let lock: StoreLock?
  private(set) var writer: StoreWriter?
  var queue = StoreBatch()
  /// What each session was when it was last queued or read.
  var latest: [String: StoredSession] = [:]
  var discarded: Set<String> = []
  /// Files of newer versions, or that cannot be read just now: not to be written over.
  var untouchable: Set<String> = []
  /// Records that were set aside after they had been loaded, each with what was said about it.
  var setAside: [String: DamagedRecord] = [:]
  private var refusedIdentifiers: Set<String> = []
  private var journalFails = false

  /// A store in files that nobody else uses.
  /// - Parameters:
  ///   - files: Where the records are.
  ///   - runsInline: Write within ``flush()`` instead of on a thread; failures are then told there, too.
  ///   - patience: How many milliseconds the thread stays after its work, in case there is more.
  package convenience init(files: any StoreFiles, runsInline: Bool, patience: Int = SessionStore.patience) {
    self.init(files: files, lock: nil, runsInline: runsInline, patience: patience)
  }

  init(files: any StoreFiles, lock: StoreLock?, runsInline: Bool, patience: Int = SessionStore.patience) {
    self.files = files
    self.lock = lock
    writer = StoreWriter(files: files, runsInline: runsInline, patience: patience) { [weak self] in
      if runsInline {
        MainActor.assumeIsolated { self?.tellFailures() }
      } else {
        DispatchQueue.main.async { self?.tellFailures() }
      }
    }
  }

  /// Calls a function on the writer's thread, last, whenever that thread has written pictures.
  package func afterPictures(_ body: @escaping @Sendable () -> Void) { writer?.afterPictures(body) }

  /// The store for other threads.
  package var access: StoreAccess { StoreAccess(files: files, writer: writer) }

  private func tellFailures() {
    for failure in writer?.takeFailures() ?? [] { onFailure?(failure) }
  }

  func report(_ message: String, identifier: String? = nil) {
    writer?.report(StoreFailure(message: message, identifier: identifier))
  }

  /// Queues the session as it is now, unless that is what was last queued or read.
  package func save(_ session: StoredSession) {
    let identifier = session.identifier
    guard !discarded.contains(identifier), latest[identifier] != session else { return }
    guard StoreNames.canName(identifier), !untouchable.contains(identifier) else {
      if refusedIdentifiers.insert(identifier).inserted {
        let why =
          untouchable.contains(identifier)
          ? "its file is there and is not this version's to change" : "no file can have that name"
        report("The session \"\(identifier)\" was not saved: \(why).", identifier: identifier)
      }
      return
    }
    latest[identifier] = session
    queue.save(session)
  }

  /// Queues that the session is gone for good; remembered on disk until ``forget(_:)``.
  package func discard(_ identifier: String) {
    guard StoreNames.canName(identifier), !untouchable.contains(identifier) else { return }
    guard discarded.insert(identifier).inserted else { return }
    latest[identifier] = nil
    queue.discard(identifier)
  }

  /// Queues that the program has been told of the discarded session: nothing is kept of it, here either.
  package func forget(_ identifier: String) {
    discarded.remove(identifier)
    guard StoreNames.canName(identifier), !untouchable.contains(identifier) else { return }
    queue.forget(identifier)
  }

  /// Hands what is queued to the writer as one batch, with what failed before.
  package func flush() {
    let batch = queue
    queue = StoreBatch()
    writer?.submit(batch)
  }

  /// Returns when what was handed to the writer is on disk, or the time is over; whether it is.
  package func waitUntilWritten(milliseconds: Int) -> Bool {
    writer?.waitForRecords(milliseconds: milliseconds) ?? true
  }

  /// Notes at once that the session's connection begins, so that a death within it is known for one.
  package func beginConnecting(_ identifier: String) { note(RunJournal.begin(identifier)) }

  /// Notes at once that the session's scene has been in the foreground, or need not come there.
  package func endConnecting(_ identifier: String) { note(RunJournal.finish(identifier)) }

  func note(_ line: String) {
    do throws(FileError) {
      try files.append(StoreNames.journal, Array(line.utf8))
      journalFails = false
    } catch {
      if !journalFails {
        report("Could not note a step of the launch in the file \"\(StoreNames.journal)\": \(error).")
      }
      journalFails = true
    }
  }

  /// Writes everything, and how the program ends; returns when it is on disk, or after a few seconds.
  /// - Parameter cause: Why it ends; `none` takes the run back, so that the next launch finds what this one found.
  package func end(_ cause: LastRun) {
    if !RunJournal.end(cause).isEmpty { queue.end = cause }
    flush()
    if writer?.end(seconds: 5) == false {
      report("The sessions were not saved within 5 seconds: the disk is too slow, or hangs.")
    }
    tellFailures()
  }
}
