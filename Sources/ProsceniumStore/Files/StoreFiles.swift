package import ProsceniumLoop

/// The files of one directory, and the operations of the store on them.
///
/// `PosixFiles` in a program; a disk of the test's own where a test cuts the power between two operations.
package protocol StoreFiles: Sendable {
  /// The names of all files, in no order; names that are no UTF-8 are left out.
  func names() throws(FileError) -> [String]
  /// Reads a regular file of at most that many bytes. Never waits for another process.
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]
  /// Reads the first bytes of such a file, and says how many it has.
  func start(of name: String, limit: Int, count: Int) throws(FileError) -> (bytes: [UInt8], size: Int)
  /// Creates the file anew (0600) with these bytes.
  func write(_ name: String, _ bytes: [UInt8]) throws(FileError)
  /// Appends to the file with one write; creates it (0600) where there is none.
  func append(_ name: String, _ bytes: [UInt8]) throws(FileError)
  /// Whether the owner of a regular file may execute it.
  func isExecutable(_ name: String) throws(FileError) -> Bool
  /// Lets the owner execute the file, too (0700).
  func makeExecutable(_ name: String) throws(FileError)
  /// Returns when the file's content would survive a power cut.
  func sync(_ name: String) throws(FileError)
  /// Renames a file, in place of the one that has the new name.
  func rename(_ name: String, to new: String) throws(FileError)
  /// Gives a file a name that no file has; fails with `EEXIST` where one has it, also one that another process makes
  /// meanwhile.
  func renameNew(_ name: String, to new: String) throws(FileError)
  /// Removes a file.
  func remove(_ name: String) throws(FileError)
  /// Returns when the names would survive a power cut.
  func syncDirectory() throws(FileError)
  /// A descriptor that appends to the file; nil where it cannot be opened, or is no file of the system.
  func appender(_ name: String) -> Descriptor?
}

extension StoreFiles {
  // What a disk does that has no modes.
  package func isExecutable(_ name: String) throws(FileError) -> Bool { false }
  package func makeExecutable(_ name: String) throws(FileError) {}

  package func appender(_ name: String) -> Descriptor? { nil }

  // What a disk does that reads a file in any case.
  package func start(
    of name: String, limit: Int, count: Int
  ) throws(FileError) -> (bytes: [UInt8], size: Int) {
    let bytes = try read(name, limit: limit)
    return (Array(bytes.prefix(count)), bytes.count)
  }

  /// Replaces the content of a file: whenever power fails, either the old content or the new one is there whole.
  ///
  /// That it is the new one is certain after ``syncDirectory()``.
  /// - Parameters:
  ///   - name: The file.
  ///   - bytes: The new content.
  ///   - temporary: What it is called meanwhile; nil where no other process writes the file at the same time.
  /// - Throws: The error of the file system.
  func replace(_ name: String, with bytes: [UInt8], by temporary: String? = nil) throws(FileError) {
    let temporary = temporary ?? StoreNames.temporary(name)
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

  /// Removes a file, if it is there.
  /// - Returns: Whether it was.
  @discardableResult
  package func removeIfThere(_ name: String) throws(FileError) -> Bool {
    do throws(FileError) { try remove(name) } catch FileError.missing { return false }
    return true
  }
}
