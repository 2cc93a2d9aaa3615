package import ProsceniumLoop

/// The files of one directory, and the few things that the store does with them.
///
/// `PosixFiles` in life. Where a test wants power to fail between two operations it puts a disk of its own here.
package protocol StoreFiles: Sendable {
  /// Everything in the directory, in no order; names that are no text are left out.
  func names() throws(FileError) -> [String]
  /// What is in a regular file of at most that many bytes. Never waits for anybody.
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]
  /// Creates the file anew (0600) with that in it.
  func write(_ name: String, _ bytes: [UInt8]) throws(FileError)
  /// Adds to the file with one write; creates it (0600) where there is none.
  func append(_ name: String, _ bytes: [UInt8]) throws(FileError)
  /// Returns when the file's content would survive a power cut.
  func sync(_ name: String) throws(FileError)
  /// Gives a file a new name, in place of what has that name now.
  func rename(_ name: String, to new: String) throws(FileError)
  /// Removes a file.
  func remove(_ name: String) throws(FileError)
  /// Returns when the names would survive a power cut.
  func syncDirectory() throws(FileError)
}

extension StoreFiles {
  /// Puts content in place of what has a name now: whenever power fails, one of the two is there whole.
  ///
  /// That it is the new one is certain after ``syncDirectory()``.
  func replace(_ name: String, with bytes: [UInt8]) throws(FileError) {
    let temporary = StoreNames.temporary(name)
    do throws(FileError) {
      try write(temporary, bytes)
      try sync(temporary)
      try rename(temporary, to: name)
    } catch {
      // On a full disk half a file would be in the way.
      try? remove(temporary)
      throw error
    }
  }
}
