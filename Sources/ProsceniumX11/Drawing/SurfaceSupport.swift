import CXCB

/// The server's support for surfaces.
struct SurfaceSupport: Hashable, Sendable {
  /// Whether the extensions have answered: until then nothing is drawn.
  var isKnown = false
  /// Whether the server has MIT-SHM 1.2, whose AttachFd passes segments to it, and the socket passes descriptors.
  var sharesMemory = false
  /// Whether segments can be used as pixmaps.
  var sharesPixmaps = false
  /// Whether the server has Present.
  var presents = false

  var method: SurfaceMethod {
    if sharesMemory, sharesPixmaps, presents { return .present }
    return sharesMemory ? .sharedMemory : .request
  }

  /// Uses another method than one that has failed.
  mutating func fallBack(from method: SurfaceMethod) {
    presents = false
    if method != .present { sharesMemory = false }
  }

  mutating func set(sharing version: shm_version_reply) {
    sharesMemory = (version.major, version.minor) >= (1, 2)
    sharesPixmaps = version.shares_pixmaps != 0
  }
}
