/// What the server can do for surfaces.
struct SurfaceSupport: Hashable, Sendable {
  /// The extensions have answered: until then nobody draws.
  var isKnown = false
  /// MIT-SHM 1.2, by whose AttachFd segments go to the server, and a socket that passes descriptors.
  var sharesMemory = false
  /// Segments can be used as pixmaps.
  var sharesPixmaps = false
  var presents = false

  var method: SurfaceMethod {
    if sharesMemory, sharesPixmaps, presents { return .present }
    return sharesMemory ? .sharedMemory : .request
  }

  /// Does without what has failed.
  mutating func fallBack(from method: SurfaceMethod) {
    presents = false
    if method != .present { sharesMemory = false }
  }

  /// ShmQueryVersion's reply (shmproto.h): shared pixmaps at 1, version at 8.
  static func sharing(_ reply: ReplyBytes) -> (memory: Bool, pixmaps: Bool) {
    guard let pixmaps = reply.u8(1), let major = reply.u16(8), let minor = reply.u16(10) else { return (false, false) }
    return (major > 1 || major == 1 && minor >= 2, pixmaps != 0)
  }
}
