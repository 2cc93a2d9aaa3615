internal import Dispatch
public import FoundationEssentials
import ProsceniumLoop
import ProsceniumStore

/// A file of the program whose content is encrypted on the disk, with a key that the program has only while it may.
///
/// ```swift
/// let diary = ProtectedFile(url: folder.appending(path: "diary"))
/// try await diary.write(Data("Dear diary".utf8))
/// let content = try await diary.read()
/// ```
///
/// Used on the main thread; what takes time is done by threads of the file's own. Reading and writing are done one
/// after the other, in the order in which they were asked for.
///
/// **When it works.** A file of the class ``FileProtection/complete`` can be read and written while protected data is
/// available (``Application/isProtectedDataAvailable``): until ten seconds after the screen has been locked, when the
/// key is wiped from memory, and again from the unlock on, when the next use fetches it. In between every call
/// fails with ``ProtectedFileError/Reason/unavailable``, and nothing of the file is changed.
///
/// **How it is written.** The content is encrypted in memory, written into a file beside the old one, synced, and
/// renamed: whatever ends the program or the machine, the file has the old content or the new one, and no plain
/// text has been on the disk. A file with several names, of another user, or in a folder to which nobody may write is
/// not written.
///
/// **The cipher** is libsodium's `crypto_secretstream_xchacha20poly1305`, loaded at run time. A bit that is changed, or
/// an end that is cut, makes the file ``ProtectedFileError/Reason/damaged``. The size, the times and the name of the
/// file are not hidden.
///
/// **The key** is made at the first use, one for each application identifier and class. It lies in the default
/// collection of the Secret Service (`org.freedesktop.secrets`: GNOME Keyring, KWallet, KeePassXC), which may ask the
/// user to unlock it. Where there is no such service it lies in the user's keyring of the kernel, **which a restart of
/// the machine empties: all files are lost then**. A report on standard error says so once, and the key is moved
/// as soon as there is a service. Nothing is asked before a protected file is used. See <doc:Documents>.
@preconcurrency @MainActor public final class ProtectedFile {
  /// The most bytes of a content: 1 GiB.
  public nonisolated static let limit = 1 << 30

  /// The file.
  public let url: URL
  /// The class in which it is read and written.
  public let protection: FileProtection

  private enum Job {
    case read((Result<Data, ProtectedFileError>) -> Void)
    case write(Data, (Result<Void, ProtectedFileError>) -> Void)
  }

  private var waiting: [Job] = []
  private var isBusy = false
  private let application: Application
  private var task = BackgroundTaskIdentifier.invalid

  /// Makes the handle of a file, which need not be there yet; reads nothing.
  /// - Parameters:
  ///   - url: The file.
  ///   - protection: The class. A file that is there is read only in its own class: to change it, read it by one
  ///     handle and write it by another one.
  public convenience init(url: URL, protection: FileProtection = .complete) {
    self.init(url: url, protection: protection, application: Application.shared)
  }

  init(url: URL, protection: FileProtection, application: Application) {
    (self.url, self.protection, self.application) = (url, protection, application)
  }

  /// Reads the content.
  ///
  /// It is in memory that a core dump lacks, and that is wiped when the last copy of the value goes; copies that the
  /// program makes of the bytes, a text for instance, are its own.
  /// - Returns: The content, whole.
  /// - Throws: ``ProtectedFileError``.
  public func read() async throws(ProtectedFileError) -> Data {
    try await withMainActorContinuation { continuation in add(.read { continuation.resume(returning: $0) }) }.get()
  }

  /// Replaces the content; makes the file (0600) where there is none.
  ///
  /// A file that is encrypted with a key that is not at hand is left alone
  /// (``ProtectedFileError/Reason/otherKey``): its key may come back. So is one of a later version of the library
  /// (``ProtectedFileError/Reason/newer``).
  /// - Parameter content: The content.
  /// - Throws: ``ProtectedFileError``; the file has the content that it had.
  public func write(_ content: Data) async throws(ProtectedFileError) {
    try await withMainActorContinuation { continuation in add(.write(content) { continuation.resume(returning: $0) }) }
      .get()
  }

  // MARK: Work

  private func add(_ job: Job) {
    assertMainThread()
    // Counts at once: the program is not suspended, and does not end, before it is done.
    if task == .invalid {
      // A wait for a key, for which the user is asked, may be longer than the background time.
      task = application.beginBackgroundTask(withName: "the file \(url.lastPathComponent)") { [self] in endTask() }
    }
    waiting.append(job)
    next()
  }

