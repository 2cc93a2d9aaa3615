import ProsceniumPlatform

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
  case device(DeviceEvent)
  /// Which devices there are, or what they can do.
  case devicesChanged
  /// The master is moved by another device now.
  case deviceSwitched
  case keyboardMapping
  case selectionOwner(selection: UInt32, owner: UInt32)
  case selectionRequested(SelectionRequest)
  case selectionNotified(requestor: UInt32, property: UInt32)
  case selectionCleared(selection: UInt32, time: UInt32)
  case screensChanged
  case screenSaver(isOn: Bool)
  /// Something was shown, or the moment that was asked for has come.
  case presentCompleted(PresentCompletion)
  /// The server does not need a pixmap any more.
  case presentIdle(window: UInt32, pixmap: UInt32)
  case shmCompleted(drawable: UInt32, segment: UInt32)
  case failed(XError)
  case unknown(UInt8)
}

/// Present's CompleteNotify (presentproto.txt, section 8).
struct PresentCompletion: Hashable, Sendable {
  var window: UInt32
  var serial: UInt32
  /// The clock of the server, in microseconds, and its count of frames.
  var ust: UInt64
  var msc: UInt64
}
