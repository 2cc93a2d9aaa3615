import Glibc

/// A mapping of memory with one owner, unmapped when the value ends (mmap(2)).
package struct MemoryMapping: ~Copyable, @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  /// The size in bytes.
  package let count: Int

  /// Maps zeros for this process alone; nil where there is not as much memory.
  /// - Parameter count: The size in bytes.
  package init?(count: Int) { self.init(count, MAP_PRIVATE | MAP_ANONYMOUS, -1) }

  /// Maps a file, so that others see what is written; nil where that is not possible.
  /// - Parameters:
  ///   - file: The file, which may be closed afterwards.
  ///   - count: The size in bytes.
  package init?(sharing file: borrowing Descriptor, count: Int) { self.init(count, MAP_SHARED, file.number) }

  private init?(_ count: Int, _ flags: Int32, _ descriptor: Int32) {
    guard count > 0, let base = mmap(nil, count, PROT_READ | PROT_WRITE, flags, descriptor, 0), base != MAP_FAILED
    else {
      return nil
    }
    self.base = base
    self.count = count
  }

  deinit { munmap(base, count) }
}
