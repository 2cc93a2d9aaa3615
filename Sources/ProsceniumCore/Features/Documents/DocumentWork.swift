internal import Dispatch
import FoundationEssentials
import ProsceniumLoop
import ProsceniumStore
import Synchronization

/// What is known of the content that a document's file had when it was read or written last.
struct KnownContent: Equatable, Sendable {
  var place: DocumentPlace
  var identity: FileIdentity
  /// Tells the content from another one; nil where it is not at hand.
  private(set) var hash: ContentHash?

  init(_ place: DocumentPlace, _ identity: FileIdentity, _ bytes: [UInt8]) {
    (self.place, self.identity) = (place, identity)
    hash = ContentHash(bytes)
  }

  /// The content from which a kept version was made, which is not in the file any more.
  init(_ place: DocumentPlace, from version: KeptVersion) {
    (self.place, hash) = (place, version.baseHash)
    // No file is like that.
    identity = version.base ?? .unknown
  }

  func has(_ bytes: [UInt8]) -> Bool { hash == ContentHash(bytes) }
}

/// A kept version that is not in the file.
struct UnsavedContent: Sendable {
  /// Nil where it can be neither read nor decrypted.
  var content: Data?
  /// The content that it was made from; nil where that is in the file still.
  var origin: KnownContent?
}

/// The content of a kept version whose file is gone, and what it was made from.
typealias UnsavedDocument = (content: Data, origin: KnownContent)

/// What work on a document's file has come to.
enum DocumentOutcome: Sendable {
  /// The content, and the version that is not in it.
  case read(Data, KnownContent, unsaved: UnsavedContent?)
  /// The content of a kept version, and what it was made from: the file cannot be decrypted, now or later.
  case readVersion(Data, KnownContent, ProtectionFailure)
  /// There is no file, but a version that was not in it; nil where that can be neither read nor decrypted.
  case vanished(UnsavedDocument?)
  case notRead(FileError)
  /// What was read cannot be decrypted, or what was to be written cannot be encrypted.
  case refused(ProtectionFailure)
  case written(KnownContent)
  /// Why, and what the file has all the same: no other program's content, though a power cut may undo it.
  case notWritten(DocumentFailure, KnownContent? = nil)
  /// A version is kept that was made from this content.
  case kept(from: KnownContent)
  case notKept(FileError)
  /// The content is the one that is known, perhaps in another file.
  case found(KnownContent)
  case foundOther(Data, KnownContent)
  /// There is no file, or none that can be read.
  case foundNone(FileError)
  /// The name of the version that was put aside, or that it has still; nil where there is none any more.
  case putAside(String?)
  /// There is no kept version any more.
  case dropped
  /// The kept version says what the file has to become, in which a part of it is.
  case torn
}

/// One piece of work on a document's file, on a thread of its own.
///
/// Its outcome is collected by the main thread: when the main queue runs, or by one that waits for it.
final class DocumentWork: Sendable {
  private let result = Mutex<DocumentOutcome?>(nil)
  private let isDone = DispatchSemaphore(value: 0)
  let began = DispatchTime.now()

  /// Begins the work.
  /// - Parameters:
  ///   - body: The work.
  ///   - whenDone: Called on the main thread, later.
  init(_ body: @escaping @Sendable () -> DocumentOutcome, whenDone: @escaping @MainActor () -> Void) {
    let work: @Sendable () -> Void = { [self] in
      let outcome = body()
      result.withLock { $0 = outcome }
      isDone.signal()
      DispatchQueue.main.async { whenDone() }
    }
    // Without a thread it is done here, which blocks.
    if !DetachedThread.run(work) { work() }
  }

  /// The outcome; nil while the work is under way.
  var outcome: DocumentOutcome? { result.withLock { $0 } }

  /// Waits until it is done, or the time is over; returns whether it is.
  func wait(until end: DispatchTime) -> Bool { outcome != nil || isDone.wait(timeout: end) == .success }
}

