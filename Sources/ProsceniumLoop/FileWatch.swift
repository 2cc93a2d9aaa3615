import Glibc

/// Watches a file or a directory (inotify(7)).
///
/// A file that is replaced by renaming another one is seen by a watch of its directory alone.
@MainActor package final class FileWatch {
  /// Called with the names in the directory that were touched.
  ///
  /// An empty name stands for what is watched itself: a file that was written, a directory that was moved or removed.
  /// Nil where the kernel has dropped names.
  package typealias Handler = (_ names: Set<String>?) -> Void

  /// The changes that are watched.
  package enum Interest: Sendable {
    /// All changes of the names in a directory and of the files' contents.
    case changes
    /// Names that are added to a directory, which wakes the program for little else.
    case arrivals
    /// A file's contents.
    case contents

    fileprivate var mask: UInt32 {
      let ofDirectory = Int(IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR)
      let arrivals = Int(IN_MOVED_TO | IN_CREATE)
      return switch self {
      case .changes: UInt32(arrivals | Int(IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE) | ofDirectory)
      case .arrivals: UInt32(arrivals | ofDirectory)
      case .contents: UInt32(IN_MODIFY)
      }
    }
  }

  /// A directory in which files change without end must not keep the loop in one turn.
  private static let mostReads = 16

  private let descriptor: Descriptor
  private let onChange: Handler
  private weak var host: (any LoopHost)?
  private var registration: LoopRegistration?

  /// Begins to watch.
  /// - Parameters:
  ///   - path: The path of the file or directory.
  ///   - interest: The changes that are watched.
  ///   - host: The loop.
  ///   - onChange: Called once for all changes since its last call.
  /// - Throws: The error of inotify(7): the path does not exist, may not be read, or the user has too many watches.
  package init(
    _ path: String, for interest: Interest = .changes, host: any LoopHost, onChange: @escaping Handler
  ) throws(Errno) {
    let descriptor = try Descriptor(checking: inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
    guard inotify_add_watch(descriptor.number, path, interest.mask) >= 0 else { throw .last }
    self.descriptor = descriptor
    self.onChange = onChange
    self.host = host
    resume()
  }

  /// Reports nothing until ``resume()``; the kernel goes on recording changes.
  package func pause() { registration = nil }

  /// Reports changes again, those since ``pause()`` included.
  package func resume() {
    guard registration == nil, let host else { return }
    registration = LoopRegistration(descriptor.number, host: host) { [weak self] isGone in
      if isGone { self?.pause() }
      self?.readChanges()
    }
  }

  private func readChanges() {
    var names: Set<String>? = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    for _ in 0..<Self.mostReads {
      let count = read(descriptor.number, &buffer, buffer.count)
      guard count > 0 else { break }
      Self.decode(buffer[..<count], into: &names)
    }
    if names?.isEmpty != true { onChange(names) }
  }

  private static func decode(_ bytes: ArraySlice<UInt8>, into names: inout Set<String>?) {
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
