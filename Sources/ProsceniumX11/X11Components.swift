package import ProsceniumLoop
package import ProsceniumPlatform

/// The parts of the platform, made once the server is connected; each is the one owner of its state.
///
/// In the order of their knowledge: a part uses those above it and its own owner, and reaches those below it through
/// replies, the loop and events alone.
@MainActor final class X11Components {
  let context: X11Context
  private(set) lazy var support = ManagerSupport(server)
  private(set) lazy var focus = Focus(self)
  private(set) lazy var startup = StartupSequence(self)
  private(set) lazy var screens = Screens(self)
  private(set) lazy var protocols = WMProtocols(self)
  private(set) lazy var input = Input(self)
  private(set) lazy var drawing = Drawing(self)
  private(set) lazy var windows = Windows(self)
  private(set) lazy var monitors = MonitorQuery(self)
  private(set) lazy var settings = UserSettings(self)
  private(set) lazy var screenSaver = ScreenSaver(self)
  private(set) lazy var manager = WindowManagerClient(self)
  private(set) lazy var pasteboard = Pasteboard(self)
  private(set) lazy var sessionManager = SessionManagerClient(self)

  init(_ context: X11Context) { self.context = context }

  var server: XServer { context.server }
}

/// The objects that every component of the platform uses.
@MainActor final class X11Context {
  let loop: EventLoop<X11Deadline>
  let server: XServer
  let windows: WindowTable
  let batch: Batch
  let identity: ApplicationIdentity

  init(
    loop: EventLoop<X11Deadline>, server: XServer, windows: WindowTable, batch: Batch, identity: ApplicationIdentity
  ) {
    self.loop = loop
    self.server = server
    self.windows = windows
    self.batch = batch
    self.identity = identity
  }
}

/// A component of the platform: the one owner of its state.
@MainActor class X11Component {
  /// The owners of this one.
  unowned let parts: X11Components
  private let context: X11Context

  init(_ parts: X11Components) {
    self.parts = parts
    context = parts.context
  }

  final var loop: EventLoop<X11Deadline> { context.loop }
  final var server: XServer { context.server }
  final var connection: Connection { context.server.connection }
  final var windows: WindowTable { context.windows }
  final var root: RootModel { context.windows.root }
  final var batch: Batch { context.batch }
}

/// The deadlines of the platform and of its client, in one list; ``X11Platform/deadlinePassed(_:)`` handles them.
///
/// Windows are named by their XIDs.
package enum X11Deadline: Hashable {
  /// A deadline of the client.
  case client(DeadlineID)
  /// A window request has no outcome yet.
  case outcome(RequestID)
  /// The window manager is checked again.
  case managerCheck
  /// The window manager has been the same for a while.
  case managerSettled
  /// Windows of a workspace that was left are hidden by now, or never will be.
  case workspaceRule
  /// The launch is over: the user's settings are asked for.
  case settings
  /// A mapped window has had no sign of a window manager.
  case managerProbe(UInt32)
  /// The window manager still manages a withdrawn window.
  case leaving(UInt32)
  /// The session manager has not answered.
  case sessionManager
  /// Windows are on no monitor, and the window manager has not moved them.
  case strays
  /// A window's place may be the user's.
  case rest(UInt32)
  /// The window manager has not made a window iconic that is to come back so.
  case iconic(UInt32)
  /// A window's next frame, where the server does not report its moment.
  case frame(UInt32)
  /// A window shows a picture, and nothing has been drawn into it.
  case picture(UInt32)
  /// A window has not drawn the size that the window manager waits for.
  case sync(UInt32)
  /// The owner of a selection has not answered the question of a window.
  case pasting(UInt32)
  /// A requestor has not read a part of a selection.
  case delivery(TransferPlace)

  /// Whether the deadline waits while the program is suspended.
  var isPausedBySuspension: Bool {
    switch self {
    case .client, .frame: true
    case .outcome, .managerCheck, .managerSettled, .workspaceRule, .settings, .managerProbe, .leaving, .sessionManager,
      .strays, .rest, .iconic, .picture, .sync, .pasting, .delivery:
      false
    }
  }

  /// Whether the deadline is the client's, and outlasts the connection.
  var isClients: Bool { if case .client = self { true } else { false } }
}
