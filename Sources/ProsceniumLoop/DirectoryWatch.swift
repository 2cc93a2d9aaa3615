import Glibc

/// Tells when names in a directory are made, replaced or removed: what replaces a file by renaming is heard of nowhere else
/// (inotify(7)).
@MainActor package final class DirectoryWatch {
  /// What is said: the names that were touched, an empty one for the directory itself, which has gone or has another name
  /// now; nil where some may have been missed.
  package typealias Handler = (_ names: Set<String>?) -> Void

  /// What is heard of.
  package enum Interest: Sendable {
    /// Whatever is done to what is in the directory.
    case changes
    /// Names that come: who waits for one is woken for little else.
    case arrivals

    fileprivate var mask: UInt32 {
      let arrivals = IN_MOVED_TO | IN_CREATE
      let all: Int =
        switch self {
        case .changes: Int(arrivals | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE)
        case .arrivals: Int(arrivals)
        }
      return UInt32(all) | UInt32(IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR)
    }
  }

  private let descriptor: Int32
  private let onChange: Handler
  private weak var host: (any LoopHost)?
  private var id: LoopSourceID?

  /// Watches a directory.
  /// - Parameters:
  ///   - path: The directory.
  ///   - interest: What to hear of.
  ///   - host: Who has the loop.
  ///   - onChange: Called once for all that has happened since it was called last.
  /// - Throws: Why that cannot be done: there is no such directory, it may not be read, or the user has too many watches.
  package init(
    _ path: String, for interest: Interest = .changes, host: any LoopHost, onChange: @escaping Handler
  ) throws(FileError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .system(errno) }
    guard inotify_add_watch(descriptor, path, interest.mask) >= 0 else {
      let code = errno
      close(descriptor)
      throw .system(code)
    }
    self.descriptor = descriptor
    self.onChange = onChange
    self.host = host
    listen()
  }

  isolated deinit { close(descriptor) }

  /// Hears of nothing more, until ``listen()``; the kernel goes on writing down what happens.
  package func stop() {
    if let id { host?.unwatch(id) }
    id = nil
  }

  /// Hears again, also of what has happened meanwhile.
  package func listen() {
    guard id == nil else { return }
    id = host?.watch(
      LoopSource(descriptor: descriptor, interest: .readable) { [weak self] isGone in self?.heard(isGone: isGone) })
  }

  private func heard(isGone: Bool) {
    if isGone { stop() }
    var names: Set<String>? = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    // Somebody who never stops must not keep the loop here.
    for _ in 0..<16 {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      note(buffer[..<count], &names)
    }
    if names?.isEmpty != true { onChange(names) }
  }

  private func note(_ bytes: ArraySlice<UInt8>, _ names: inout Set<String>?) {
    let size = MemoryLayout<inotify_event>.size
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + size <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = min(offset + size + Int(event.len), bytes.count)
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { names = nil }
        names?.insert(String(decoding: bytes[(offset + size)..<end].prefix { $0 != 0 }, as: UTF8.self))
        offset = end
      }
    }
  }
}
