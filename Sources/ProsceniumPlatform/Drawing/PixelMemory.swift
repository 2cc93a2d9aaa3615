internal import Glibc

/// The one owner of a mapping that pixels are drawn into.
///
/// Not from malloc, which may keep for itself what it is given back.
package final class PixelMemory: Sendable {
  package nonisolated(unsafe) let base: UnsafeMutableRawPointer
  private let count: Int

  /// Zeros; nil where there is not as much memory.
  package init?(_ count: Int) {
    guard count > 0, let base = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      base != MAP_FAILED
    else { return nil }
    self.base = base
    self.count = count
  }

  deinit { munmap(base, count) }
}
