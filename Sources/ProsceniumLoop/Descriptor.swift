internal import Glibc

/// A file descriptor with one owner, closed when the value ends.
package struct Descriptor: ~Copyable, Sendable {
  /// The number; valid for as long as the value exists.
  package let number: Int32

  /// Takes over a descriptor that no other value owns.
  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }
}
