import CXCB
import Glibc

/// The screen's pixels, as another client reads them.
extension XClient {
  /// The pixels of a part of a window, row by row, without the bits that are not colours; nil after an error of the
  /// server.
  package func pixels(of window: UInt32, x: Int, y: Int, width: Int, height: Int) -> [UInt32]? {
    let cookie = xcb_get_image(
      connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, Int16(x), Int16(y), UInt16(width), UInt16(height),
      .max)
    guard let reply = xcb_get_image_reply(connection, cookie, nil) else { return nil }
    defer { free(reply) }
    guard xcb_get_image_data_length(reply) == width * height * 4, let data = xcb_get_image_data(reply) else {
      return nil
    }
    let mask: UInt32 = reply.pointee.depth == 32 ? 0xFFFF_FFFF : 0xFF_FFFF
    return data.withMemoryRebound(to: UInt32.self, capacity: width * height) { words in
      (0..<width * height).map { words[$0] & mask }
    }
  }
}
