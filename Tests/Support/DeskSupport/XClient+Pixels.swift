import CXCB
import Glibc
import ProsceniumDesk

/// What is on the screen in other visuals, and at one moment.
extension XClient {
  /// The colours of a part of a window of any TrueColor visual, `0xRRGGBB`, row by row, with the smallest steps of
  /// each channel that the visual tells apart; nil where the server says no.
  package func colors(
    of window: UInt32, x: Int, y: Int, width: Int, height: Int
  ) -> (colors: [UInt32], precision: [Int])? {
    let cookie = xcb_get_image(
      connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, Int16(x), Int16(y), UInt16(width), UInt16(height),
      .max)
    guard let reply = xcb_get_image_reply(connection, cookie, nil) else { return nil }
    defer { free(reply) }
    guard let masks = masks(of: reply.pointee.visual), let data = xcb_get_image_data(reply) else { return nil }
    // Rows are padded to 32 bits (X protocol, section 8; all that Xvfb has).
    let row = Int(xcb_get_image_data_length(reply)) / height
    let bytes = reply.pointee.depth > 16 ? 4 : reply.pointee.depth > 8 ? 2 : 1
    var colors: [UInt32] = []
    for y in 0..<height {
      for x in 0..<width {
        var value: UInt32 = 0
        for byte in 0..<bytes { value |= UInt32(data[y * row + x * bytes + byte]) << UInt32(8 * byte) }
        colors.append(
          masks.reduce(0) { color, mask in
            let most = mask >> UInt32(mask.trailingZeroBitCount)
            let shade = (value & mask) >> UInt32(mask.trailingZeroBitCount)
            return color << 8 | UInt32(UInt64(shade) * 255 / UInt64(most))
          })
      }
    }
    return (colors, masks.map { 255 / ((1 << $0.nonzeroBitCount) - 1) + 1 })
  }

  /// The red, green and blue bits of a TrueColor visual.
  private func masks(of visual: UInt32) -> [UInt32]? {
    var screens = xcb_setup_roots_iterator(xcb_get_setup(connection))
    while screens.rem > 0 {
      var depths = xcb_screen_allowed_depths_iterator(screens.data)
      while depths.rem > 0 {
        var visuals = xcb_depth_visuals_iterator(depths.data)
        while visuals.rem > 0, let type = visuals.data?.pointee {
          if type.visual_id == visual, UInt32(type._class) == XCB_VISUAL_CLASS_TRUE_COLOR.rawValue {
            return [type.red_mask, type.green_mask, type.blue_mask]
          }
          xcb_visualtype_next(&visuals)
        }
        xcb_depth_next(&depths)
      }
      xcb_screen_next(&screens)
    }
    return nil
  }

  /// The size and the pixels of a window at one moment, in which nothing else happens on the server.
  package func snapshot(of window: UInt32) -> (size: Place, pixels: [UInt32])? {
    xcb_grab_server(connection)
    defer {
      xcb_ungrab_server(connection)
      xcb_flush(connection)
    }
    guard let place = place(of: window),
      let pixels = pixels(of: window, x: 0, y: 0, width: place.width, height: place.height)
    else { return nil }
    return (place, pixels)
  }

  /// The depth of a window.
  package func depth(of window: UInt32) -> UInt8 {
    guard let reply = xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), nil) else { return 0 }
    defer { free(reply) }
    return reply.pointee.depth
  }
}

/// Comparisons without a closure or a generic function for each pixel, which a debug build calls.
extension [UInt32] {
  /// Whether one of them has this colour.
  package func hasPixel(_ color: UInt32) -> Bool {
    withUnsafeBufferPointer { pixels in
      var index = 0
      while index < pixels.count, pixels[index] != color { index &+= 1 }
      return index < pixels.count
    }
  }

  /// Whether there are pixels, and all have this colour.
  package func isAllOf(_ color: UInt32) -> Bool {
    // Each is the next one.
    first == color && withUnsafeBytes { $0.baseAddress.map { memcmp($0, $0 + 4, (count - 1) * 4) } == 0 }
  }

  /// Whether the other ones have the same colours.
  package func isSame(as other: [UInt32]) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { own in
      other.withUnsafeBytes { other in
        guard let ownStart = own.baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(ownStart, otherStart, own.count) == 0
      }
    }
  }
}
