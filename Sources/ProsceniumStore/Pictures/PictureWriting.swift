import ProsceniumLoop
package import ProsceniumPlatform

/// Writes the snapshot of a session's window.
///
/// Under another name first, as a record, so that the file is always whole. Not synced: one that a power cut tears is
/// recognised, and the loss is small.
enum PictureWriting {
  static func write(_ picture: Picture?, of identifier: String, _ files: any StoreFiles) {
    let name = StoreNames.picture(identifier)
    let temporary = StoreNames.temporary(name)
    do throws(FileError) {
      guard let picture else {
        try files.removeIfThere(name)
        return
      }
      var isFirst = true
      try SnapshotFile.write(picture) { piece throws(FileError) in
        if isFirst { try files.write(temporary, piece) } else { try files.append(temporary, piece) }
        isFirst = false
      }
      try files.rename(temporary, to: name)
    } catch {
      // A full disk is reported by the records. No picture is better than an old one.
      try? files.remove(temporary)
      try? files.remove(name)
    }
  }
}

extension SessionStore {
  /// Stores the snapshot of a session's window, in place of the last one; nil removes it.
  ///
  /// Encoded and written later, by the writer's thread; the picture's memory is released then.
  package func keep(_ picture: Picture?, of identifier: String) {
    guard mayWritePicture(of: identifier) else { return }
    writer.submit(picture, of: identifier)
  }

  /// The stored snapshot of a session's window; nil where there is none, or none that can be read.
  package func snapshot(of identifier: String) -> Snapshot? {
    guard mayWritePicture(of: identifier) else { return nil }
    if let waiting = writer.waitingPicture(of: identifier) { return waiting.map { Snapshot($0) } }
    let bytes = try? files.read(StoreNames.picture(identifier), limit: SnapshotFile.mostBytes)
    return bytes.flatMap { SnapshotFile.read($0) }
  }

  private func mayWritePicture(of identifier: String) -> Bool {
    mayWrite(identifier) && !discarded.contains(identifier)
  }
}
