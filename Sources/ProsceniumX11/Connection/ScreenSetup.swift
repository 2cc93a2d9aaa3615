import CXCB
import ProsceniumPlatform

/// The screen that `DISPLAY` names, from the connection setup (X protocol, section 8 "Connection Setup").
struct ScreenSetup: Sendable {
  var number: Int
  var root: UInt32
  var size: Size
  var physicalSize: Size
  var black: UInt32
  var white: UInt32
  /// The root's own visual.
  var rootVisual: Visual
  /// The visual of windows without transparency: as a rule the root's own.
  var visual: Visual
  /// A visual of depth 32, whose other eight bits compositing managers read as alpha; nil where there is none.
  var alphaVisual: Visual?
  /// The longest request without BIG-REQUESTS, in bytes.
  var longestRequest = 16_384
  /// The bits that tell apart the resources of one client (X protocol, section 8, `resource-id-mask`).
  var resourceMask: UInt32

  init?(_ setup: UnsafePointer<xcb_setup_t>, number: Int) {
    var screens = xcb_setup_roots_iterator(setup)
    for _ in 0..<max(0, number) where screens.rem > 0 { xcb_screen_next(&screens) }
    guard number >= 0, screens.rem > 0, let screen = screens.data?.pointee else { return nil }
    self.number = number
    root = screen.root
    size = Size(width: Int(screen.width_in_pixels), height: Int(screen.height_in_pixels))
    physicalSize = Size(width: Int(screen.width_in_millimeters), height: Int(screen.height_in_millimeters))
    black = screen.black_pixel
    white = screen.white_pixel
    longestRequest = 4 * Int(setup.pointee.maximum_request_length)
    resourceMask = setup.pointee.resource_id_mask
    let formats = Self.formats(setup)
    // A server has hundreds, of which a launch needs two.
    func first(where isWanted: (Visual) -> Bool) -> Visual? {
      Self.firstVisual(of: screens.data, formats, where: isWanted)
    }
    func all() -> [Visual] {
      var visuals: [Visual] = []
      _ = first {
        visuals.append($0)
        return false
      }
      return visuals
    }
    rootVisual =
      first { $0.id == screen.root_visual } ?? Visual(id: screen.root_visual, depth: screen.root_depth)
    visual = Visual.usual(root: rootVisual, others: all())
    alphaVisual = first { $0.isPlain && $0.alphaMask != 0 }
  }

  /// Finds a visual of the screen.
  private static func firstVisual(
    of screen: UnsafePointer<xcb_screen_t>?, _ formats: [(depth: UInt8, format: PixelFormat)],
    where isWanted: (Visual) -> Bool
  ) -> Visual? {
    var depths = xcb_screen_allowed_depths_iterator(screen)
    while depths.rem > 0, let depth = depths.data?.pointee.depth {
      var visuals = xcb_depth_visuals_iterator(depths.data)
      while visuals.rem > 0, let type = visuals.data?.pointee {
        var visual = Visual(id: type.visual_id, depth: depth)
        if UInt32(type._class) == XCB_VISUAL_CLASS_TRUE_COLOR.rawValue,
          var format = formats.first(where: { $0.depth == depth })?.format
        {
          (format.red, format.green, format.blue) = (type.red_mask, type.green_mask, type.blue_mask)
          visual.format = format
        }
        if isWanted(visual) { return visual }
        xcb_visualtype_next(&visuals)
      }
      xcb_depth_next(&depths)
    }
    return nil
  }

  /// How images of each depth keep their pixels, less the colours, which depend on the visual (X protocol, section 8).
  private static func formats(_ setup: UnsafePointer<xcb_setup_t>) -> [(depth: UInt8, format: PixelFormat)] {
    let isLittle = UInt32(setup.pointee.image_byte_order) == XCB_IMAGE_ORDER_LSB_FIRST.rawValue
    var result: [(depth: UInt8, format: PixelFormat)] = []
    var formats = xcb_setup_pixmap_formats_iterator(setup)
    while formats.rem > 0, let format = formats.data?.pointee {
      // Pixels that share a byte are not supported: programs may draw them by other means.
      if format.bits_per_pixel >= 8, format.bits_per_pixel % 8 == 0, format.scanline_pad >= 8 {
        let bytes = Int(format.bits_per_pixel / 8)
        let pixels = PixelFormat(
          red: 0, green: 0, blue: 0, bytes: bytes, rowUnit: Int(format.scanline_pad / 8), isLittleEndian: isLittle)
        result.append((format.depth, pixels))
      }
      xcb_format_next(&formats)
    }
    return result
  }

