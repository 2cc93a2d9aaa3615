package import ProsceniumLoop

/// Which content of which file stands under a name, as far as that can be told without reading it.
///
/// A program that replaces the file gives it another inode; one that writes into it another time, which it may
/// set back.
/// No program sets ``statusChanged`` back; other things change it as well, so that a difference of it alone is a reason
/// to compare contents.
package struct FileIdentity: Hashable, Sendable, Codable {
  package var device: UInt64
  package var inode: UInt64
  /// The size in bytes.
  package var size: Int
  /// When the content was last changed, in nanoseconds since 1970.
  package var modified: Int64
  /// When the content, the names, the permissions or other attributes were last changed (ctime), in nanoseconds.
  package var statusChanged: Int64

  package init(device: UInt64 = 0, inode: UInt64, size: Int, modified: Int64, statusChanged: Int64 = 0) {
    (self.device, self.inode, self.size, self.modified) = (device, inode, size, modified)
    self.statusChanged = statusChanged
  }

  /// The identity of a content that is not known: no file is like that.
  package static let unknown = FileIdentity(inode: 0, size: -1, modified: 0)

  /// Whether all but ``statusChanged`` is the same.
  func seemsSame(as other: FileIdentity) -> Bool {
    var own = self
    own.statusChanged = other.statusChanged
    return own == other
  }
}

/// Tells one content from another, in any process: eight bytes at a time, by the multiplier of SplitMix64.
///
/// Nobody is kept from making two contents of one hash.
package struct ContentHash: Hashable, Sendable {
  package let value: UInt64

  package init(value: UInt64) { self.value = value }

  package init(_ bytes: [UInt8]) {
    var hash = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
    func add(_ word: UInt64) {
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
    }
    bytes.withUnsafeBytes { buffer in
      let whole = buffer.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        add(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      for byte in buffer[whole...] { add(UInt64(byte)) }
    }
    value = hash
  }
}

/// What is known of a file without reading it.
package struct FileStatus: Equatable, Sendable {
  package var identity: FileIdentity
  /// The number of names that the file has (hard links).
  package var links: Int
  /// Whether it is a regular file.
  package var isFile: Bool
  /// Whether the process's user owns it.
  package var isOwn: Bool
  /// Whether the process may write to it.
  package var isWritable: Bool

  package init(identity: FileIdentity, links: Int = 1, isFile: Bool = true, isOwn: Bool = true, isWritable: Bool = true)
  {
    (self.identity, self.links, self.isFile) = (identity, links, isFile)
    (self.isOwn, self.isWritable) = (isOwn, isWritable)
  }
}

/// The files of a document's folder.
package protocol DocumentFiles: StoreFiles {
  /// What a name stands for.
  /// - Throws: ``FileError/missing`` for none.
  func status(_ name: String) throws(FileError) -> FileStatus
  /// Whether files can be made and renamed in the folder.
  var isWritable: Bool { get }
  /// Gives a new file the permissions and the group of another one; those of any new file where that is nil.
  func adopt(_ name: String, attributesOf original: String?) throws(FileError)
  /// Writes into an existing file, from its beginning, and cuts it to the new length.
  func overwrite(_ name: String, _ bytes: [UInt8]) throws(FileError)
}

/// How the content of a document's file is replaced.
package enum SavingWay: Equatable, Sendable {
  /// Another file takes its place: whoever reads it finds the old content or the new one, at any moment.
  case replace
  /// It is written into, because another file in its place would cut off its other names, or change its owner, or
  /// cannot be made: the new content is kept elsewhere before and meanwhile.
  case inPlace
  /// It may not be written to.
  case refused

  /// Decides how a file is replaced.
  /// - Parameters:
  ///   - status: The file.
  ///   - folderIsWritable: Whether another file can be made beside it.
  package init(_ status: FileStatus, folderIsWritable: Bool) {
    if !status.isWritable {
      // Its user has locked it: that the folder would permit another file in its place is no reason.
      self = .refused
    } else {
      self = status.links > 1 || !status.isOwn || !folderIsWritable ? .inPlace : .replace
    }
  }
}
