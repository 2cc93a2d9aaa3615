import ProsceniumLoop
package import ProsceniumPlatform

/// Brings what a session's window showed last to the disk.
///
/// Under another name first, as a record, so that the file is always whole. Not synced: one that a power cut tears is
/// recognised, and can be done without.
enum PictureWriting {
  static func write(_ picture: Picture?, of identifier: String, _ files: any StoreFiles) {
    let name = StoreNames.picture(identifier)
    let temporary = StoreNames.temporary(name)
    do throws(FileError) {
      guard let picture else { return try files.remove(name) }
      var isFirst = true
      try SnapshotFile.write(picture) { piece throws(FileError) in
        if isFirst { try files.write(temporary, piece) } else { try files.append(temporary, piece) }
        isFirst = false
      }
      try files.rename(temporary, to: name)
    } catch FileError.missing where picture == nil {} catch {
      // Said by the record that the disk has no room for either. No picture is better than an old one.
      try? files.remove(temporary)
      try? files.remove(name)
    }
  }
}

extension SessionStore {
  /// Keeps what a session's window showed last, in place of what was kept before; nil where there is nothing.
  ///
  /// Encoded and written later, by the writer's thread; the picture's memory goes then.
  package func keep(_ picture: Picture?, of identifier: String) {
    guard mayWritePicture(of: identifier) else { return }
    writer?.submit(picture, of: identifier)
  }

  /// What is kept of the session's window; nil where there is nothing, or nothing that can be read.
  package func snapshot(of identifier: String) -> Snapshot? {
    guard mayWritePicture(of: identifier) else { return nil }
    if let waiting = writer?.waitingPicture(of: identifier) { return waiting.map { Snapshot($0) } }
    let bytes = try? files.read(StoreNames.picture(identifier), limit: SnapshotFile.mostBytes)
    return bytes.flatMap { SnapshotFile.read($0) }
  }

  private func mayWritePicture(of identifier: String) -> Bool {
    StoreNames.canName(identifier) && !untouchable.contains(identifier) && !discarded.contains(identifier)
  }
}