/// The work itself; on a thread that may wait for the disk.
///
/// What is kept of a document has the name of its file, where the links of its path lead; of one whose path leads to
/// another file than it knows, that of its path, under which it is looked for first: the version is the document's, and
/// neither of the two files'.
struct DocumentDisk: Sendable {
  /// The most bytes of a document's file: 1 GiB.
  static let limit = 1 << 30

  var identifier: String
  /// The variables that name the user's directories; nil where no version is kept.
  var environment: [String: String]?
  /// What the file has is encrypted by it, and so is what is kept; nil for a document without protection.
  var cipher: (any ContentCipher)?
  /// What the document's kept version was made from; nil where it has kept none.
  var keptFrom: KnownContent?

  private func opened(_ bytes: [UInt8]) throws(ProtectionFailure) -> Data { try cipher?.open(bytes) ?? Data(bytes) }
  private func sealed(_ content: Data) throws(ProtectionFailure) -> [UInt8] {
    try cipher?.seal(content) ?? Array(content)
  }

  private var kept: KeptVersions? {
    guard let environment else { return nil }
    return try? KeptVersions(applicationIdentifier: identifier, environment: environment)
  }

  private func file(_ place: DocumentPlace) throws(FileError) -> DocumentFile {
    DocumentFile(try place.open(), place, kept: kept, isPrivate: cipher != nil)
  }

  func read(_ path: String) -> DocumentOutcome {
    let (place, content): (DocumentPlace, DocumentContent)
    var unsaved: KeptVersion?
    var origin = DocumentPlace(unfollowed: path)
    do throws(FileError) {
      do throws(FileError) { place = try DocumentPlace(following: path) } catch FileError.missing {
        // Its folder is gone.
        return missing([origin, DocumentPlace(nearest: path)])
      }
      unsaved = place.path == path ? nil : kept?.version(of: path, limit: Self.limit)
      do throws(FileError) {
        let file = try file(place).open(limit: Self.limit)
        content = file.content
        if unsaved == nil { (unsaved, origin) = (file.unsaved, place) }
      } catch FileError.missing {
        return missing([origin, place])
      }
    } catch {
      return .notRead(error)
    }
    do throws(ProtectionFailure) {
      let known = KnownContent(place, content.identity, content.bytes)
      var version = try unsaved.map { version throws(ProtectionFailure) in
        UnsavedContent(
          content: try openedVersion(version),
          origin: version.isMade(from: content) ? nil : KnownContent(origin, from: version))
      }
      if version == nil, unread([path, place.path]) != nil { version = UnsavedContent() }
      do throws(ProtectionFailure) { return .read(try opened(content.bytes), known, unsaved: version) } catch {
        // The changes were kept in the conflict with this file.
        guard error != .unavailable, let version, let own = version.content else { throw error }
        return .readVersion(own, version.origin ?? known, error)
      }
    } catch {
      return .refused(error)
    }
  }

  /// The content of a version; nil where it cannot be decrypted, now or later: the file itself may be well.
  private func openedVersion(_ version: KeptVersion) throws(ProtectionFailure) -> Data? {
    do throws(ProtectionFailure) { return try opened(version.bytes) } catch {
      if error == .unavailable { throw error }
      return nil
    }
  }

  /// There is no file; perhaps a version is kept under one of its names that was not in it.
  private func missing(_ places: [DocumentPlace]) -> DocumentOutcome {
    for place in places {
      guard let version = kept?.version(of: place.path, limit: Self.limit) else { continue }
      do throws(ProtectionFailure) {
        return .vanished(try openedVersion(version).map { ($0, KnownContent(place, from: version)) })
      } catch {
        return .refused(error)
      }
    }
    return unread(places.map(\.path)) == nil ? .notRead(.missing) : .vanished(nil)
  }

  /// The first path under which something is kept that cannot be read.
  private func unread(_ paths: [String]) -> String? {
    kept.flatMap { kept in paths.first { kept.hasUnread($0, limit: Self.limit) } }
  }

