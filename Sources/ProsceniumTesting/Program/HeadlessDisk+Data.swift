import ProsceniumLoop
import ProsceniumStore

extension HeadlessDisk {
  /// The room for caches: none on a full disk, and enough on every other.
  var cacheSpace: DiskSpace { DiskSpace(available: isFull ? 0 : 1 << 40, total: 1 << 40) }

  /// Opens a place: in the home, if there is one.
  func open(_ place: ProgramDataPlace) throws(StoreError) -> any StoreFiles {
    if let home { return try ProgramData(program: home + "/program", environment: ["HOME": home]).open(place) }
    switch place {
    case .program(let folder, _): return PartOfDisk(files, folder: "program/\(folder)/")
    case .support: return PartOfDisk(files, folder: "support/")
    }
  }
}

/// The files of a disk whose names begin with a folder.
private struct PartOfDisk: StoreFiles {
  private let files: any StoreFiles
  private let folder: String

  init(_ files: any StoreFiles, folder: String) {
    self.files = files
    self.folder = folder
  }

  func names() throws(FileError) -> [String] {
    try files.names().filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
  }
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { try files.read(folder + name, limit: limit) }
  func write(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.write(folder + name, bytes) }
  func append(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.append(folder + name, bytes) }
  func sync(_ name: String) throws(FileError) { try files.sync(folder + name) }
  func rename(_ name: String, to new: String) throws(FileError) { try files.rename(folder + name, to: folder + new) }
  func renameNew(_ name: String, to new: String) throws(FileError) {
    try files.renameNew(folder + name, to: folder + new)
  }
  func remove(_ name: String) throws(FileError) { try files.remove(folder + name) }
  func syncDirectory() throws(FileError) { try files.syncDirectory() }
}
