import ProsceniumLoop
import ProsceniumPlatform

/// The parts of the platform, made once the server is connected; each is the one owner of its state.
///
/// A component knows those that are made before it.
@MainActor struct X11Components {
  let context: X11Context
  let focus: Focus
  let startup: StartupSequence
  let input: Input
  let drawing: Drawing
  let windows: Windows
  let screens: Screens
  let monitors: MonitorQuery
  let settings: UserSettings
  let screenSaver: ScreenSaver
  let manager: WindowManagerClient
  let pasteboard: Pasteboard
  let sessionManager: SessionManagerClient

  init(
    _ context: X11Context, _ identity: ApplicationIdentity, launch: StartupNotification?, plan: SessionManagerPlan?
  ) {
    self.context = context
    let support = ManagerSupport(context.server)
    focus = Focus(context)
    startup = StartupSequence(context, focus, launch, instance: identity.instance)
    let protocols = WMProtocols(context, focus)
    screens = Screens(context)
    input = Input(context, focus)
    drawing = Drawing(context, protocols)
    windows = Windows(context, identity, support, screens, focus, startup, input, drawing, protocols)
    let workAreas = WorkAreaQuery(context, support, screens)
    monitors = MonitorQuery(context, screens, workAreas)
    settings = UserSettings(context, screens)
    screenSaver = ScreenSaver(context)
    manager = WindowManagerClient(context, support, windows.mapper, windows.writer, workAreas)
    pasteboard = Pasteboard(context)
    sessionManager = SessionManagerClient(context, plan)
  }

  var server: XServer { context.server }
}
