internal import Glibc
import ProsceniumLoop

/// Writes one batch.
///
/// Records are written under other names, then synced, then renamed, and the directory is synced once at the end: at
/// any moment of a power cut a record is there whole, as it was before or as it is now.
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

  /// The change of one session, on its way to the disk.
  private struct Change {
    var entry: StoreBatch.Entry
    let identifier: String
    /// The record is written under its temporary name.
    var hasTemporary = false
    var failure: FileError?

    init(_ entry: StoreBatch.Entry, _ identifier: String) { (self.entry, self.identifier) = (entry, identifier) }

    var temporary: String { StoreNames.temporary(StoreNames.record(identifier)) }

    mutating func fail(_ error: FileError, _ files: any StoreFiles) {
      failure = error
      hasTemporary = false
      // On a full disk half a file would be in the way.
      try? files.remove(temporary)
    }
  }

  /// How many records are written before they are synced.
  ///
  /// A disk commits them together, in less time than one after the other. Of a disk that is slow, or full, no more than
  /// these wait.
  private static let groupSize = 8

  let files: any StoreFiles
  /// The part that failed, to be tried again.
  private(set) var left = StoreBatch()
  private(set) var outcome = Outcome()

  init(files: any StoreFiles) { self.files = files }

  mutating func write(_ batch: StoreBatch) {
    var isDirty = batch.syncsDirectory
    var group: [Change] = []
    for identifier in batch.order {
      guard let entry = batch.entries[identifier] else { continue }
      var change = Change(entry, identifier)
      write(&change)
      if change.failure != nil, group.contains(where: { $0.hasTemporary || $0.entry.discard }) {
        // On a full disk there is room again once those before it have taken their names.
        if finish(group) { isDirty = true }
        group = []
        change = Change(entry, identifier)
        write(&change)
      }
      group.append(change)
      if group.count == Self.groupSize {
        if finish(group) { isDirty = true }
        group = []
      }
    }
    if finish(group) { isDirty = true }
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

  /// Syncs records that have been written, then gives them their names.
  /// - Returns: Whether names have changed.
  private mutating func finish(_ group: [Change]) -> Bool {
    var group = group
    for index in group.indices where group[index].hasTemporary { sync(&group[index]) }
    var isDirty = false
    for change in group where finish(change) { isDirty = true }
    return isDirty
  }

  /// Writes the record under its temporary name.
  private mutating func write(_ change: inout Change) {
    // The record of a session that is discarded and forgotten has no reader.
    guard let session = change.entry.save, !change.entry.forget, let bytes = encode(session) else { return }
    do throws(FileError) {
      change.hasTemporary = true
      try files.write(change.temporary, bytes)
    } catch { change.fail(error, files) }
  }

  private func sync(_ change: inout Change) {
    do throws(FileError) { try files.sync(change.temporary) } catch { change.fail(error, files) }
  }

  /// Gives the record its name, or takes it.
  /// - Returns: Whether names have changed.
  private mutating func finish(_ change: Change) -> Bool {
    var change = change
    let name = StoreNames.record(change.identifier)
    var isDirty = false
    if change.hasTemporary {
      do throws(FileError) {
        try files.rename(change.temporary, to: name)
        outcome.saved.append(change.identifier)
        isDirty = true
      } catch { change.fail(error, files) }
    }
    if change.entry.discard {
      do throws(FileError) {
        if change.entry.forget {
          try files.remove(name)
        } else {
          try files.rename(name, to: StoreNames.tombstone(change.identifier))
        }
        isDirty = true
        // Whether it could be saved before no longer matters.
        (change.entry.save, change.failure) = (nil, nil)
      } catch FileError.missing {
        // It was never saved, or it is done already.
      } catch { change.failure = error }
      removePicture(change.identifier)
    }
    if let failure = change.failure { fail(change.entry, change.identifier, failure) }
    return isDirty
  }

  /// Removes the picture of a session that is gone, when it is closed and when the program has been told.
  ///
  /// One that stays keeps nothing from ending: a launch removes pictures that have no record.
  private func removePicture(_ identifier: String) {
    do throws(FileError) { try files.removeIfThere(StoreNames.picture(identifier)) } catch {}
  }

  /// The bytes of a record; nil where it cannot be saved as it is, which is reported.
  private mutating func encode(_ session: StoredSession) -> [UInt8]? {
    let bytes: [UInt8]
    do {
      bytes = try RecordCoder.encode(session)
    } catch {
      refuse(session, "its values cannot be written as JSON (\(error))")
      return nil
    }
    guard bytes.prefix(RecordHeader.longest).contains(UInt8(ascii: "\n")) else {
      refuse(session, "its role or the name of its configuration is too long")
      return nil
    }
    guard bytes.count <= RecordCoder.limit else {
      refuse(session, "its record would have \(bytes.count) bytes; the limit is \(RecordCoder.limit)")
      return nil
    }
    return bytes
  }

  /// Removes the tombstones of forgotten sessions, once nothing can bring the sessions back.
  private mutating func removeTombstones(_ batch: StoreBatch) {
    var isDirty = false
    for identifier in batch.order where batch.entries[identifier]?.forget == true && left.entries[identifier] == nil {
      removePicture(identifier)
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
    outcome.trouble?.isDiskFull = error.isDiskFull
  }
}
