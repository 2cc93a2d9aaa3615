import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The user's keyring of the kernel, which has secrets until the machine is started again (keyrings(7)).
///
/// No call waits.
enum KernelKeyring {
  /// A secret of this user; nil where there is none, or another user has made it.
  static func find(_ name: String) -> SecretBytes? {
    let key = linux_find_key(Int32(linux_user_keyring), name)
    guard key >= 0, owner(of: key) == geteuid() else { return nil }
    return SecretBytes(count: ProtectionKeys.size) {
      linux_read_key(key, $0.baseAddress, UInt($0.count)) == ProtectionKeys.size
    }
  }

  /// Stores a secret, in place of an earlier one.
  /// - Throws: The error of add_key(2) or keyctl(2): `ENOSYS` or `EPERM` where the kernel or a sandbox has no keyrings.
  static func add(_ secret: SecretBytes, _ name: String) throws(Errno) {
    // Only the possessor of a key may give rights to the user; a thread possesses what is in its own keyring.
    let own = Int32(linux_thread_keyring)
    let key = secret.withBytes { linux_add_key(name, $0.baseAddress, UInt($0.count), own) }
    guard key >= 0 else { throw .last }
    defer { _ = linux_unlink_key(key, own) }
    guard linux_permit_key(key, UInt32(linux_every_right_of_user)) == 0,
      linux_link_key(key, Int32(linux_user_keyring)) == 0
    else { throw .last }
  }

  /// Removes a secret, if it is there.
  static func remove(_ name: String) {
    let ring = Int32(linux_user_keyring)
    let key = linux_find_key(ring, name)
    if key >= 0 { _ = linux_unlink_key(key, ring) }
  }

  private static func owner(of key: Int32) -> UInt32? {
    var text = [CChar](repeating: 0, count: 512)
    let count = linux_describe_key(key, &text, UInt(text.count))
    guard count > 0, count <= text.count else { return nil }
    let fields = String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: ";")
    return fields.count > 1 ? UInt32(fields[1]) : nil
  }
}
