internal import CSystem
internal import Glibc

/// Bytes that are worth stealing: a key, or the plain content of a protected file.
///
/// They lie in pages of their own, which a core dump lacks, which are not swapped as far as the process may lock them,
/// and which are wiped when the object ends. Sendable, because they do not change once the object is made.
package final class SecretBytes: @unchecked Sendable {
  package let count: Int
  private let memory: UnsafeMutableRawBufferPointer

  /// Makes bytes; nil where there is no memory, or they cannot be filled.
  /// - Parameters:
  ///   - count: Their number.
  ///   - fill: Writes them into memory that has zeros; returns whether it has.
  package init?(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Bool) {
    self.count = count
    let size = max(1, count)
    let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else {
      memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      return nil
    }
    memory = UnsafeMutableRawBufferPointer(start: pages, count: size)
    madvise(pages, size, MADV_DONTDUMP)
    // There is a limit for each process; what is above it may be swapped.
    mlock(pages, size)
    guard fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count])) else { return nil }
  }

  deinit {
    guard let start = memory.baseAddress else { return }
    explicit_bzero(start, memory.count)
    munmap(start, memory.count)
  }

  /// Copies bytes; nil where there is no memory.
  package convenience init?(copying bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count) { memory in
      memory.copyMemory(from: bytes)
      return true
    }
  }

  /// Random bytes, which nobody can guess; nil where there is no memory.
  package static func random(count: Int) -> SecretBytes? {
    SecretBytes(count: count) { memory in
      var source = SystemRandomNumberGenerator()
      for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &source) }
      return true
    }
  }

  /// Lends the bytes; the pointer does not outlast the call.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// The place of the bytes, for a value that keeps this object for as long as it uses them.
  package var place: UnsafeMutableRawPointer? { memory.baseAddress }

  /// Whether two have the same bytes; says nothing by the time that it takes.
  package func isSame(as other: SecretBytes) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<count { difference |= memory[index] ^ other.memory[index] }
    return difference == 0
  }
}

extension SecretBytes: Hashable {
  /// Whether both are the same object.
  package static func == (left: SecretBytes, right: SecretBytes) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SecretBytes {
  /// Moves the bytes of someone else's memory: copies them, and wipes them there.
  /// - Returns: The bytes; nil where there is no memory. They are wiped all the same.
  package static func move(_ address: UnsafeRawPointer, count: Int) -> SecretBytes? {
    let secret = SecretBytes(copying: UnsafeRawBufferPointer(start: address, count: count))
    explicit_bzero(UnsafeMutableRawPointer(mutating: address), count)
    return secret
  }

  /// A file in memory with the bytes, which can be sealed and which no directory has; nil where there is none.
  package func file() -> Descriptor? {
    let number = linux_memory_file("secret", UInt32(linux_memory_file_sealable))
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    let isWritten = StandardError.withoutWriteSignals {
      withBytes { Glibc.write(number, $0.baseAddress, $0.count) == $0.count }
    }
    guard isWritten else { return nil }
    return file
  }
}
