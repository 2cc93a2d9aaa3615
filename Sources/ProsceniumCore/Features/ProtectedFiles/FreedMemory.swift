import CSystem
import Glibc

/// What is left of texts and values in memory that the program has freed, and a core dump would have.
enum FreedMemory {
  /// The sizes of blocks that the C library keeps apart, from the largest: with each the rest of a larger block is cut.
  private static let sizes = [65_536, 16_384, 4096, 2048] + stride(from: 1032, through: 24, by: -16)
  /// The most bytes that are taken.
  private static let most = 1 << 28

  /// Overwrites the free blocks of the main thread's heap, and gives their pages back.
  ///
  /// Takes all of them, until the C library has to make the heap larger, and frees them again: milliseconds. Another
  /// allocator, such as a sanitizer's, has its blocks elsewhere; nothing is done then.
  static func overwrite() {
    // Whole pages need not be written.
    _ = linux_trim_memory(0)
    guard let end = sbrk(0), end != UnsafeMutableRawPointer(bitPattern: -1) else { return }
    var first: UnsafeMutableRawPointer?
    var taken = 0
    for size in sizes {
      while taken < most, let block = malloc(size) {
        explicit_bzero(block, size)
        // Each block has the place of the one before it.
        block.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
        first = block
        taken += size
        if block >= end { break }
      }
    }
    while let block = first {
      first = block.load(as: UnsafeMutableRawPointer?.self)
      free(block)
    }
    _ = linux_trim_memory(0)
  }
}
