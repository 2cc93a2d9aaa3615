package import SceneLifecycle

/// What is true of one window now, each with the rule that decided.
package struct WindowLevels: Hashable, Sendable {
  package var visible: Bool
  package var visibleCause: String
  /// Became invisible because we withdrew or destroyed it ourselves: falls at once.
  package var isWithdrawn: Bool
  package var focused: Bool
  package var focusedCause: String
  package var grabbed: Bool
  package var grabbedCause: String
  /// Fully covered by other windows, as far as the server says so.
  package var occluded: Bool
  package init(
    visible: Bool = false, visibleCause: String = "created", isWithdrawn: Bool = false, focused: Bool = false,
    focusedCause: String = "created", grabbed: Bool = false, grabbedCause: String = "created", occluded: Bool = false
  ) {
    self.visible = visible
    self.visibleCause = visibleCause
    self.isWithdrawn = isWithdrawn
    self.focused = focused
    self.focusedCause = focusedCause
    self.grabbed = grabbed
    self.grabbedCause = grabbedCause
    self.occluded = occluded
  }
}

/// Where a window is and what the window manager made of it.
package struct WindowGeometry: Hashable, Sendable {
  package var frame: Rect
  package var isMaximized = false
  package var isFullScreen = false
  package var isMinimized = false
  package init(frame: Rect) { self.frame = frame }
}

/// A screen (on X11 a RandR monitor).
package struct ScreenDescription: Hashable, Sendable {
  package var name: String
  package var frame: Rect
  package var isPrimary: Bool
  /// Millimetres; zero where unknown.
  package var physicalSize: Size
  /// Stands for all screens until the window system has said which there are.
  package var isProvisional: Bool
  package init(
    name: String, frame: Rect, isPrimary: Bool, physicalSize: Size = Size(width: 0, height: 0),
    isProvisional: Bool = false
  ) {
    self.name = name
    self.frame = frame
    self.isPrimary = isPrimary
    self.physicalSize = physicalSize
    self.isProvisional = isProvisional
  }
}

/// A deadline that the framework asked for.
package struct DeadlineID: Hashable, Sendable, RawRepresentable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// All that a platform can say.
///
/// A batch is an array of these; the framework settles once per batch.
package enum PlatformEvent: Equatable, Sendable {
  case levels(WindowID, WindowLevels)
  case geometry(WindowID, WindowGeometry)
  /// The user asks for the window to be closed (`WM_DELETE_WINDOW`, ICCCM 4.2.8.1).
  case closeRequested(WindowID)
  /// The window is gone and we did not destroy it.
  case destroyed(WindowID)
  case input(WindowID, InputEvent)
  /// A part of the window, in its own coordinates, has to be drawn again.
  case exposed(WindowID, Rect)
  case windowManager(WindowManagerState, cause: String)
  case screens([ScreenDescription])
  /// The screen saver has come on or gone; on X11 MIT-SCREEN-SAVER says so.
  case screenSaver(isOn: Bool)
  case deadline(DeadlineID)
  case outcome(RequestID, RequestOutcome)
  /// A signal that ends the program: SIGINT, SIGTERM or SIGHUP.
  case signal(Int32)
  /// The connection to the window system is gone for good.
  case connectionLost(String)
  /// Something went wrong that the program should read about; an `error` line of the trace.
  case error(String)
}

/// All that the framework can ask of a platform.
package enum PlatformCommand: Equatable, Sendable {
  case create(WindowID, WindowDescription)
  /// Takes over a bare window: as created, but without a new window.
  case adopt(WindowID, WindowDescription)
  /// Maps the window (once; mapping a mapped window activates it if asked to).
  case show(WindowID, Appearance)
  /// Withdraws the window (ICCCM 4.1.4).
  case withdraw(WindowID)
  case destroy(WindowID)
  /// Gives back all that the window holds but its place on the screen and in the taskbar.
  case bare(WindowID)
  /// Where a window that has not been shown yet will appear.
  case place(WindowID, Rect)
  case setTitle(WindowID, String)
  case setIcon(WindowID, WindowIcon?)
  case setBackground(WindowID, Color)
  case setSizeLimits(WindowID, minimum: Size?, maximum: Size?)
  case setLevel(WindowID, Int)
  case request(RequestID, WindowID, WindowRequest)
  case setDeadline(DeadlineID, milliseconds: Int)
  case cancelDeadline(DeadlineID)
  /// Returns from ``Platform/run()`` with this status after the flush.
  case quit(Int32)
}
