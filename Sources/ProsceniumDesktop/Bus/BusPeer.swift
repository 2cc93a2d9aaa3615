import CSystem
import Glibc

/// The users that can be connected to a bus, as far as the kernel tells.
enum BusPeer {
  /// Whether only this user and root can be connected to the bus at the other end of a socket.
  ///
  /// True where the bus is a process of this user (`SO_PEERCRED`) and one of the folders above its socket can be
  /// entered by this user alone, as `$XDG_RUNTIME_DIR` can. Also true for a bus that its owner has configured to listen
  /// elsewhere as well.
  static func isOwnUsers(alone descriptor: Int32) -> Bool {
    guard user(descriptor) == geteuid(), let path = path(descriptor) else { return false }
    return isClosed(path)
  }

  private static func user(_ descriptor: Int32) -> UInt32? {
    var peer = linux_peer()
    var length = socklen_t(MemoryLayout<linux_peer>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else { return nil }
    return peer.user
  }

  /// The path of the other end's socket; nil for a socket without one.
  private static func path(_ descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let found = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
    }
    guard found == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0) }.prefix { $0 != 0 }
    guard bytes.first == UInt8(ascii: "/") else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Whether one of the folders above a file can be entered by this user alone.
  static func isClosed(_ path: String) -> Bool {
    guard let resolved = realpath(path, nil) else { return false }
    defer { free(resolved) }
    var folder = String(cString: resolved)[...]
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = folder[..<slash]
      var status = stat()
      guard stat(String(folder), &status) == 0 else { return false }
      if status.st_uid == geteuid(), status.st_mode & (S_IXGRP | S_IXOTH) == 0 { return true }
    }
    return false
  }
}
