import Glibc

/// Sockets that are files.
enum UnixSocket {
  /// A listening socket, or -1 where the path is taken.
  static func listen(at path: String) throws -> Int32 {
    let descriptor = try make()
    guard withAddress(path, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 16) == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  /// A connected socket, or -1 where nothing listens.
  static func connect(to path: String) throws -> Int32 {
    let descriptor = try make()
    guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  private static func make() throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw DeskFailure("socket: errno \(errno)") }
    return descriptor
  }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
