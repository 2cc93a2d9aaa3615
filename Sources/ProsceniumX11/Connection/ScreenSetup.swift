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
    var depths = xcb_screen_allowed_depths_iterator(screens.data)
    while depths.rem > 0 {
      var visuals = xcb_depth_visuals_iterator(depths.data)
      while visuals.rem > 0, let type = visuals.data?.pointee {
        if type.visual_id == screen.root_visual, UInt32(type._class) == XCB_VISUAL_CLASS_TRUE_COLOR.rawValue {
          masks = (type.red_mask, type.green_mask, type.blue_mask)
        }
        xcb_visualtype_next(&visuals)
      }
      xcb_depth_next(&depths)
    }
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
