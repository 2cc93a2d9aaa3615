import Glibc

/// Tells when names in a directory are made, replaced or removed: what replaces a file by renaming is heard of nowhere else
/// (inotify(7)).
@MainActor package final class DirectoryWatch {
  /// What is said: the names that were touched; nil where some may have been missed.
  package typealias Handler = (_ names: Set<String>?) -> Void

  private let descriptor: Int32
  private let onChange: Handler
  private weak var host: (any SystemHost)?
  private var id: LoopSourceID?

  /// Watches a directory.
  ///
  /// Nil, and `errno`, where that cannot be done.
  /// - Parameters:
  ///   - path: The directory.
  ///   - host: Who has the loop.
  ///   - onChange: Called once for all that has happened since it was called last.
  package init?(_ path: String, host: any SystemHost, onChange: @escaping Handler) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.onChange = onChange
    self.host = host
    let mask = UInt32(IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_CLOSE_WRITE)
    guard inotify_add_watch(descriptor, path, mask | UInt32(IN_ONLYDIR)) >= 0 else { return nil }
    id = host.watch(
      LoopSource(descriptor: descriptor, interest: .readable) { [weak self] isGone in self?.heard(isGone: isGone) })
  }

  isolated deinit { close(descriptor) }

  /// Hears of nothing more.
  package func stop() {
    if let id { host?.unwatch(id) }
    id = nil
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
