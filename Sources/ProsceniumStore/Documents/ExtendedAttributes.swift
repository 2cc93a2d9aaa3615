internal import CSystem
internal import Glibc
import ProsceniumLoop

/// The extended attributes of a file that belong to its content (xattr(7)): the user's, the access control list, and
/// the label of SELinux.
enum ExtendedAttributes {
  private static let accessList = "system.posix_acl_access"
  private static let label = "security.selinux"

  /// Copies them to another file.
  ///
  /// Attributes that the other file cannot have are left out: its content is worth more than they are.
  /// - Returns: Whether the other file has the same access control list, or none as this one.
  static func copy(from original: borrowing Descriptor, to copy: borrowing Descriptor) -> Bool {
    let names = names(of: original)
    // The folder may have given the new file one (its default list).
    var keepsList =
      names.contains(accessList) || linux_remove_attribute(copy.number, accessList) == 0
      || errno == ENODATA || errno == ENOTSUP
    for name in names where name.hasPrefix("user.") || name == accessList || name == label {
      let isCopied = set(name, value(name, of: original), of: copy)
      if name == accessList { keepsList = isCopied }
    }
    return keepsList
  }

  private static func names(of file: borrowing Descriptor) -> [String] {
    let number = file.number
    let list = bytes { linux_list_attributes(number, $0, $1) } ?? []
    return list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func value(_ name: String, of file: borrowing Descriptor) -> [UInt8]? {
    let number = file.number
    return bytes { linux_get_attribute(number, name, $0, $1) }
  }

  private static func set(_ name: String, _ value: [UInt8]?, of file: borrowing Descriptor) -> Bool {
    guard let value else { return false }
    return linux_set_attribute(file.number, name, value, UInt(value.count), 0) == 0
  }

  /// What a call gives that is asked for the size first; nil where it fails, or another program has made it larger.
  private static func bytes(_ call: (UnsafeMutablePointer<CChar>?, UInt) -> Int) -> [UInt8]? {
    let size = call(nil, 0)
    guard size > 0 else { return size == 0 ? [] : nil }
    var count = 0
    let bytes = [CChar](unsafeUninitializedCapacity: size) { buffer, initialized in
      count = call(buffer.baseAddress, UInt(size))
      initialized = max(0, count)
    }
    return count >= 0 ? bytes.map { UInt8(bitPattern: $0) } : nil
  }
}
