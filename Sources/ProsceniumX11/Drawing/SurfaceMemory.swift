import CXCB
import Glibc

/// The one owner of a mapping that pixels are drawn into; unmapped when it is released.
final class SurfaceMemory {
  /// More than any screen needs: the most that a mistake may cost.
  static let most = 1 << 30

  let base: UnsafeMutableRawPointer
  let count: Int

  private init(_ base: UnsafeMutableRawPointer, _ count: Int) {
    self.base = base
    self.count = count
  }

  deinit { munmap(base, count) }

  /// Memory of this process; nil where there is not as much.
  static func plain(_ count: Int) -> SurfaceMemory? {
    guard count > 0, count <= most else { return nil }
    return map(count, MAP_PRIVATE | MAP_ANONYMOUS, -1)
  }

  /// Memory that can be shared, and its descriptor, for the caller to pass on or close.
  ///
  /// It cannot shrink any more (memfd_create(2), F_SEAL_SHRINK), so that no process that maps it faults, and its pages
  /// exist already: a lack of memory is a nil here, and not a signal while something is drawn.
  static func shared(_ count: Int) -> (memory: SurfaceMemory, descriptor: Int32)? {
    guard count > 0, count <= most, fits(count) else { return nil }
    let descriptor = memfd_create("proscenium", UInt32(linux_memfd_close_on_exec | linux_memfd_allow_sealing))
    guard descriptor >= 0 else { return nil }
    guard posix_fallocate(descriptor, 0, count) == 0, let memory = map(count, MAP_SHARED, descriptor) else {
      close(descriptor)
      return nil
    }
    // Older kernels may refuse, which changes nothing.
    _ = fcntl(descriptor, Int32(linux_add_seals), Int32(linux_seal_seal | linux_seal_shrink | linux_seal_grow))
    return (memory, descriptor)
  }

  /// Whether the process may have a file of that size: one that is too large would end it (setrlimit(2), SIGXFSZ).
  static func fits(_ count: Int) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return true }
    return limit.rlim_cur == rlim_t.max || limit.rlim_cur >= rlim_t(count)
  }

  private static func map(_ count: Int, _ flags: Int32, _ descriptor: Int32) -> SurfaceMemory? {
    guard let base = mmap(nil, count, PROT_READ | PROT_WRITE, flags, descriptor, 0), base != MAP_FAILED else {
      return nil
    }
    return SurfaceMemory(base, count)
  }
}
