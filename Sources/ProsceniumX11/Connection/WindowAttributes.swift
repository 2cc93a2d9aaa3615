import CXCB

/// Attributes of a window that a request sets (X protocol, CreateWindow); attributes that are nil stay as they are.
struct WindowAttributes {
  /// The pixels that the server paints where nothing has been drawn.
  enum Background {
    case none
    case pixel(UInt32)
    /// Tiled over the window.
    case pixmap(UInt32)
  }
  var background: Background?
  var borderPixel: UInt32?
  /// Where the contents stay when the window is resized.
  var bitGravity: xcb_gravity_t?
  var eventMask: UInt32?
  var colormap: UInt32?
  var cursor: UInt32?

  /// The value list in the order of the mask's bits.
  var list: (mask: UInt32, values: [UInt32]) {
    var list: (mask: UInt32, values: [UInt32]) = (0, [])
    func add(_ bit: xcb_cw_t, _ value: UInt32?) {
      guard let value else { return }
      list.mask |= bit.rawValue
      list.values.append(value)
    }
    switch background {
    case .none?: add(XCB_CW_BACK_PIXMAP, XCB_BACK_PIXMAP_NONE.rawValue)
    case .pixmap(let pixmap): add(XCB_CW_BACK_PIXMAP, pixmap)
    case .pixel(let pixel): add(XCB_CW_BACK_PIXEL, pixel)
    case nil: break
    }
    add(XCB_CW_BORDER_PIXEL, borderPixel)
    add(XCB_CW_BIT_GRAVITY, bitGravity?.rawValue)
    add(XCB_CW_EVENT_MASK, eventMask)
    add(XCB_CW_COLORMAP, colormap)
    add(XCB_CW_CURSOR, cursor)
    return list
  }
}
