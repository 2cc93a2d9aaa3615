import CXCB
import Glibc
import ProsceniumLoop

/// The memory of a buffer that pixels are drawn into; unmapped when the object is released.
final class SurfaceMemory {
  /// The greatest size in bytes: more than any screen needs.
  static let most = 1 << 30

  private let mapping: MemoryMapping

  var base: UnsafeMutableRawPointer { mapping.base }
  var count: Int { mapping.count }

  /// Allocates memory of this process; nil where there is not as much.
  /// - Parameter count: The size in bytes.
  init?(count: Int) {
    guard count <= Self.most, let mapping = MemoryMapping(count: count) else { return nil }
    self.mapping = mapping
  }

  /// Maps a file that ``makeFile(_:)`` has made; nil where that is not possible.
  /// - Parameters:
  ///   - file: The file, which may be closed afterwards.
  ///   - count: The file's size in bytes.
  init?(sharing file: borrowing Descriptor, count: Int) {
    guard let mapping = MemoryMapping(sharing: file, count: count) else { return nil }
    self.mapping = mapping
  }

  /// Makes a file without a name, whose memory can be shared with the server; nil where there is not as much memory.
  ///
  /// It cannot shrink any more (memfd_create(2), F_SEAL_SHRINK), so that no process that maps it faults, and its pages
  /// exist already: a lack of memory is a nil here, and not a signal while something is drawn.
  /// - Parameter count: The size in bytes.
  /// - Returns: The file.
  static func makeFile(_ count: Int) -> Descriptor? {
    guard count > 0, count <= most, fits(count) else { return nil }
    let number = memfd_create("proscenium", UInt32(linux_memfd_close_on_exec | linux_memfd_allow_sealing))
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    guard posix_fallocate(file.number, 0, count) == 0 else { return nil }
    // Older kernels may refuse, which changes nothing.
    _ = fcntl(file.number, Int32(linux_add_seals), Int32(linux_seal_seal | linux_seal_shrink | linux_seal_grow))
    return file
  }

  /// Whether the process may have a file of that size: one that is too large would end it (setrlimit(2), SIGXFSZ).
  static func fits(_ count: Int) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return true }
    return limit.rlim_cur == rlim_t.max || limit.rlim_cur >= rlim_t(count)
  }
}
