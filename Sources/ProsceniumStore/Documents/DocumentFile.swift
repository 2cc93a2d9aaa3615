internal import Glibc
package import ProsceniumLoop

/// A document's content as it is in its file, and which content that is.
package struct DocumentContent: Equatable, Sendable {
  package var bytes: [UInt8]
  package var identity: FileIdentity

  package init(_ bytes: [UInt8], _ identity: FileIdentity) { (self.bytes, self.identity) = (bytes, identity) }
}

/// What a file has to be for its content to be replaced.
package enum DocumentExpectation: Equatable, Sendable {
  /// No file has the name.
  case none
  /// It has the content that is known.
  case known(FileIdentity)
  /// Whatever is there is replaced, or nothing.
  case anything
}

/// Why a document's content could not be replaced; the file has what it had, unless it is said otherwise.
package enum DocumentFailure: Error, Equatable, Sendable {
  /// Another program has changed the file, or put another one in its place.
  case changed
  /// The file that should be there is gone.
  case vanished
  /// A file is there that should not be.
  case exists
  /// The file may not be written to.
  case locked
  /// No file can be made in the folder.
  case folderLocked
  /// The file can only be written into, and there is no place to keep its new content meanwhile.
  case noPlace
  /// The file has the new content, which this is; a power cut may give its name back to the old one.
  case notSynced(FileIdentity, FileError)
  case file(FileError)

  /// The failure of a system call while something was written.
  init(writing error: FileError) {
    switch error {
    case .system(EROFS), .system(EACCES), .system(EPERM): self = .folderLocked
    case .system(EEXIST): self = .exists
    default: self = .file(error)
    }
  }
}