  /// Replaces the content of a file; what was kept of the document, or of another file that becomes it, is not needed
  /// then.
  func write(
    _ content: Data, to path: String, of document: String, expecting expected: DocumentExpectation,
    after last: KnownContent?
  ) -> DocumentOutcome {
    let bytes: [UInt8]
    do throws(ProtectionFailure) { bytes = try sealed(content) } catch { return .refused(error) }
    let place: DocumentPlace
    let file: DocumentFile
    do throws(FileError) {
      place = try DocumentPlace(following: path)
      file = try self.file(place)
    } catch {
      return .notWritten(.file(error))
    }
    if let cipher, let failure = cipher.obstacle(toReplacing: file.start(count: cipher.headSize)) {
      return .refused(failure)
    }
    do throws(DocumentFailure) {
      let identity = try file.write(bytes, expecting: expected) { last?.has($0) == true }
      let known = KnownContent(place, identity, bytes)
      // Changes of an earlier run that this one has not read are nobody's to remove.
      if path == document, last == nil, expected == .anything {
        _ = try? kept?.putAside(place.path)
      } else if path != document || last == nil {
        try? kept?.remove(place.path)
      }
      if let last { forget(document, last, at: place) }
      return .written(known)
    } catch {
      guard case .notSynced(let identity, _) = error else { return .notWritten(error) }
      return .notWritten(error, KnownContent(place, identity, bytes))
    }
  }

  /// Removes what is kept of a document that has a place; not that by which the file that it had before becomes whole.
  private func forget(_ path: String, _ known: KnownContent, at place: DocumentPlace) {
    removeOwn(path, known)
    if known.place == place || !isTorn(known) { removeOwn(known.place.path, known) }
  }

  /// Removes what is kept under a path, if it is this document's: another one of the same file, which may be another
  /// process's, has the same name for its own.
  private func removeOwn(_ path: String, _ known: KnownContent) {
    guard let kept, let version = kept.version(of: path, limit: Self.limit), isOwn(version, known) else { return }
    try? kept.remove(path)
  }

  private func isOwn(_ version: KeptVersion, _ known: KnownContent) -> Bool {
    [known, keptFrom ?? known].contains { version.isMade(from: $0.identity, $0.hash) }
  }

  /// Whether the file that is known has a part of a write.
  private func isTorn(_ known: KnownContent) -> Bool {
    (try? file(known.place))?.isTorn(since: known.identity) == true
  }

  func keep(_ content: Data, of known: KnownContent, _ path: String) -> DocumentOutcome {
    keeping(content, of: known) { kept, bytes in
      guard known.place == (try? DocumentPlace(following: path)), let files = try? known.place.open() else {
        // Its path leads elsewhere, or its folder is gone.
        let version = KeptVersion(.unsaved, base: known.identity, baseHash: known.hash, bytes: bytes)
        try kept.keep(version, of: path)
        if known.place.path != path, !isTorn(known) { removeOwn(known.place.path, known) }
        return
      }
      try DocumentFile(files, known.place, kept: kept).keep(bytes, of: known.identity, known.hash)
      if known.place.path != path { removeOwn(path, known) }
    }
  }

  /// Keeps a content without a look at the document's disk, which may not answer.
  func keepUnseen(_ content: Data, of known: KnownContent, _ path: String) -> DocumentOutcome {
    keeping(content, of: known) { kept, bytes in
      // That of a link that leads elsewhere is looked for first.
      let path = kept.version(of: path, limit: Self.limit) == nil ? known.place.path : path
      let earlier = kept.version(of: path, limit: Self.limit)
      // The same is being written into the file, which becomes whole by what is there.
      if let earlier, earlier.reason == .writing, earlier.bytes == bytes { return }
      try kept.keep(KeptVersion(.unsaved, base: known.identity, baseHash: known.hash, bytes: bytes), of: path)
    }
  }

