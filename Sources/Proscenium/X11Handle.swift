public import ProsceniumCore
private import ProsceniumPlatform
private import ProsceniumX11

/// What a program needs to draw into a window by its own means: xcb, GL, Vulkan, Cairo.
///
/// Valid while the window belongs to a connected scene; the connection as long as the process. Do not destroy or unmap
/// the window, and do not select events on it: the framework does. Requests may be sent from the main thread at any time,
/// and are flushed at the end of each turn of the loop.
///
/// The window need not be of the root's visual: transparent windows (``Window/isOpaque``) have an alpha channel, and on
/// screens whose own pixels are not 32 bits of red, green and blue all windows get a visual where they are, if there is
/// one. So choose configurations, graphics contexts and pixel values for ``visual`` and ``depth``; at depth 32 the upper
/// eight bits are alpha.
public struct X11Handle {
  /// The `xcb_connection_t *`, owned by the framework.
  public let connection: OpaquePointer
  /// The window's XID.
  public let window: UInt32
  /// The XID of the window's visual.
  public let visual: UInt32
  /// The number of the X screen.
  public let screen: Int
  /// Bits per pixel that are used.
  public let depth: UInt8

  /// Whether the X server is still there, asked of the socket at this moment.
  ///
  /// A server that dies is told to the program at the end of a turn of the loop, but a driver meets it at once, and few
  /// expect it: Mesa has been seen to wait for ever and to crash. So ask before each call of a driver that talks to the
  /// server, above all before one that shows a frame or gives something back, and make none where the answer is no. The
  /// process is about to end with status 1; everything that the driver had goes with it. From any thread; one system
  /// call, no round trip.
  public var isConnected: Bool { X11Platform.isConnected(connection) }
}

extension Window {
  /// The X window; nil while the window belongs to no connected scene, does not live on X11, or after the server has
  /// gone.
  public var x11Handle: X11Handle? {
    guard let id, let platform = platform as? X11Platform, let handle = platform.handle(for: id) else { return nil }
    return X11Handle(
      connection: handle.connection, window: handle.window, visual: handle.visual, screen: handle.screen,
      depth: handle.depth)
  }
}
