import CXCB
import ProsceniumCore

/// What the connection setup says about the screen that `DISPLAY` names (X protocol, section 8 "Connection Setup").
struct ScreenSetup: Sendable {
  var number: Int
  var root: UInt32
  var visual: UInt32
  var depth: UInt8
  var size: Size
  var physicalSize: Size
  var black: UInt32
  var white: UInt32
  /// The colour masks of the root's visual; nil where it is not TrueColor.
  var masks: (red: UInt32, green: UInt32, blue: UInt32)?
  /// A TrueColor visual of depth 32, whose other eight bits compositing managers take for alpha; 0 where there is none.
  var alphaVisual: UInt32 = 0
  /// Depths whose pixels have the layout of ``PixelBuffer``.
  var drawableDepths: Set<UInt8> = []
  /// The longest request without BIG-REQUESTS, in bytes.
  var longestRequest = 16_384

  init?(_ setup: UnsafePointer<xcb_setup_t>, number: Int) {
    var screens = xcb_setup_roots_iterator(setup)
    for _ in 0..<number where screens.rem > 0 { xcb_screen_next(&screens) }
    guard screens.rem > 0, let screen = screens.data?.pointee else { return nil }
    self.number = number
    root = screen.root
    visual = screen.root_visual
    depth = screen.root_depth
    size = Size(width: Int(screen.width_in_pixels), height: Int(screen.height_in_pixels))
    physicalSize = Size(width: Int(screen.width_in_millimeters), height: Int(screen.height_in_millimeters))
    black = screen.black_pixel
    white = screen.white_pixel
    longestRequest = 4 * Int(setup.pointee.maximum_request_length)
    let wide = Self.wideDepths(setup)
    var depths = xcb_screen_allowed_depths_iterator(screens.data)
    while depths.rem > 0 {
      var visuals = xcb_depth_visuals_iterator(depths.data)
      while visuals.rem > 0, let type = visuals.data?.pointee {
        if type.visual_id == screen.root_visual, UInt32(type._class) == XCB_VISUAL_CLASS_TRUE_COLOR.rawValue {
          masks = (type.red_mask, type.green_mask, type.blue_mask)
          if wide.contains(depth), Self.isPlain(type) { drawableDepths.insert(depth) }
        }
        if depths.data?.pointee.depth == 32, wide.contains(32), alphaVisual == 0, Self.isPlain(type) {
          alphaVisual = type.visual_id
          drawableDepths.insert(32)
        }
        xcb_visualtype_next(&visuals)
      }
      xcb_depth_next(&depths)
    }
  }

  /// Depths whose images have 32 bits a pixel in this machine's byte order (X protocol, section 8).
  private static func wideDepths(_ setup: UnsafePointer<xcb_setup_t>) -> Set<UInt8> {
    let isLittle = UInt32(setup.pointee.image_byte_order) == XCB_IMAGE_ORDER_LSB_FIRST.rawValue
    guard isLittle == (1.littleEndian == 1) else { return [] }
    var result: Set<UInt8> = []
    var formats = xcb_setup_pixmap_formats_iterator(setup)
    while formats.rem > 0, let format = formats.data?.pointee {
      if format.bits_per_pixel == 32, format.scanline_pad == 32, format.depth >= 24 { result.insert(format.depth) }
      xcb_format_next(&formats)
    }
    return result
  }

  /// `0xRRGGBB` in the lower 24 bits.
  private static func isPlain(_ type: xcb_visualtype_t) -> Bool {
    UInt32(type._class) == XCB_VISUAL_CLASS_TRUE_COLOR.rawValue && type.red_mask == 0xFF0000
      && type.green_mask == 0xFF00 && type.blue_mask == 0xFF
  }

  /// The pixel value of a colour: exact on TrueColor, else whichever of black and white is nearer.
  func pixel(_ color: Color) -> UInt32 {
    let red = color.rgb >> 16 & 0xFF
    let green = color.rgb >> 8 & 0xFF
    let blue = color.rgb & 0xFF
    guard let masks else { return red * 2 + green * 5 + blue > 8 * 127 ? white : black }
    func place(_ value: UInt32, _ mask: UInt32) -> UInt32 {
      guard mask != 0 else { return 0 }
      let wide = UInt64(value) * UInt64(mask >> UInt32(mask.trailingZeroBitCount)) / 255
      return UInt32(truncatingIfNeeded: wide) << UInt32(mask.trailingZeroBitCount) & mask
    }
    let opaque = depth == 32 ? ~(masks.red | masks.green | masks.blue) : 0
    return place(red, masks.red) | place(green, masks.green) | place(blue, masks.blue) | opaque
  }
}
