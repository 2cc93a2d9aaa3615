/// The features that the window manager supports (EWMH, `_NET_SUPPORTED`).
///
/// A property that it does not maintain was left behind by another window manager that is gone.
@MainActor final class ManagerSupport {
  private let server: XServer
  /// The supported atoms; nil until the first check of a window manager has ended.
  var atoms: Set<UInt32>?

  init(_ server: XServer) { self.server = server }

  /// Whether an atom is supported, or may be as far as known.
  func allows(_ name: AtomName) -> Bool { atoms?.contains(server.atoms[name]) ?? true }

  /// Whether an atom is known to be supported.
  func lists(_ name: AtomName) -> Bool { server.atoms[name] != 0 && atoms?.contains(server.atoms[name]) == true }
}
