import CSystem
import Glibc

/// The address of a bus (D-Bus Specification, "Server Addresses").
struct BusAddress: Hashable {
  let text: String
  /// The paths of the sockets, in the order in which they are tried; nil for a socket without a path.
  private let paths: [String?]
  /// Whether the environment names it; false for the usual one.
  let isNamed: Bool

  init(_ text: String, isNamed: Bool = true) {
    self.text = text
    self.isNamed = isNamed
    paths = Self.paths(in: text)
  }

  /// The address in the environment, or the usual one; nil where there is neither.
  init?(_ kind: Bus.Kind, environment: [String: String]) {
    let named = environment["DBUS_\(kind.rawValue.uppercased())_BUS_ADDRESS"] ?? ""
    let folder = environment["XDG_RUNTIME_DIR"] ?? ""
    switch kind {
    case _ where !named.isEmpty: self.init(named)
    case .system: self.init("unix:path=/run/dbus/system_bus_socket", isNamed: false)
    case .session where folder.hasPrefix("/"): self.init("unix:path=\(folder)/bus", isNamed: false)
    case .session: return nil
    }
  }

  /// The variables of the environment that it reads.
  static let variables = ["DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR"]

  private static func paths(in text: String) -> [String?] {
    text.split(separator: ";").map { address in
      guard address.hasPrefix("unix:") else { return nil }
      let pairs = address.dropFirst(5).split(separator: ",")
      guard let pair = pairs.first(where: { $0.hasPrefix("path=") }) else { return nil }
      let path = pair.dropFirst(5).unescaped("%", digits: 2, radix: 16)
      return path.hasPrefix("/") ? path : nil
    }
  }

  /// Whether one of the sockets exists, as far as the file system shows.
  var isThere: Bool { paths.contains { $0.map { access($0, F_OK) == 0 } ?? true } }

  /// Whether one of the sockets has no path, so that its coming cannot be seen.
  var isSilent: Bool { paths.contains(nil) }

  /// The folders of the sockets with paths, and the names of the sockets there.
  var folders: [String: Set<String>] {
    var folders: [String: Set<String>] = [:]
    for path in paths {
      let parts = (path ?? "").split(separator: "/")
      guard let name = parts.last else { continue }
      let folder = parts.dropLast().reduce("") { "\($0)/\($1)" }
      folders[folder.isEmpty ? "/" : folder, default: []].insert(String(name))
    }
    return folders
  }
}

extension Substring {
  /// The text with its escapes replaced: a mark and the digits of a number stand for a byte.
  func unescaped(_ mark: Unicode.Scalar, digits: Int, radix: Int) -> String {
    var bytes: [UInt8] = []
    var rest = utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: mark),
        let escaped = UInt8(String(decoding: rest.prefix(digits), as: UTF8.self), radix: radix)
      {
        bytes.append(escaped)
        rest = rest.dropFirst(digits)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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

  /// Whether the process at the other end of a socket has no number here: it is outside of the container that this one
  /// is in, and names processes by other numbers (pid_namespaces(7)).
  static func isOutside(_ descriptor: Int32) -> Bool { peer(descriptor)?.process == 0 }

  private static func user(_ descriptor: Int32) -> UInt32? { peer(descriptor)?.user }

  private static func peer(_ descriptor: Int32) -> linux_peer? {
    var peer = linux_peer()
    var length = socklen_t(MemoryLayout<linux_peer>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer : nil
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
