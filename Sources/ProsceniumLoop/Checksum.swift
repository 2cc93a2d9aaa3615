/// The FNV-1a hash of bytes, of 64 bits.
///
/// Files on the disk and the names of units have it, so that it never changes. Nobody is kept from making two contents
/// of one hash: who can change the files of the user needs no trick.
package struct Checksum: Hashable, Sendable {
  package var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inlinable package init() {}

  @inlinable package init(_ bytes: some Sequence<UInt8>) {
    self.init()
    add(bytes)
  }

  @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
