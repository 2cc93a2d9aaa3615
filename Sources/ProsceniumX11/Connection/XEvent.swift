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
