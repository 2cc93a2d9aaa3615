internal import Glibc
import ProsceniumLoop

/// Brings a batch to the disk.
///
/// A record is written under another name, synced and renamed, and the directory synced once at the end: whatever
/// moment the power fails at, a record is there whole as it was before or whole as it is now.
struct BatchWriting {
  let files: any StoreFiles
  /// What failed, to be tried again.
  private(set) var left = StoreBatch()
  /// What the directory or the disk refused; the first of it.
  private(set) var trouble: StoreFailure?
  /// Sessions that cannot be saved as they are, however often one tries.
  private(set) var refused: [StoreFailure] = []
  /// Sessions that were saved.
  private(set) var saved: [String] = []

  init(files: any StoreFiles) { self.files = files }

  mutating func write(_ batch: StoreBatch) {
    var isDirty = batch.syncsDirectory
    for identifier in batch.order {
      guard let entry = batch.entries[identifier] else { continue }
      switch bring(entry, identifier) {
      case .success(let changed): isDirty = isDirty || changed
      case .failure(let error): keep(entry, identifier, error)
      }
    }
    if isDirty {
      do throws(FileError) { try files.syncDirectory() } catch {
        // No telling which of them would survive: all of them again.
        left = batch
        left.syncsDirectory = true
        left.syncsJournal = false
        left.end = nil
        fail("the names of the saved sessions", error)
        journal(batch)
        return
      }
    }
    // A tombstone goes only when nothing can bring its session back.
    var isGone = false
    for identifier in batch.order where batch.entries[identifier]?.forget == true && left.entries[identifier] == nil {
      do throws(FileError) {
        try files.remove(StoreNames.tombstone(identifier))
        isGone = true
      } catch FileError.missing {} catch {
        keep(StoreBatch.Entry(forget: true), identifier, error)
      }
    }
    if isGone {
      do throws(FileError) { try files.syncDirectory() } catch {
        left.syncsDirectory = true
        fail("the names of the discarded sessions", error)
      }
    }
    journal(batch)
  }

  /// - Returns: Whether names have changed.
  private mutating func bring(_ entry: StoreBatch.Entry, _ identifier: String) -> Result<Bool, FileError> {
    let name = StoreNames.record(identifier)
    var changed = false
    var unsaved: FileError?
    // Nobody will ask for what a discarded session held once the program has been told.
    if let session = entry.save, !entry.forget {
      do throws(FileError) { changed = try save(session, as: name) } catch { unsaved = error }
    }
    guard entry.discard else {
      if let unsaved { return .failure(unsaved) }
      return .success(changed)
    }
    do throws(FileError) {
      // The picture first: with the record its name would be forgotten.
      do throws(FileError) { try files.remove(StoreNames.picture(identifier)) } catch FileError.missing {}
      if entry.forget {
        try files.remove(name)
      } else {
        try files.rename(name, to: StoreNames.tombstone(identifier))
      }
      return .success(true)
    } catch FileError.missing {
      // It was never saved, or it is done already.
      if let unsaved { return .failure(unsaved) }
      return .success(changed)
    } catch {
      return .failure(error)
    }
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
    saved.append(session.identifier)
    return true
  }

  private mutating func journal(_ batch: StoreBatch) {
    do throws(FileError) {
      if let end = batch.end { try files.append(StoreNames.journal, Array(RunJournal.end(end).utf8)) }
    } catch {
      left.end = batch.end
      fail("how the program ends", error)
    }
    guard batch.syncsJournal || batch.end != nil else { return }
    do throws(FileError) { try files.sync(StoreNames.journal) } catch FileError.missing {} catch {
      left.syncsJournal = true
      fail("the list of the program's runs", error)
    }
  }

  private mutating func refuse(_ session: StoredSession, _ why: String) {
    refused.append(
      StoreFailure(
        message: "The session \(session.identifier) was not saved: \(why). What was saved of it before is kept.",
        identifier: session.identifier))
  }

  private mutating func keep(_ entry: StoreBatch.Entry, _ identifier: String, _ error: FileError) {
    left.put(entry, for: identifier)
    fail("the session \(identifier)", error)
  }

  private mutating func fail(_ what: String, _ error: FileError) {
    trouble =
      trouble
      ?? StoreFailure(
        message: "Could not save \(what): \(error). It is tried again with the next change; until then a crash would "
          + "lose what has changed.",
        identifier: nil)
  }
}