/// The file of a document in its folder: read whole, and replaced so that it has the old content or the new one at any
/// moment, whatever ends the process or the machine.
///
/// For any thread but the main one: each call waits for the disk.
package struct DocumentFile: Sendable {
  private let files: any DocumentFiles
  private let place: DocumentPlace
  private let kept: KeptVersions?
  /// Whether a new file is for its user alone (0600).
  private let isPrivate: Bool
  /// The process that writes: its number is in the names of its files, so that no two write the same one.
  private let process: Int32

  /// Makes no file yet.
  /// - Parameters:
  ///   - files: The files of the folder.
  ///   - place: The file.
  ///   - kept: The versions that are kept elsewhere; nil where there is no such place.
  ///   - isPrivate: Whether a new file is for its user alone (0600).
  ///   - process: The number of the process.
  package init(
    _ files: any DocumentFiles, _ place: DocumentPlace, kept: KeptVersions?, isPrivate: Bool = false,
    process: Int32 = getpid()
  ) {
    (self.files, self.place, self.kept, self.isPrivate) = (files, place, kept, isPrivate)
    self.process = process
  }

  // MARK: Reading

  /// Reads the content; a file that is being written is read again.
  /// - Throws: ``FileError/missing`` where there is none, ``FileError/tooLarge(_:)``.
  package func read(limit: Int) throws(FileError) -> DocumentContent {
    for _ in 0..<4 {
      let before = try status()
      let bytes = try files.read(place.name, limit: limit)
      if before.identity == (try status()).identity { return DocumentContent(bytes, before.identity) }
    }
    let status = try status()
    return DocumentContent(try files.read(place.name, limit: limit), status.identity)
  }

  /// Which content the file has.
  package func status() throws(FileError) -> FileStatus {
    let status = try files.status(place.name)
    guard status.isFile else { throw .notAFile }
    return status
  }

  /// The first bytes of the content; none where there is no file, or none that can be read.
  /// - Parameter count: The most bytes.
  /// - Returns: The bytes.
  package func start(count: Int) -> [UInt8] {
    (try? files.start(of: place.name, limit: .max, count: count).bytes) ?? []
  }

  /// Reads the content, and what is kept beside it.
  ///
  /// A write into the file that a kill has interrupted is ended first. What another program has written since then is
  /// no part of such a write: it stays, and the version is an unsaved one.
  /// - Parameter limit: The most bytes of each.
  /// - Returns: The content of the file, and the version that could not be written into it.
  /// - Throws: As ``read(limit:)``, and the errors of a write that is ended.
  package func open(limit: Int) throws(FileError) -> (content: DocumentContent, unsaved: KeptVersion?) {
    if files.isWritable { temporaries.removeLeft(in: files) }
    kept?.removeWhatIsLeft()
    let content = try read(limit: limit)
    guard let kept, let version = kept.version(of: place.path, limit: limit) else { return (content, nil) }
    if version.bytes == content.bytes {
      // A kill may have come before its content was synced.
      try files.sync(place.name)
      try? kept.remove(place.path)
      return (content, nil)
    }
    guard isSameFile(version.base, content.identity), version.mayHaveLeft(content.bytes) else {
      return (content, version)
    }
    try kept.sync()
    try overwrite(version.bytes)
    try? kept.remove(place.path)
    return (DocumentContent(version.bytes, identity(of: version.bytes)), nil)
  }

  /// Another file in its place is not the one that was being written into.
  ///
  /// A disk may have another number after a restart.
  private func isSameFile(_ one: FileIdentity?, _ other: FileIdentity) -> Bool { one?.inode == other.inode }

  /// What a write of this document has left in the file that could neither be ended nor taken back.
  /// - Parameter known: What the file was before.
  /// - Returns: The content; nil where it is not what such a write leaves.
  private func torn(since known: FileIdentity) -> [UInt8]? {
    guard let version = kept?.version(of: place.path, limit: .max), version.base == known,
      let content = try? read(limit: .max), isSameFile(known, content.identity), version.mayHaveLeft(content.bytes)
    else { return nil }
    return content.bytes
  }

  /// Tells what a write of this document has left from a change of another program.
  /// - Parameter known: What the file was before.
  /// - Returns: Whether the file has that.
  package func isTorn(since known: FileIdentity) -> Bool { torn(since: known) != nil }

  // MARK: Writing

  /// Replaces the content, and returns when it is on the disk, with its name.
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - expected: What has to be there.
  ///   - isKnown: Whether a content is the expected one: asked where the file only seems to be the same.
  /// - Returns: Which content the file has now; ``FileIdentity/unknown`` where another program has written since.
  /// - Throws: ``DocumentFailure``; the file has the content that it had, but for ``DocumentFailure/notSynced(_:_:)``.
  package func write(
    _ bytes: [UInt8], expecting expected: DocumentExpectation, isKnown: ([UInt8]) -> Bool = { _ in false }
  ) throws(DocumentFailure) -> FileIdentity {
    let status = try existing()
    // What the file was when it was whole.
    var base = status?.identity
    switch (expected, status) {
    case (.none, .some): throw .exists
    case (.known, nil): throw .vanished
    case (.known(let known), let status?) where status.identity != known:
      guard hasOnlyOtherAttributes(status, known, isKnown) || isTorn(since: known) else { throw .changed }
      base = known
    case (.none, nil), (.known, _), (.anything, _): break
    }
    guard let status else {
      guard files.isWritable else { throw .folderLocked }
      return try make(bytes, over: nil, replacing: expected == .anything)
    }
    switch SavingWay(status, folderIsWritable: files.isWritable) {
    case .refused: throw .locked
    case .replace: return try make(bytes, over: status, replacing: true)
    case .inPlace: return try writeInPlace(bytes, base: base)
    }
  }

  /// Whether a file that seems to be the same has the content that is known: its permissions are other ones, for
  /// instance.
  private func hasOnlyOtherAttributes(
    _ status: FileStatus, _ known: FileIdentity, _ isKnown: ([UInt8]) -> Bool
  ) -> Bool {
    guard status.identity.seemsSame(as: known), let content = try? read(limit: .max) else { return false }
    return content.identity == status.identity && isKnown(content.bytes)
  }

  /// The identity of a file that has just been written: ``FileIdentity/unknown`` where it has another content already.
  ///
  /// By the content: whatever another program has written by now must not count as known, and the renaming itself has
  /// changed a time of the file.
  private func identity(of bytes: [UInt8]) -> FileIdentity {
    guard let content = try? read(limit: bytes.count), content.bytes == bytes else { return .unknown }
    return content.identity
  }

  private func existing() throws(DocumentFailure) -> FileStatus? {
    do throws(FileError) { return try status() } catch {
      if error == .missing { return nil }
      throw .file(error)
    }
  }

  /// Writes another file, syncs it, and gives it the name.
  private func make(
    _ bytes: [UInt8], over status: FileStatus?, replacing: Bool
  ) throws(DocumentFailure) -> FileIdentity {
    let temporary = temporary
    var hasName = false
    do throws(FileError) {
      try files.write(temporary, bytes)
      if status != nil || !isPrivate { try files.adopt(temporary, attributesOf: status == nil ? nil : place.name) }
      try files.sync(temporary)
      // Looked at once more: another program may have written meanwhile.
      let now = status == nil ? nil : try files.status(place.name).identity
      if now == status?.identity {
        if replacing {
          try files.rename(temporary, to: place.name)
        } else {
          try files.renameNew(temporary, to: place.name)
        }
        hasName = true
        try files.syncDirectory()
        return identity(of: bytes)
      }
    } catch {
      let identity = hasName ? identity(of: bytes) : .unknown
      // In place of an old one, which is gone, the new file stays; the document must not take it for another program's.
      if hasName, status != nil || identity == .unknown { throw .notSynced(identity, error) }
      // Half a file would be in the way on a full disk, and a new one that may be lost in the way of the next try.
      _ = try? files.removeIfThere(hasName ? place.name : temporary)
      throw DocumentFailure(writing: error)
    }
    _ = try? files.removeIfThere(temporary)
    throw .changed
  }

  private var temporaries: TemporaryFiles { TemporaryFiles(of: place.name) }

  /// What a new file is called until it takes the place of the old one: another name with each call.
  package var temporary: String { temporaries.next(process) }

  /// Writes into the file; what it has to become lies elsewhere until it is.
  private func writeInPlace(_ bytes: [UInt8], base: FileIdentity?) throws(DocumentFailure) -> FileIdentity {
    guard let kept else { throw .noPlace }
    do throws(FileError) {
      let old = try files.read(place.name, limit: .max)
      let version = KeptVersion(.writing, base: base, bytes: bytes, old: old)
      try kept.keep(version, of: place.path)
      do throws(FileError) {
        try overwrite(bytes)
      } catch {
        // A full disk has room for what was there. Where not even that can be written, the kept version is written when
        // the document is opened next.
        try overwrite(old)
        remove(version, from: kept)
        throw error
      }
      remove(version, from: kept)
      return identity(of: bytes)
    } catch {
      throw .file(error)
    }
  }

  /// Removes the version of a write, unless another one has been kept in its place meanwhile.
  private func remove(_ version: KeptVersion, from kept: KeptVersions) {
    if kept.version(of: place.path, limit: .max) == version { try? kept.remove(place.path) }
  }

  /// Keeps a content that cannot be in the file now, and returns when it is on the disk.
  /// - Parameters:
  ///   - bytes: The content.
  ///   - known: The content from which it was made.
  ///   - hash: That content; nil where it is not known.
  /// - Throws: The error of the file system; an earlier version is still there.
  package func keep(_ bytes: [UInt8], of known: FileIdentity, _ hash: ContentHash? = nil) throws(FileError) {
    // A file with a part of an earlier write is written whole by the next opening.
    let old = torn(since: known)
    try kept?.keep(
      KeptVersion(old == nil ? .unsaved : .writing, base: known, baseHash: hash, bytes: bytes, old: old),
      of: place.path)
  }

  private func overwrite(_ bytes: [UInt8]) throws(FileError) {
    try files.overwrite(place.name, bytes)
    try files.sync(place.name)
  }
}
