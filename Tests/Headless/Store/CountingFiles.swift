import ProsceniumLoop
import ProsceniumStore
import ProsceniumTesting
import Synchronization

/// A disk that counts how often its directory is listed, and the bytes that are read.
final class CountingFiles: ForwardingFiles {
  let disk: any StoreFiles
  /// The size that every record pretends to have; nil where it tells its own.
  private let size: Int?
  private let count = Mutex((listings: 0, bytes: 0, reads: [String]()))
  var listings: Int { count.withLock { $0.listings } }
  /// How many bytes have been read.
  var bytes: Int { count.withLock { $0.bytes } }

  /// The records that have been read whole, in order.
  var reads: [String] { count.withLock { $0.reads } }

  init(_ disk: any StoreFiles = CuttableDisk(), recordSize: Int? = nil) { (self.disk, size) = (disk, recordSize) }

  func names() throws(FileError) -> [String] {
    count.withLock { $0.listings += 1 }
    return try disk.names()
  }
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
    let bytes = try disk.read(name, limit: limit)
    count.withLock { count in
      count.bytes += bytes.count
      if name.hasSuffix(".session") { count.reads.append(name) }
    }
    return bytes
  }
  func start(of name: String, limit: Int, count most: Int) throws(FileError) -> (bytes: [UInt8], size: Int) {
    let start = try disk.start(of: name, limit: limit, count: most)
    count.withLock { $0.bytes += start.bytes.count }
    return (start.bytes, name.hasSuffix(".session") ? size ?? start.size : start.size)
  }
}

/// The files of another disk, but for what a test makes of them.
protocol ForwardingFiles: StoreFiles {
  var disk: any StoreFiles { get }
}

extension ForwardingFiles {
  func names() throws(FileError) -> [String] { try disk.names() }
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { try disk.read(name, limit: limit) }
  func write(_ name: String, _ bytes: [UInt8]) throws(FileError) { try disk.write(name, bytes) }
  func append(_ name: String, _ bytes: [UInt8]) throws(FileError) { try disk.append(name, bytes) }
  func sync(_ name: String) throws(FileError) { try disk.sync(name) }
  func rename(_ name: String, to new: String) throws(FileError) { try disk.rename(name, to: new) }
  func renameNew(_ name: String, to new: String) throws(FileError) { try disk.renameNew(name, to: new) }
  func remove(_ name: String) throws(FileError) { try disk.remove(name) }
  func syncDirectory() throws(FileError) { try disk.syncDirectory() }
}
