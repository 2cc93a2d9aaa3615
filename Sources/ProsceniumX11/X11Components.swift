import ProsceniumLoop
import ProsceniumPlatform

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
  var dragAndDrop: DragAndDrop { input.dragAndDrop }
}

/// The objects that every component of the platform uses.
@MainActor final class X11Context {
  let loop: EventLoop
  let server: XServer
  let windows: WindowTable
  let batch: Batch
  let identity: ApplicationIdentity

  init(
    loop: EventLoop, server: XServer, windows: WindowTable, batch: Batch, identity: ApplicationIdentity
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

  final var loop: EventLoop { context.loop }
  final var server: XServer { context.server }
  final var connection: Connection { context.server.connection }
  final var windows: WindowTable { context.windows }
  final var root: RootModel { context.windows.root }
  final var batch: Batch { context.batch }
}

/// The purposes of the deadlines of the platform and of its client; ``X11Platform/deadlinePassed(_:)`` handles them.
enum X11Deadline: Int {
  /// A deadline of the client.
  case client
  /// A window request has no outcome yet.
  case outcome
  /// The window manager is checked again.
  case managerCheck
  /// The window manager has been the same for a while.
  case managerSettled
  /// The window manager has not answered a question, nor given any other sign.
  case managerSilence
  /// Windows of a workspace that was left are hidden by now, or never will be.
  case workspaceRule
  /// The launch is over: the user's settings are asked for.
  case settings
  /// A mapped window has had no sign of a window manager.
  case managerProbe
  /// The server did not know a window of another toolkit, whose owner may not have sent its request yet.
  case unknownGuest
  /// The window manager still manages a withdrawn window.
  case leaving
  /// The session manager has not answered.
  case sessionManager
  /// Windows are on no monitor, and the window manager has not moved them.
  case strays
  /// A window's place may be the user's.
  case rest
  /// A window's place may be the user's if the window is hidden now.
  case briefRest
  /// The window manager has not made a window iconic that is to come back so.
  case iconic
  /// A window's next frame, where the server does not report its moment.
  case frame
  /// A window shows a picture, and nothing has been drawn into it.
  case picture
  /// A window has not drawn the size that the window manager waits for.
  case sync
  /// Another client has had the keyboard for longer than a hot key.
  case heldKeys
  /// What covers the screen is asked again.
  case locker
  /// The owner of a selection has not answered the question of a window.
  case pasting
  /// A requestor has not read a part of a selection.
  case delivery
  /// The target of a drag has not answered.
  case dragging

  /// Whether the deadline waits while the program is suspended.
  var isPausedBySuspension: Bool {
    switch self {
    case .client, .frame: true
    case .outcome, .managerCheck, .managerSettled, .managerSilence, .workspaceRule, .settings, .managerProbe, .leaving,
      .sessionManager, .strays, .rest, .briefRest, .iconic, .picture, .sync, .heldKeys, .locker, .pasting, .delivery,
      .dragging, .unknownGuest:
      false
    }
  }
}

/// The deadlines by name; windows are named by their XIDs.
extension LoopDeadline {
  static let managerCheck = LoopDeadline(.managerCheck)
  static let managerSettled = LoopDeadline(.managerSettled)
  static let managerSilence = LoopDeadline(.managerSilence)
  static let workspaceRule = LoopDeadline(.workspaceRule)
  static let settings = LoopDeadline(.settings)
  static let sessionManager = LoopDeadline(.sessionManager)
  static let strays = LoopDeadline(.strays)
  static let locker = LoopDeadline(.locker)
  static let dragging = LoopDeadline(.dragging)

  static func client(_ id: DeadlineID) -> LoopDeadline { LoopDeadline(.client, id.rawValue) }
  static func outcome(_ id: RequestID) -> LoopDeadline { LoopDeadline(.outcome, id.rawValue) }
  static func managerProbe(_ window: UInt32) -> LoopDeadline { LoopDeadline(.managerProbe, Int(window)) }
  static func unknownGuest(_ window: UInt32) -> LoopDeadline { LoopDeadline(.unknownGuest, Int(window)) }
  static func leaving(_ window: UInt32) -> LoopDeadline { LoopDeadline(.leaving, Int(window)) }
  static func rest(_ window: UInt32) -> LoopDeadline { LoopDeadline(.rest, Int(window)) }
  static func briefRest(_ window: UInt32) -> LoopDeadline { LoopDeadline(.briefRest, Int(window)) }
  static func iconic(_ window: UInt32) -> LoopDeadline { LoopDeadline(.iconic, Int(window)) }
  static func frame(_ window: UInt32) -> LoopDeadline { LoopDeadline(.frame, Int(window)) }
  static func picture(_ window: UInt32) -> LoopDeadline { LoopDeadline(.picture, Int(window)) }
  static func sync(_ window: UInt32) -> LoopDeadline { LoopDeadline(.sync, Int(window)) }
  static func heldKeys(_ window: UInt32) -> LoopDeadline { LoopDeadline(.heldKeys, Int(window)) }
  static func pasting(_ window: UInt32) -> LoopDeadline { LoopDeadline(.pasting, Int(window)) }
  static func delivery(_ place: TransferPlace) -> LoopDeadline {
    LoopDeadline(.delivery, Int(place.requestor) << 32 | Int(place.property))
  }

  private init(_ purpose: X11Deadline, _ subject: Int = 0) { self.init(purpose: purpose.rawValue, subject: subject) }

  var x11Purpose: X11Deadline? { X11Deadline(rawValue: purpose) }

  /// The window that the deadline belongs to.
  var window: UInt32 { UInt32(truncatingIfNeeded: subject) }

  /// The place of a transfer that the deadline belongs to.
  var place: TransferPlace {
    TransferPlace(requestor: UInt32(truncatingIfNeeded: subject >> 32), property: UInt32(truncatingIfNeeded: subject))
  }
}