  private func keeping(
    _ content: Data, of known: KnownContent, _ keep: (KeptVersions, [UInt8]) throws -> Void
  ) -> DocumentOutcome {
    let bytes: [UInt8]
    do throws(ProtectionFailure) { bytes = try sealed(content) } catch { return .refused(error) }
    do {
      guard let environment else { return .notKept(.missing) }
      try keep(KeptVersions(applicationIdentifier: identifier, environment: environment), bytes)
      return .kept(from: known)
    } catch {
      return .notKept(error as? FileError ?? .missing)
    }
  }

  /// Reads the content again, and gives up what is kept of it.
  func reread(_ path: String, _ known: KnownContent) -> DocumentOutcome {
    do throws(FileError) {
      let place = try DocumentPlace(following: path)
      let outcome = found(try file(place).read(limit: Self.limit), place)
      if case .foundOther = outcome { forget(path, known, at: place) }
      return outcome
    } catch {
      return .notRead(error)
    }
  }

  private func found(_ content: DocumentContent, _ place: DocumentPlace) -> DocumentOutcome {
    let known = KnownContent(place, content.identity, content.bytes)
    do throws(ProtectionFailure) { return .foundOther(try opened(content.bytes), known) } catch {
      return .refused(error)
    }
  }

  /// Compares what is in the file with what is known.
  /// - Parameters:
  ///   - path: The document's path.
  ///   - known: What is known.
  ///   - hasVersion: Whether a version of the document is kept, which goes with it where its path leads elsewhere.
  /// - Returns: What is there.
  func look(_ path: String, _ known: KnownContent, hasVersion: Bool) -> DocumentOutcome {
    do throws(FileError) {
      let place = try DocumentPlace(following: path)
      if hasVersion, place != known.place { takeVersion(of: known, to: path) }
      let file = try file(place)
      if place == known.place {
        if try file.status().identity == known.identity { return .found(known) }
        // What a failed save has left is no other program's.
        if file.isTorn(since: known.identity) { return .found(known) }
      }
      let content = try file.read(limit: Self.limit)
      return known.has(content.bytes)
        ? .found(KnownContent(place, content.identity, content.bytes)) : found(content, place)
    } catch {
      // What cannot be read is not there for the document.
      return .foundNone(error)
    }
  }

  /// Gives the version of a document the name of its path.
  ///
  /// Where that fails it keeps the one of its file, with which it comes back.
  private func takeVersion(of known: KnownContent, to path: String) {
    guard known.place.path != path, let kept, kept.version(of: path, limit: Self.limit) == nil,
      let version = kept.version(of: known.place.path, limit: Self.limit), isOwn(version, known)
    else { return }
    let own = KeptVersion(.unsaved, base: version.base, baseHash: version.baseHash, bytes: version.bytes)
    guard (try? kept.keep(own, of: path)) != nil, !isTorn(known) else { return }
    try? kept.remove(known.place.path)
  }

  /// Removes the version whose changes were undone, unless the file is to become whole by it.
  func dropKept(_ known: KnownContent, _ path: String) -> DocumentOutcome {
    if isTorn(known) { return .torn }
    for path in Set([path, known.place.path]) { removeOwn(path, known) }
    return .dropped
  }

  func putAside(_ path: String) -> DocumentOutcome {
    let paths = [path, DocumentPlace(nearest: path).path]
    let readable = paths.first { kept?.version(of: $0, limit: Self.limit) != nil }
    guard let kept, let path = readable ?? unread(paths) else { return .putAside(nil) }
    return .putAside((try? kept.putAside(path)) ?? KeptVersions.name(of: path))
  }
}

extension DocumentDisk {
  /// The disk of a document.
  @MainActor init(_ document: Document, _ cipher: (any ContentCipher)?) {
    let application = document.application
    self.init(
      identifier: application?.conductor?.identity.id ?? "", environment: application?.host.directories, cipher: cipher,
      keptFrom: document.jobs.keptFrom)
  }
}
