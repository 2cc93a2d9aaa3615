import ProsceniumLoop

/// The objects that every component of the platform uses.
@MainActor struct X11Context {
  let loop: EventLoop<X11Deadline>
  let server: XServer
  let windows: WindowTable
  let batch: Batch
}

/// A component of the platform: the one owner of its state.
///
/// Components know those that were made before them (``X11Components``), and call nothing back but through replies, the
/// loop and events.
@MainActor protocol X11Component: AnyObject {
  var context: X11Context { get }
}

extension X11Component {
  var loop: EventLoop<X11Deadline> { context.loop }
  var server: XServer { context.server }
  var connection: Connection { context.server.connection }
  var windows: WindowTable { context.windows }
  var root: RootModel { context.windows.root }
  var batch: Batch { context.batch }
}