  /// The pixel value of an opaque colour: as exact as a TrueColor visual can be, else whichever of black and white is
  /// nearer.
  func pixel(_ color: Color, in visual: Visual) -> UInt32 {
    if let format = visual.format { return format.value(color.rgb) | visual.alphaMask }
    let red = color.rgb >> 16 & 0xFF
    let green = color.rgb >> 8 & 0xFF
    let blue = color.rgb & 0xFF
    return red * 2 + green * 5 + blue > 8 * 127 ? white : black
  }
}

/// One of the screen's visuals: the meaning of a window's pixels (X protocol, section 8, VISUALTYPE).
struct Visual: Hashable, Sendable {
  var id: UInt32
  var depth: UInt8
  /// The layout of pixels; nil where they do not consist of colours, but name entries of a colormap: nothing is drawn
  /// there.
  var format: PixelFormat?

  var isPlain: Bool { format?.isPlain == true }

  /// The bits that compositing managers use as alpha: all that are no colour, where all 32 bits are used.
  var alphaMask: UInt32 {
    guard depth == 32, let format else { return 0 }
    return ~(format.red | format.green | format.blue)
  }

  /// The visual for windows without transparency.
  ///
  /// The root's own, if pixels can be shown there as they are. Else another one where they can, preferably without
  /// alpha; else one for which they are converted, preferably the root's own, whose colormap is always there.
  static func usual(root: Visual, others: @autoclosure () -> [Visual]) -> Visual {
    if root.isPlain { return root }
    let others = others()
    let plain = others.filter(\.isPlain)
    if let visual = plain.first(where: { $0.alphaMask == 0 }) ?? plain.first { return visual }
    if root.format != nil { return root }
    return others.filter { $0.format != nil }.max { $0.depth < $1.depth } ?? root
  }
}

/// The layout of a pixel in images of a TrueColor visual (X protocol, section 8, FORMAT and VISUALTYPE).
struct PixelFormat: Hashable, Sendable {
  var red: UInt32
  var green: UInt32
  var blue: UInt32
  /// The size of one pixel.
  var bytes: Int
  /// The length of a row is a multiple of this many bytes.
  var rowUnit = 4
  /// Whether the first byte of a pixel is the least significant one.
  var isLittleEndian = true

  /// Whether the layout is that of a `PixelBuffer`.
  var isPlain: Bool {
    red == 0xFF0000 && green == 0xFF00 && blue == 0xFF && bytes == 4 && rowUnit == 4
      && isLittleEndian == (1.littleEndian == 1)
  }

  func bytesPerRow(_ width: Int) -> Int { (width * bytes + rowUnit - 1) / rowUnit * rowUnit }

  /// The value of a pixel that has a colour, `0xRRGGBB`, and no other bits.
  func value(_ rgb: UInt32) -> UInt32 {
    func place(_ shade: UInt32, _ mask: UInt32) -> UInt32 {
      guard mask != 0 else { return 0 }
      let wide = UInt64(shade & 0xFF) * UInt64(mask >> UInt32(mask.trailingZeroBitCount)) / 255
      return UInt32(truncatingIfNeeded: wide) << UInt32(mask.trailingZeroBitCount) & mask
    }
    return place(rgb >> 16, red) | place(rgb >> 8, green) | place(rgb, blue)
  }

  /// Writes a row of an image.
  func write(_ pixels: UnsafePointer<UInt32>, count: Int, to row: UnsafeMutableRawPointer) {
    guard !isPlain else { return row.copyMemory(from: pixels, byteCount: count * 4) }
    for x in 0..<count {
      let value = value(pixels[x])
      for byte in 0..<bytes {
        let place = isLittleEndian ? byte : bytes - 1 - byte
        row.storeBytes(
          of: UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)), toByteOffset: x * bytes + place, as: UInt8.self)
      }
    }
  }
}
