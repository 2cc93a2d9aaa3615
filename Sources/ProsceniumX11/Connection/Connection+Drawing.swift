import CXCB
import Glibc
import ProsceniumPlatform

/// The core protocol's requests that put pixels on the screen (X protocol, section 9).
extension Connection {
  /// Whether file descriptors can be passed to the server: only through a socket of this machine (unix(7), SCM_RIGHTS).
  ///
  /// libxcb closes the connection for good when it cannot pass one.
  var passesDescriptors: Bool {
    var domain: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(fileDescriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_UNIX
  }

  /// A colormap for a visual that is not the root's (X protocol, CreateColormap).
  func createColormap(_ colormap: UInt32, visual: UInt32) {
    sent(
      xcb_create_colormap(raw, UInt8(XCB_COLORMAP_ALLOC_NONE.rawValue), colormap, screen.root, visual),
      "CreateColormap", 0)
  }

  /// A graphics context for drawables of a window's depth, without GraphicsExpose events.
  func createContext(_ context: UInt32, for window: UInt32) {
    sent(
      xcb_create_gc(raw, context, window, XCB_GC_GRAPHICS_EXPOSURES.rawValue, [UInt32(0)]), "CreateGC", window,
      .surface)
  }

  func createPixmap(_ pixmap: UInt32, _ size: Size, depth: UInt8) {
    sent(
      xcb_create_pixmap(
        raw, depth, pixmap, screen.root, UInt16(clamping: size.width), UInt16(clamping: size.height)), "CreatePixmap",
      0, .surface)
  }

  func freePixmap(_ pixmap: UInt32) { sent(xcb_free_pixmap(raw, pixmap), "FreePixmap", 0, .surface) }

  func copyArea(from source: UInt32, to window: UInt32, context: UInt32, _ rect: Rect) {
    let (x, y) = (Int16(clamping: rect.origin.x), Int16(clamping: rect.origin.y))
    sent(
      xcb_copy_area(
        raw, source, window, context, x, y, x, y, UInt16(clamping: rect.size.width),
        UInt16(clamping: rect.size.height)), "CopyArea", window, .surface)
  }

  /// Sends one slice of an image (X protocol, PutImage with ZPixmap), its rows as long as the
  /// server's format for the depth says.
  func putImage(_ window: UInt32, context: UInt32, depth: UInt8, _ rect: Rect, _ bytes: UnsafeRawBufferPointer) {
    sent(
      xcb_put_image(
        raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, context, UInt16(clamping: rect.size.width),
        UInt16(clamping: rect.size.height), Int16(clamping: rect.origin.x), Int16(clamping: rect.origin.y), 0, depth,
        UInt32(bytes.count), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)), "PutImage", window, .surface)
  }
}
