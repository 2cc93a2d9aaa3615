import CXCB
import Glibc

/// A rectangle on the screen, in pixels, as the server has it.
public struct Place: Hashable, Sendable, CustomStringConvertible {
  /// The left edge, in pixels.
  public var x: Int
  /// The upper edge, in pixels.
  public var y: Int
  /// The width, in pixels.
  public var width: Int
  /// The height, in pixels.
  public var height: Int
  /// A rectangle by its upper left corner and its size.
  /// - Parameters:
  ///   - x: The left edge, in pixels.
  ///   - y: The upper edge, in pixels.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
  /// As X writes it: `640x480+10+20`.
  public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}

extension XClient {
  /// Where a window is on the root, without frame and border.
  package func place(of window: UInt32) -> Place? {
    let cookie = xcb_translate_coordinates(connection, window, root, 0, 0)
    let size = xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), nil)
    let origin = read(xcb_translate_coordinates_reply(connection, cookie, nil)) { ($0.pointee.dst_x, $0.pointee.dst_y) }
    return read(size) { size in
      origin.map { Place(Int($0.0), Int($0.1), Int(size.pointee.width), Int(size.pointee.height)) }
    }
  }

  /// Moves and resizes a window as another program may (ICCCM 4.1.5, a redirected ConfigureWindow).
  package func move(_ window: UInt32, to place: Place) {
    let mask = [XCB_CONFIG_WINDOW_X, XCB_CONFIG_WINDOW_Y, XCB_CONFIG_WINDOW_WIDTH, XCB_CONFIG_WINDOW_HEIGHT]
      .reduce(0) { $0 | UInt16($1.rawValue) }
    let values = [place.x, place.y, place.width, place.height].map { UInt32(truncatingIfNeeded: $0) }
    xcb_configure_window(connection, window, mask, values)
    sync()
  }
}