  private func next() {
    guard !isBusy else { return }
    guard !waiting.isEmpty else { return endTask() }
    isBusy = true
    let (job, disk) = (waiting.removeFirst(), ProtectedDisk(url: url))
    switch job {
    case .read(let done):
      withCipher(for: .read, failed: done) { cipher in
        self.run({ disk.read(cipher) }, done)
      }
    case .write(let content, let done):
      withCipher(for: .write, failed: done) { cipher in
        self.run({ disk.write(content, cipher) }, done)
      }
    }
  }

  private func endTask() {
    application.endBackgroundTask(task)
    task = .invalid
  }

  private func withCipher<Value>(
    for use: CipherUse, failed: @escaping (Result<Value, ProtectedFileError>) -> Void,
    _ body: @escaping @MainActor ((any ContentCipher)?) -> Void
  ) {
    // Of a program that was killed, in a test, nothing reaches the file any more.
    guard !application.host.isDead else {
      return end(.failure(ProtectedFileError(ProtectionFailure.unavailable, url)), failed)
    }
    guard protection != .none else { return body(nil) }
    guard let protector = application.value(FileProtectorKey.self) else {
      return end(.failure(ProtectedFileError(ProtectionFailure.missing, url)), failed)
    }
    switch protector.cipher(protection, for: use) {
    case .success(let cipher): body(cipher)
    case .failure(let failure): end(.failure(ProtectedFileError(failure, url)), failed)
    case nil: protector.fetchKey(protection) { [self] in withCipher(for: use, failed: failed, body) }
    }
  }

  private func run<Value: Sendable>(
    _ work: @escaping @Sendable () -> Result<Value, ProtectedFileError>,
    _ done: @escaping (Result<Value, ProtectedFileError>) -> Void
  ) {
    ThreadWork.run(work) { [self] in end($0, done) }
  }

  private func end<Value>(
    _ result: Result<Value, ProtectedFileError>, _ done: (Result<Value, ProtectedFileError>) -> Void
  ) {
    isBusy = false
    done(result)
    next()
  }
}

/// Work on a thread of its own, whose result comes to the main thread.
private enum ThreadWork {
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value, _ done: @escaping @MainActor (Value) -> Void
  ) {
    let body: @Sendable () -> Void = {
      let value = work()
      DispatchQueue.main.async { done(value) }
    }
    // Without a thread it is done here, which blocks.
    if !DetachedThread.run(body) { body() }
  }
}

/// The work itself; on a thread that may wait for the disk.
private struct ProtectedDisk: Sendable {
  var url: URL

  func read(_ cipher: (any ContentCipher)?) -> Result<Data, ProtectedFileError> {
    let bytes: [UInt8]
    do throws(FileError) {
      // Encrypted it is larger by less than a thousandth.
      let limit = ProtectedFile.limit + ProtectedFile.limit >> 10
      bytes = try file().open(limit: limit).content.bytes
    } catch {
      return .failure(ProtectedFileError(error, url))
    }
    do throws(ProtectionFailure) { return .success(try cipher?.open(bytes) ?? Data(bytes)) } catch {
      return .failure(ProtectedFileError(error, url))
    }
  }

  func write(_ content: Data, _ cipher: (any ContentCipher)?) -> Result<Void, ProtectedFileError> {
    guard content.count <= ProtectedFile.limit else {
      return .failure(ProtectedFileError(FileError.tooLarge(content.count), url))
    }
    let bytes: [UInt8]
    do throws(ProtectionFailure) { bytes = try cipher?.seal(content) ?? Array(content) } catch {
      return .failure(ProtectedFileError(error, url))
    }
    let file: DocumentFile
    do throws(FileError) { file = try self.file() } catch { return .failure(ProtectedFileError(error, url)) }
    if let cipher, let failure = cipher.obstacle(toReplacing: file.start(count: cipher.headSize)) {
      return .failure(ProtectedFileError(failure, url))
    }
    do throws(DocumentFailure) {
      _ = try file.write(bytes, expecting: .anything)
      return .success(())
    } catch {
      return .failure(ProtectedFileError(error, url))
    }
  }

  private func file() throws(FileError) -> DocumentFile {
    let place = try DocumentPlace(following: url.path)
    return DocumentFile(try place.open(), place, kept: nil, isPrivate: true)
  }
}
