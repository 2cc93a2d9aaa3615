public import ProsceniumCore
private import ProsceniumPlatform
private import ProsceniumX11

/// The X11 resources of a window, for programs that draw by their own means: xcb, GL, Vulkan, Cairo.
///
/// Valid while the window belongs to a connected scene; the connection as long as the process. Do not destroy or unmap
/// the window, and do not select events on it: the framework does. Requests may be sent from the main thread at any
/// time, and are flushed at the end of each turn of the loop.
///
/// Other threads may send requests, too, wait for replies, and wait for special events, as drivers do
/// (`xcb_wait_for_special_event`): the loop hears of all that they read. No thread may ask for the other events
/// (`xcb_wait_for_event`, `xcb_poll_for_event`), which the framework would lose. From the first handle on the kernel
/// tells the main thread of each arrival on the connection by `SIGURG`, which that thread blocks and reads itself;
/// leave it blocked. In another library's loop a thread of the framework gets the signal, and no other one.
///
/// The window's visual may differ from the root's: transparent windows (``Window/isOpaque``) have an alpha channel, and
/// on screens whose own pixels are not 32 bits of red, green and blue all windows get such a visual where there is one.
/// Choose configurations, graphics contexts and pixel values for ``visual`` and ``depth``; at depth 32 the upper eight
/// bits are alpha.
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

  /// Whether the connection to the X server exists, checked on the socket at this moment.
  ///
  /// The program is notified of a lost server at the end of a turn of the loop, but a driver meets the loss at once,
  /// and few drivers handle it: Mesa has been seen to wait for ever and to crash. Check before each call of a driver
  /// that uses the server, above all before one that presents a frame or frees a resource, and make no call where this
  /// is false. The process then ends with status 1, which frees the driver's resources. From any thread; one system
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
