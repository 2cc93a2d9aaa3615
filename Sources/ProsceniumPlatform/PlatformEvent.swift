package import ProsceniumLoop
package import SceneLifecycle

/// The rule that decided about a level, as the trace spells it.
///
/// Always a literal: a string would be retained and released at each copy, and every event is copied often.
package struct LevelCause: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let text: StaticString

  package init(stringLiteral text: StaticString) { self.text = text }

  package var description: String { text.description }

  package static func == (left: LevelCause, right: LevelCause) -> Bool {
    left.text.utf8Start == right.text.utf8Start || left.description == right.description
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// The levels of one window, each with the rule that decided.
package struct WindowLevels: Hashable, Sendable {
  package var visible: Bool
  package var visibleCause: LevelCause
  /// Became invisible because the program withdrew or destroyed it: falls at once.
  package var isWithdrawn: Bool
  package var focused: Bool
  package var focusedCause: LevelCause
  package var grabbed: Bool
  package var grabbedCause: LevelCause
  /// Fully covered by other windows, where the server reports it.
  package var occluded: Bool
  package init(
    visible: Bool = false, visibleCause: LevelCause = "created", isWithdrawn: Bool = false, focused: Bool = false,
    focusedCause: LevelCause = "created", grabbed: Bool = false, grabbedCause: LevelCause = "created",
    occluded: Bool = false
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

/// The placement of a window, and the states that the window manager gave it.
package struct WindowGeometry: Hashable, Sendable {
  package var frame: Rect
  package var isMaximized = false
  package var isFullScreen = false
  package var isMinimized = false
  /// Where the window is, or goes back to, when it is neither maximised nor full screen.
  package var normalFrame: Rect
  /// The workspace, counted from 0; -1 for all of them, nil where it is unknown (`_NET_WM_DESKTOP`).
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
  /// Stands for all screens until the window system has reported them.
  package var isProvisional: Bool
  /// The pixels per point.
  package var scale: Double
  /// The part that panels do not cover.
  package var visibleFrame: Rect
  package var rotation: ScreenRotation
  /// Nil until ``PlatformCommand/followScreenModes``, and where the screen has none.
  package var modes: ScreenModes?
  package init(
    name: String, frame: Rect, isPrimary: Bool, physicalSize: Size = Size(width: 0, height: 0),
    isProvisional: Bool = false, scale: Double = 1, visibleFrame: Rect? = nil, rotation: ScreenRotation = .normal,
    modes: ScreenModes? = nil
  ) {
    self.name = name
    self.frame = frame
    self.isPrimary = isPrimary
    self.physicalSize = physicalSize
    self.isProvisional = isProvisional
    self.scale = scale
    self.visibleFrame = visibleFrame ?? frame
    self.rotation = rotation
    self.modes = modes
  }
}

extension [ScreenDescription] {
  /// The screen that shows most of a window; the primary one where none shows any of it.
  package func screen(ofWindow frame: Rect) -> ScreenDescription? {
    var best = first(where: \.isPrimary) ?? first
    var most = best.map { $0.frame.sharedArea(with: frame) } ?? 0
    for screen in self {
      let area = screen.frame.sharedArea(with: frame)
      if area > most { (best, most) = (screen, area) }
    }
    return best
  }

  /// The scale of a window: that of its screen.
  package func scale(ofWindow frame: Rect) -> Double { screen(ofWindow: frame)?.scale ?? 1 }
}

/// What a screen locker does that says nothing on a bus.
package enum LockerState: String, Hashable, Sendable, CaseIterable {
  case none
  /// The keyboard was held before the program had the focus, and it is being asked whether a locker does so.
  case suspected
  /// It covers the screen, and any key ends that: xscreensaver before its lock.
  case blanked
  case locked
}

/// An event of the platform.
///
/// A batch is an array of these; the framework settles once per batch.
package enum PlatformEvent: Equatable, Sendable {
  case levels(WindowID, WindowLevels)
  case geometry(WindowID, WindowGeometry)
  /// The user asks for the window to be closed (`WM_DELETE_WINDOW`, ICCCM 4.2.8.1).
  case closeRequested(WindowID)
  /// Another client destroyed the window.
  case destroyed(WindowID)
  case input(WindowID, InputEvent)
  /// ``PlatformCommand/holdPointer(_:)`` has failed, or the pointer has been taken away since.
  case pointerLost
  /// The program's own drag is over, or its button is up.
  case drag(DragEvent)
  /// Dragged items are over a window of ``PlatformCommand/acceptDrops(_:)``.
  case drop(WindowID, DropEvent)
  /// A part of the window, in its own coordinates, has to be drawn again.
  case exposed(WindowID, Rect)
  /// The frame that ``PlatformCommand/requestFrame(_:)`` requested: the moment to draw.
  case frame(WindowID, FrameTiming)
  /// The pixels of the window per point, now (`Xft.dpi` over 96, or RandR's size of the screen), and whether they are
  /// others because the window was resized.
  case scale(WindowID, Double, isResized: Bool = false)
  case windowManager(WindowManagerState, cause: String)
  case screens([ScreenDescription])
  /// What has become of a ``PlatformCommand/setScreenMode(_:screen:)`` with a mode; nil where the screen shows it.
  case screenMode(ScreenModeError?, screen: String)
  /// The screen saver has become active or inactive (MIT-SCREEN-SAVER on X11).
  case screenSaver(isOn: Bool)
  /// A screen locker that tells nobody covers the screen, or has gone, by what the window system shows.
  ///
  /// With the name that its window has, where it has one.
  case locker(LockerState, name: String? = nil)
  /// The user's choices for all programs, from the XSETTINGS manager.
  case settings(DesktopSettings)
  case deadline(DeadlineID)
  case outcome(RequestID, RequestOutcome)
  /// A signal that ends the program: SIGINT, SIGTERM or SIGHUP.
  case signal(Int32)
  /// The session manager requests a save; answered by ``PlatformCommand/sessionSaved(success:)``.
  ///
  /// The session is going to end after it, unless it is a checkpoint. Where the program may interact, it may ask the
  /// user before the answer, and the user may cancel the end of the session: it is this program's turn, and no other
  /// program asks at the same time.
  case sessionSave(endsSession: Bool, mayInteract: Bool)
  /// The session continues, also while the user is being asked: the ``sessionSave(endsSession:mayInteract:)`` that was
  /// to end the session is cancelled. No answer to it is expected any more.
  case sessionSaveCancelled
  /// The session is over: the program ends without a question.
  case sessionEnded
  /// The connection to the window system is permanently lost.
  case connectionLost(String)
  /// What happened before a ``PlatformCommand/mark(_:)`` has been delivered, and nothing that happened after it.
  case mark(Int)
  /// An error for the program's author; an `error` line of the trace.
  case error(String)
  /// The same, also written to standard error.
  case fault(String)
}

/// A command of the framework to a platform.
package enum PlatformCommand: Equatable, Sendable {
  case create(WindowID, WindowDescription)
  /// Adopts a bare window: as created, but without a new window.
  case adopt(WindowID, WindowDescription)
  /// Maps the window (once; mapping a mapped window activates it if asked to).
  /// Follows a window that another library of the process has made, and comes back as the description's placement says.
  case follow(WindowID, WindowDescription)
  case show(WindowID, Appearance)
  /// Withdraws the window (ICCCM 4.1.4).
  case withdraw(WindowID)
  case destroy(WindowID)
  /// Frees all resources of the window except its place on the screen and in the taskbar.
  case bare(WindowID)
  /// The placement of a window that has not been shown yet; its size alone without a place.
  case place(WindowID, Point?, Size)
  case setTitle(WindowID, String)
  case setIcon(WindowID, WindowIcon?)
  case setBackground(WindowID, Color)
  case setSizeLimits(WindowID, minimum: Size?, maximum: Size?)
  case setLevel(WindowID, Int)
  /// The window that it is a panel of; none where nil.
  case setTransient(WindowID, for: WindowID?)
  case setCursor(WindowID, Cursor)
  /// Requests one ``PlatformEvent/frame(_:_:)``, when the screen can show a new frame.
  case requestFrame(WindowID)
  /// Frees the memory of the window's surface; it is allocated again when something is drawn.
  case purgeSurface(WindowID)
  /// Frees the surface's buffers that are not shown: memory is short.
  case purgeSpareBuffers(WindowID)
  /// Shows a picture where the last pixels of the window may still be visible, and frees the surface.
  case cover(WindowID, Snapshot)
  /// Shows a picture as the window's background until something is drawn into it, or for a few seconds.
  case showPicture(WindowID, Snapshot)
  case request(RequestID, WindowID, WindowRequest)
  /// Grabs the pointer until ``releasePointer``, or until the window is not viewable: presses in other programs come as
  /// this window's, those in windows of this program as theirs.
  case holdPointer(WindowID)
  /// Releases the pointer.
  case releasePointer
  /// Releases the grabs of the pointer and the keyboard.
  case releaseGrabs
  /// Ends the program's own drag, unless it has been dropped.
  case cancelDrag
  /// Reports what is dragged over a window, from now on.
  case acceptDrops(WindowID)
  /// What would happen if dragged items were dropped where they are: the answer to each
  /// ``DropEvent/moved(_:_:_:)``, and what it has become since.
  case answerDrop(DropID, DropOperation)
  /// What has happened to dropped items: their data is not read any more.
  case finishDrop(DropID, DropOperation)
  /// The user has acted in another program on behalf of this one, at a time of the window system: windows may take the
  /// focus by it where it is later than the known one.
  case userActed(UInt32)
  /// Inhibits the screen saver, or permits it again.
  case suspendScreenSaver(Bool)
  /// Reports the rotation and the work areas of screens from now on, with ``PlatformEvent/screens(_:)``.
  case followScreens
  /// Reports the modes of screens from now on, with ``PlatformEvent/screens(_:)``.
  case followScreenModes
  /// Shows the screen of a name in a mode; where nil, in the one before the first such command, unless somebody else
  /// has chosen another one meanwhile.
  case setScreenMode(ScreenMode?, screen: String)
  /// A request from another program with its startup notification id: the time in the id counts as the time of the
  /// user's last action, and the next window that is mapped completes the startup.
  case startup(token: String)
  /// All requests of ``startup(token:)`` have been sent: launchers need not wait any longer.
  case startupComplete
  /// Reports ``PlatformEvent/mark(_:)`` with this number, between what happened until now and what happens from now on.
  case mark(Int)
  case setDeadline(DeadlineID, milliseconds: Int)
  case cancelDeadline(DeadlineID)
  /// Answers a ``PlatformEvent/sessionSave(endsSession:mayInteract:)``: whether the program's state has been saved.
  case sessionSaved(success: Bool)
  /// The user has answered, where the program was allowed to interact; ``sessionSaved(success:)`` follows.
  ///
  /// Without it, ``sessionSaved(success:)`` alone permits the end of the session. After a cancellation the program
  /// continues at once; a confirmation by ``PlatformEvent/sessionSaveCancelled`` is not certain.
  case sessionInteraction(cancelsShutdown: Bool)
  /// Runs nothing of the program any more: no main queue, no deadlines of the framework, no frames, no answers to reads
  /// of a pasteboard.
  ///
  /// The platform continues to read, answers requests that need no program, and delivers events; watched descriptors
  /// are polled as before. Work that becomes due during the suspension is performed after ``resume``.
  case suspend
  /// Runs the program again.
  case resume
  /// Runs no more tasks of the main queue, or runs them again: the program has not been launched yet.
  case holdMainQueue(Bool)
  /// Returns from ``Platform/run()`` with this status after the flush; the first of several counts.
  case quit(Int32)
}
