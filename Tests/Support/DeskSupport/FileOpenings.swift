import Glibc

/// Which files of a folder are opened, whoever opens them (inotify(7)).
package final class FileOpenings: Sendable {
  private let descriptor: Int32

  /// Looks from now on.
  /// - Throws: `DeskFailure` where the folder cannot be watched.
  package init(in folder: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard inotify_add_watch(descriptor, folder, UInt32(IN_OPEN)) >= 0 else {
      close(descriptor)
      throw DeskFailure("\(folder) cannot be watched")
    }
  }

  deinit { close(descriptor) }

  /// The names of the files that have been opened since the last call.
  ///
  /// Not how often: the kernel makes one of two events that are the same.
  package func take() -> Set<String> {
    let size = MemoryLayout<inotify_event>.size
    var names: Set<String> = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      buffer[..<count].withUnsafeBytes { bytes in
        var offset = 0
        while offset + size <= bytes.count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let end = min(offset + size + Int(event.len), bytes.count)
          names.insert(String(decoding: bytes[(offset + size)..<end].prefix { $0 != 0 }, as: UTF8.self))
          offset = end
        }
      }
    }
    return names
  }
}
