import ProsceniumPlatform

/// An event of the X server, decoded: every event that the platform selects, and `unknown` for all others.
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
  /// Devices have come or gone, or have other axes.
  case devicesChanged
  /// Another device moves the master from now on.
  case deviceSwitched
  case keyboardMapping
  case selectionOwner(selection: UInt32, owner: UInt32)
  case selectionRequested(SelectionRequest)
  case selectionNotified(requestor: UInt32, property: UInt32)
  case selectionCleared(selection: UInt32, time: UInt32)
  case screensChanged
  case screenSaver(isOn: Bool)
  /// A pixmap was shown, or the moment that was asked for has come.
  case presentCompleted(PresentCompletion)
  /// The server does not need a pixmap any more.
  case presentIdle(window: UInt32, pixmap: UInt32)
  case shmCompleted(drawable: UInt32, segment: UInt32)
  case failed(XError)
  case unknown(UInt8)
}

/// The part that pointer and key events have in common.
struct XInput: Hashable, Sendable {
  var window: UInt32
  /// The keycode or the button.
  var detail: UInt8
  var time: UInt32
  /// Modifiers and buttons before the event, and the keyboard group (XKB protocol, section 2.2.2).
  var state: UInt16
  var location: Point
  /// Whether another client sent it (SendEvent): nothing about the focus or the time follows from it.
  var isSynthetic = false

  /// The flags have the bits of the protocol's KEYBUTMASK; Mod3 and Mod5 have no name there.
  var modifiers: ModifierFlags { ModifierFlags(rawValue: state & 0b101_1111) }

  /// The keyboard group in a state: bits 13 and 14.
  static func group(_ state: UInt16) -> UInt16 { state >> 13 & 3 }
}

/// An error that the server sent for a request (X protocol, section 4 "Errors").
struct XError: Hashable, Sendable {
  var code: UInt8
  var sequence: UInt32
  var majorOpcode: UInt8
  var minorOpcode: UInt16
  var resource: UInt32

  /// The error's name in the protocol; extensions' errors have numbers of their own.
  var name: String {
    let names = [
      "Request", "Value", "Window", "Pixmap", "Atom", "Cursor", "Font", "Match", "Drawable", "Access", "Alloc",
      "Colormap", "GContext", "IDChoice", "Name", "Length", "Implementation",
    ]
    let index = Int(code) - 1
    return names.indices.contains(index) ? "Bad" + names[index] : "error \(code)"
  }

  /// A line for the trace, naming the request as far as it is recorded.
  func message(_ request: SentRequest?) -> String {
    let name = request.map { "\($0.name)" } ?? "request \(majorOpcode).\(minorOpcode)"
    let window = request.map { $0.window == 0 ? "" : " on window 0x" + String($0.window, radix: 16) } ?? ""
    return "the X server refused \(name)\(window): \(self.name) (0x\(String(resource, radix: 16)))"
  }
}

/// Present's CompleteNotify (presentproto.txt, section 8).
struct PresentCompletion: Hashable, Sendable {
  var window: UInt32
  var serial: UInt32
  /// The clock of the server, in microseconds, and its count of frames.
  var ust: UInt64
  var msc: UInt64
}
