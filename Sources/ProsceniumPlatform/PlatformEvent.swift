package import ProsceniumLoop
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
  /// Where the window is, or goes back to, when it is neither maximised nor full screen.
  package var normalFrame: Rect
  /// The desktop, counted from 0; -1 for all of them, nil where nobody says (`_NET_WM_DESKTOP`).
  package var desktop: Int?
  package init(frame: Rect) {
    self.frame = frame
    normalFrame = frame
  }
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
  /// How many of its pixels one point is.
  package var scale: Double
  /// What panels leave of it.
  package var visibleFrame: Rect
  package var rotation: ScreenRotation
  package init(
    name: String, frame: Rect, isPrimary: Bool, physicalSize: Size = Size(width: 0, height: 0),
    isProvisional: Bool = false, scale: Double = 1, visibleFrame: Rect? = nil, rotation: ScreenRotation = .normal
  ) {
    self.name = name
    self.frame = frame
    self.isPrimary = isPrimary
    self.physicalSize = physicalSize
    self.isProvisional = isProvisional
    self.scale = scale
    self.visibleFrame = visibleFrame ?? frame
    self.rotation = rotation
  }
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
  /// The frame that ``PlatformCommand/requestFrame(_:)`` asked for: the moment to draw.
  case frame(WindowID, FrameTiming)
  /// How many pixels of the window one point is, now (`Xft.dpi` over 96, or what RandR tells).
  case scale(WindowID, Double)
  case windowManager(WindowManagerState, cause: String)
  case screens([ScreenDescription])
  /// The screen saver has come on or gone; on X11 MIT-SCREEN-SAVER says so.
  case screenSaver(isOn: Bool)
  /// What the user has chosen for all programs, as the XSETTINGS manager says.
  case settings(DesktopSettings)
  case deadline(DeadlineID)
  case outcome(RequestID, RequestOutcome)
  /// A signal that ends the program: SIGINT, SIGTERM or SIGHUP.
  case signal(Int32)
  /// The session manager asks for everything to be saved; answered by ``PlatformCommand/sessionSaved(success:)``.
  case sessionSave(SessionSave)
  /// The session goes on after all, also while the user is being asked: what a ``sessionSave(_:)`` that ends the session
  /// had begun is over. No answer to it is expected any more.
  case sessionSaveCancelled
  /// The session is over: the program ends, without asking anybody.
  case sessionEnded
  /// The connection to the window system is gone for good.
  case connectionLost(String)
  /// Something went wrong that the program should read about; an `error` line of the trace.
  case error(String)
  /// The same, for the person who started the program too: also a line on standard error.
  case fault(String)
}

/// A session manager's wish for everything to be saved.
package struct SessionSave: Hashable, Sendable {
  /// The session is going to end after it; false for a checkpoint.
  package var endsSession: Bool
  /// The user may be asked before the answer, and may cancel the end of the session.
  ///
  /// When ``PlatformEvent/sessionSave(_:)`` says so it is this program's turn to ask: no other program asks meanwhile.
  package var mayInteract: Bool
  package init(endsSession: Bool, mayInteract: Bool) {
    self.endsSession = endsSession
    self.mayInteract = mayInteract
  }
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
  case setCursor(WindowID, Cursor)
  /// Asks for one ``PlatformEvent/frame(_:_:)``, when the screen can show something new.
  case requestFrame(WindowID)
  /// Gives back the memory of the window's surface; it is made anew when something is drawn.
  case purgeSurface(WindowID)
  /// Gives back what the window's surface has besides what is shown: memory is short.
  case purgeSpareBuffers(WindowID)
  /// Puts a picture where somebody may still see what the window showed last, and gives back the surface.
  case cover(WindowID, Snapshot)
  /// Shows a picture as the window's background until something is drawn into it, or for a few seconds.
  case showPicture(WindowID, Snapshot)
  case request(RequestID, WindowID, WindowRequest)
  /// Lets go of the pointer and the keyboard, whatever part of the program holds them.
  case releaseGrabs
  /// Keeps the screen saver away, or lets it come again.
  case suspendScreenSaver(Bool)
  /// Says from now on how screens are turned, and what panels leave of them; ``PlatformEvent/screens(_:)`` brings it.
  case followScreens
  /// The user asked for what follows in another program: its time, which a startup notification's id has, counts as that
  /// of what the user did last, and the next window that is mapped is what was asked for.
  case startup(token: String)
  /// All that ``startup(token:)`` was for has been asked for: launchers need not wait any longer.
  case startupComplete
  case setDeadline(DeadlineID, milliseconds: Int)
  case cancelDeadline(DeadlineID)
  /// Answers a ``PlatformEvent/sessionSave(_:)``: everything that can be saved has been saved, or not.
  case sessionSaved(success: Bool)
  /// The user has answered, where ``SessionSave/mayInteract`` allowed to ask; then follows ``sessionSaved(success:)``.
  ///
  /// Without it, ``sessionSaved(success:)`` says by itself that the session may end. Who cancels goes on at once; that
  /// the session manager confirms it by ``PlatformEvent/sessionSaveCancelled`` is not certain.
  case sessionInteraction(cancelsShutdown: Bool)
  /// Runs nothing of the program any more: no main queue, no deadlines of the framework, no frames, no answers to reads of
  /// a pasteboard.
  ///
  /// The platform goes on reading, answers by itself what needs no program, and hands out what happens; watched
  /// descriptors are looked at as before. What was due meanwhile is done after ``resume``.
  case suspend
  /// Runs the program again.
  case resume
  /// Returns from ``Platform/run()`` with this status after the flush; the first of several counts.
  case quit(Int32)
}
