import ProsceniumCore

/// What a pointer or key event says in common.
struct XInput: Hashable, Sendable {
  var window: UInt32
  /// The keycode or the button.
  var detail: UInt8
  var time: UInt32
  /// Modifiers and buttons before the event, and the keyboard group in bits 13 and 14 (XKB protocol, section 2.2.2).
  var state: UInt16
  var location: Point
  /// Another client made it up with SendEvent: nothing about the focus or the time follows from it.
  var isSynthetic = false
}

/// An event of the X server, decoded: everything that the platform listens to, and `unknown` for all else.
enum XEvent: Hashable, Sendable {
  case key(XInput, isDown: Bool)
  case button(XInput, isDown: Bool)
  case motion(XInput)
  case crossing(XInput, isEnter: Bool, mode: WindowSignal.Mode, detail: WindowSignal.Detail, focus: Bool)
  case focus(window: UInt32, isIn: Bool, mode: WindowSignal.Mode, detail: WindowSignal.Detail)
  case exposed(window: UInt32, Rect)
  case visibility(window: UInt32, WindowSignal.Visibility)
  case destroyed(window: UInt32, event: UInt32)
  case unmapped(window: UInt32, event: UInt32, isSynthetic: Bool)
  case mapped(window: UInt32, event: UInt32)
  case reparented(window: UInt32, event: UInt32, parent: UInt32)
  case configured(window: UInt32, event: UInt32, Rect, isSynthetic: Bool)
  case property(window: UInt32, property: UInt32, time: UInt32, isDeleted: Bool)
  /// Of format 32; the other formats are unknown.
  case message(window: UInt32, type: UInt32, [UInt32])
  case keyboardMapping
  case selectionOwner(selection: UInt32, owner: UInt32)
  case screensChanged
  case screenSaver(isOn: Bool)
  case failed(XError)
  case unknown(UInt8)
}
