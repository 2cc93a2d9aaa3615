internal import Glibc
import ProsceniumLoop

/// Writes one batch.
///
/// A record is written under another name, synced and renamed, and the directory synced once at the end: at any moment
/// of a power cut a record is there whole, as it was before or as it is now.
struct BatchWriting {
  /// What was written, and what failed.
  struct Outcome: Sendable {
    /// The first failure of the directory or the disk.
    var trouble: StoreFailure?
    /// The sessions that cannot be saved as they are, however often one tries.
    var refused: [StoreFailure] = []
    /// The identifiers of the sessions that were saved.
    var saved: [String] = []
    /// Whether the last lines of the journal were written.
    var hasNoted = false
  }

  let files: any StoreFiles
  /// The part that failed, to be tried again.
  private(set) var left = StoreBatch()
  private(set) var outcome = Outcome()

  init(files: any StoreFiles) { self.files = files }

  mutating func write(_ batch: StoreBatch) {
    var isDirty = batch.syncsDirectory
    for identifier in batch.order {
      guard let entry = batch.entries[identifier] else { continue }
      do throws(FileError) {
        if try write(entry, identifier) { isDirty = true }
      } catch { fail(entry, identifier, error) }
    }
    if isDirty {
      do throws(FileError) { try files.syncDirectory() } catch {
        // It is not known which of them would survive: all of them again.
        left = batch
        left.syncsDirectory = true
        left.syncsJournal = false
        left.journal = ""
        fail("the names of the saved sessions", error)
        writeJournal(batch)
        return
      }
    }
    removeTombstones(batch)
    writeJournal(batch)
  }

  /// Saves or discards a session.
  /// - Returns: Whether names have changed.
  private mutating func write(_ entry: StoreBatch.Entry, _ identifier: String) throws(FileError) -> Bool {
    let name = StoreNames.record(identifier)
    var changed = false
    var failure: FileError?
    // The record of a session that is discarded and forgotten has no reader.
    if let session = entry.save, !entry.forget {
      do throws(FileError) { changed = try save(session, as: name) } catch { failure = error }
    }
    if entry.discard {
      // The picture first: with the record its name would be lost.
      try files.removeIfThere(StoreNames.picture(identifier))
      do throws(FileError) {
        if entry.forget {
          try files.remove(name)
        } else {
          try files.rename(name, to: StoreNames.tombstone(identifier))
        }
        return true
      } catch FileError.missing {
        // It was never saved, or it is done already.
      }
    }
    if let failure { throw failure }
    return changed
  }

  /// - Returns: Whether names have changed.
  private mutating func save(_ session: StoredSession, as name: String) throws(FileError) -> Bool {
    let bytes: [UInt8]
    do {
      bytes = try RecordCoder.encode(session)
    } catch {
      refuse(session, "its values cannot be written as JSON (\(error))")
      return false
    }
    guard bytes.count <= RecordCoder.limit else {
      refuse(session, "its record would have \(bytes.count) bytes; the limit is \(RecordCoder.limit)")
      return false
    }
    try files.replace(name, with: bytes)
    outcome.saved.append(session.identifier)
    return true
  }

  /// Removes the tombstones of forgotten sessions, once nothing can bring the sessions back.
  private mutating func removeTombstones(_ batch: StoreBatch) {
    var isDirty = false
    for identifier in batch.order where batch.entries[identifier]?.forget == true && left.entries[identifier] == nil {
      do throws(FileError) {
        if try files.removeIfThere(StoreNames.tombstone(identifier)) { isDirty = true }
      } catch { fail(StoreBatch.Entry(forget: true), identifier, error) }
    }
    guard isDirty else { return }
    do throws(FileError) { try files.syncDirectory() } catch {
      left.syncsDirectory = true
      fail("the names of the discarded sessions", error)
    }
  }

  private mutating func writeJournal(_ batch: StoreBatch) {
    if !batch.journal.isEmpty {
      do throws(FileError) {
        try files.append(StoreNames.journal, Array(batch.journal.utf8))
        outcome.hasNoted = true
      } catch {
        left.journal = RunJournal.again(batch.journal)
        fail("how the program ends", error)
      }
    }
    guard batch.syncsJournal || !batch.journal.isEmpty else { return }
    do throws(FileError) { try files.sync(StoreNames.journal) } catch FileError.missing {} catch {
      left.syncsJournal = true
      fail("the list of the program's runs", error)
    }
  }

  private mutating func refuse(_ session: StoredSession, _ why: String) {
    outcome.refused.append(
      StoreFailure(
        message: "The session \(session.identifier) was not saved: \(why). What was saved of it before is kept.",
        identifier: session.identifier))
  }

  private mutating func fail(_ entry: StoreBatch.Entry, _ identifier: String, _ error: FileError) {
    left.add(entry, for: identifier)
    fail("the session \(identifier)", error)
  }

  private mutating func fail(_ subject: String, _ error: FileError) {
    guard outcome.trouble == nil else { return }
    outcome.trouble = StoreFailure(
      message: "Could not save \(subject): \(error). It is tried again until it succeeds; until then a crash would "
        + "lose what has changed.",
      identifier: nil)
  }
}
