internal import ProsceniumLoop

/// The memory of pixels.
///
/// Mapped, because malloc may keep freed memory.
package final class PixelMemory: Sendable {
  private let mapping: MemoryMapping

  /// Makes memory of zeros; nil where memory is exhausted.
  package init?(_ count: Int) {
    guard let mapping = MemoryMapping(count: count) else { return nil }
    self.mapping = mapping
  }

  package var base: UnsafeMutableRawPointer { mapping.base }
}
