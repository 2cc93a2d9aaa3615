internal import Dispatch
internal import Glibc
import ProsceniumLoop

/// The sessions of one application on disk.
///
/// Each session has one file, `<identifier>.session`; one that the user closed is `<identifier>.discarded` until the
/// program has been told. Records are encoded and written by a thread of their own, in the order in which they were
/// saved. A save between a session's discard and its end (``forget(_:)``) is dropped. Beside a record there may be the
/// snapshot of the window, `<identifier>.qoi`.
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

  /// Called on the main thread when saving begins to fail, and for a session that cannot be saved as it is.
  ///
  /// Once, not for each record. Failed records are tried again with the next flush, and once a second.
  package var onFailure: (@MainActor (StoreFailure) -> Void)?
  /// Called on the main thread when everything that failed is saved.
  package var onRecovery: (@MainActor () -> Void)?
  /// How many records have been decoded, for tests.
  package internal(set) var decodedCount = 0

  /// How long the writer's thread waits for more: longer than between two steps of a busy user, and short enough for an
  /// idle program to have one thread soon.
  package nonisolated static let idleTime = Duration.milliseconds(500)
  /// How long an end of the program waits for the disk.
  package static let endTimeout = Duration.seconds(5)
  /// How long an end of the program tries again what fails.
  private static let endRetries = Duration.seconds(3)

  let files: any StoreFiles
  /// Locks the directory for this process.
  private var lock: StoreLock?
  let writer: StoreWriter
  var queue = StoreBatch()
  /// A record in a table that grows by words.
  final class Latest {
    let session: StoredSession

    init(_ session: StoredSession) { self.session = session }
  }

  /// Each session as it was last queued or read.
  var latest: [String: Latest] = [:]
  var discarded: Set<String> = []
  /// The files of newer versions, and those that cannot be read now.
  var untouchable = UntouchableFiles()
  /// Records that were set aside after they had been loaded, every name in the directory once there are any, and how
  /// many bytes of records were decoded, or not, whose sum was wrong.
  var setAside: (damage: [String: DamagedRecord], names: Set<String>?, suspectBytes: Int) = ([:], nil, 0)
  /// Whether records are written within the calls, as a test has it.
  package var writesInline: Bool { writer.runsInline }
  /// The files of what waits for its time, as far as they are there.
  var waiting: Set<WaitingFile> = []
  /// How many bytes of records whose sum is wrong are decoded, at most.
  static let mostSuspectBytes = 1 << 20
  private var refusedIdentifiers: Set<String> = []
  /// Lines that could not be appended to the journal, which precede all others, the sessions whose calls run, and
  /// whether their lines are written at once.
  private var journal: (unnoted: String, connecting: [String], isWrittenAtOnce: Bool) = ("", [], false)
  /// Whether lines of the journal could not be appended; they are tried again with the next ones, and with a flush.
  package var hasUnnoted: Bool { !journal.unnoted.isEmpty }
  /// Notes in the journal that the process ended itself within one of these calls.
  ///
  /// Their lines wait there until the turn of the loop ends.
  var crashNote: CrashNote?

  /// A store in files that no other process uses.
  /// - Parameters:
  ///   - files: Where the records are.
  ///   - runsInline: Whether records are written within ``flush()`` instead of on a thread, and failures reported
  ///     there.
  ///   - idleTime: How long the thread waits for more after its work.
  package init(files: any StoreFiles, runsInline: Bool, idleTime: Duration = SessionStore.idleTime) {
    self.files = files
    writer = StoreWriter(files: files, runsInline: runsInline, idleTime: idleTime)
    writer.onFailure { [weak self] in
      if runsInline {
        MainActor.assumeIsolated { self?.reportFailures() }
      } else {
        DispatchQueue.main.async { self?.reportFailures() }
      }
    }
  }

  /// A store in a directory that is this process's for as long as the object lives.
  package convenience init(_ opened: StorePlace.Opened) {
    self.init(files: opened.files, runsInline: false)
    lock = opened.lock
  }

  /// Sets a function that the writer's thread calls last, whenever it has written pictures.
  package func afterPictures(_ body: @escaping @Sendable () -> Void) { writer.afterPictures(body) }

  /// The part of the store for other threads.
  package var access: StoreAccess { StoreAccess(files: files, writer: writer) }

  private func reportFailures() {
    for report in writer.takeFailures() {
      switch report {
      case .failure(let failure): onFailure?(failure)
      case .ended: onRecovery?()
      }
    }
  }

  private func report(_ message: String, identifier: String? = nil) {
    writer.report(StoreFailure(message: message, identifier: identifier))
  }

  // MARK: Saving

  /// Queues the session's present state, unless that is the one that was last queued or read.
  package func save(_ session: StoredSession) {
    let identifier = session.identifier
    guard !discarded.contains(identifier), latest[identifier]?.session != session else { return }
    guard mayWrite(identifier) else {
      if refusedIdentifiers.insert(identifier).inserted {
        let why =
          untouchable.identifiers.contains(identifier)
          ? "its file is there and is not this version's to change" : "no file can have that name"
        report("The session \"\(identifier)\" was not saved: \(why).", identifier: identifier)
      }
      return
    }
    latest[identifier] = Latest(session)
    queue.save(session)
  }

  /// Queues that the session is gone for good; remembered on disk until ``forget(_:)``.
  package func discard(_ identifier: String) {
    // What cannot be read now needs not be read any more.
    if untouchable.unread.end(identifier) { untouchable.identifiers.remove(identifier) }
    guard mayWrite(identifier), discarded.insert(identifier).inserted else { return }
    latest[identifier] = nil
    queue.discard(identifier)
  }

  /// Queues that the program has been told of the discarded session: nothing of it remains.
  package func forget(_ identifier: String) {
    discarded.remove(identifier)
    if untouchable.unread.isUnlisted { untouchable.unread.ended.insert(identifier) }
    if mayWrite(identifier) { queue.forget(identifier) }
  }

  func mayWrite(_ identifier: String) -> Bool {
    StoreNames.canName(identifier) && !untouchable.identifiers.contains(identifier)
  }

  /// Gives the queue to the writer as one batch, with the records that failed before.
  package func flush() {
    if hasUnnoted { appendToJournal("") }
    let batch = queue
    queue = StoreBatch()
    writer.submit(batch)
  }

  /// Waits until everything that was flushed is on disk.
  /// - Parameter timeout: The longest time to wait.
  /// - Returns: Whether it was in time.
  package func waitUntilWritten(for timeout: Duration) -> Bool { writer.waitForRecords(timeout: timeout) }

  /// Writes everything, and how the program ends; returns when it is on disk, or after a few seconds.
  /// - Parameters:
  ///   - cause: Why it ends; `none` takes the run back, so that the next launch finds what this one found.
  ///   - timeout: The longest time.
  package func end(_ cause: LastRun, within timeout: Duration = SessionStore.endTimeout) {
    // What cannot be noted is the writer's now, which tries longer.
    queue.journal = unwritten + RunJournal.end(cause)
    setUnwritten("")
    flush()
    if !writer.end(timeout: timeout, retries: Self.endRetries) {
      let seconds = Double((timeout.milliseconds + 50) / 100) / 10
      report("The sessions were not saved within \(seconds) seconds: the disk is too slow, or hangs.")
    }
    reportFailures()
  }

  // MARK: The journal

  /// Notes that a call of the session's connection begins.
  ///
  /// From then on a death by the process's own doing is noted, too: one from outside says nothing of the session.
  package func beginConnecting(_ identifier: String) {
    note(RunJournal.begin(identifier))
    if journal.connecting.isEmpty { crashNote?.begin() }
    journal.connecting.append(identifier)
  }

  /// Notes that the call has returned.
  package func endConnecting(_ identifier: String) {
    note(RunJournal.finish(identifier))
    journal.connecting.removeAll { $0 == identifier }
    if journal.connecting.isEmpty { crashNote?.end() }
  }

  /// Tells that no call of a connection follows soon: writes what has been noted.
  /// - Returns: Whether none is under way.
  package func restConnecting() -> Bool {
    if crashNote?.waiting.isEmpty == false { appendToJournal("") }
    crashNote?.rest()
    return journal.connecting.isEmpty
  }

  /// Writes at once that this run holds the session back.
  package func holdBack(_ identifier: String) { appendToJournal(RunJournal.hold(identifier)) }

  /// Lines of calls are written at once from now on: a suspect that lives has to be known, whatever kills the process.
  func writeJournalAtOnce() { journal.isWrittenAtOnce = true }

  /// Writes a line before the process ends by its own doing, or the turn of the loop ends.
  private func note(_ line: String) {
    if journal.isWrittenAtOnce || hasUnnoted || crashNote?.add(line) != true { appendToJournal(line) }
  }

  /// The lines that are not in the journal yet, in their order.
  private var unwritten: String { journal.unnoted + (crashNote?.waiting ?? "") }

  private func setUnwritten(_ lines: String) {
    journal.unnoted = lines
    crashNote?.clear()
  }

  func appendToJournal(_ lines: String) {
    let all = unwritten + lines
    do throws(FileError) {
      try files.append(StoreNames.journal, Array(all.utf8))
      if hasUnnoted { writer.setJournalTrouble(nil) }
      setUnwritten("")
    } catch {
      setUnwritten(RunJournal.again(all))
      writer.setJournalTrouble(
        StoreFailure(
          message: "Could not note a step of a connection in the file \"\(StoreNames.journal)\": \(error). It is tried "
            + "again until it succeeds."))
    }
  }
}

/// The part of an application's store that other threads may use.
package struct StoreAccess: Sendable {
  /// The directory, also for files that are no session's.
  package let files: any StoreFiles
  let writer: StoreWriter

  /// Writes at once that the process ends itself, for what ends it without a handler.
  package func noteCrash() {
    if !CrashNote.write() { try? files.append(StoreNames.journal, Array(CrashNote.text.utf8)) }
  }

  /// Calls a function while nothing is being saved.
  ///
  /// Waits for a save that is under way, however long it takes; none begins before the function has returned.
  package func whileNothingIsSaved(_ body: () -> Void) { writer.whileIdle(body) }
}

/// Where a program stores its sessions.
package enum StoreSource {
  /// Nowhere: they end with the process.
  case none
  /// In a store that a test made.
  case given(SessionStore)
  /// In the user's state directory, as `XDG_STATE_HOME` and `HOME` of these variables name it.
  case directory(environment: [String: String])
}
