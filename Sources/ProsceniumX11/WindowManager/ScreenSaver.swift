import CXCB
import ProsceniumPlatform

/// The server's screen saver (MIT-SCREEN-SAVER).
@MainActor final class ScreenSaver: X11Component {
  let context: X11Context
  private var isAsked = false

  init(_ context: X11Context) { self.context = context }

  /// Begins to follow the screen saver.
  func begin() {
    guard !server.isLost, !isAsked, server.extensions.has(.screenSaver) else { return }
    isAsked = true
    // The server does not keep clients' versions, so none is asked for. A client has one selection for each screen: a
    // second one would replace it.
    server.extensions.send(.screenSaverSelectInput(window: server.root))
    connection.whenReplied(server.extensions.send(.screenSaverQueryInfo(window: server.root))) { [weak self] reply in
      if let state = reply?.read(screen_saver_event.self)?.state, EventDecoder.isScreenSaverOn(state) {
        self?.batch.append(.screenSaver(isOn: true))
      }
    }
  }

  /// Keeps the screen saver away, or lets it come again.
  ///
  /// The server counts this for each client, and forgets it when the client ends (MIT-SCREEN-SAVER, Suspend).
  func suspend(_ isSuspended: Bool) {
    guard !server.isLost, server.extensions.has(.screenSaver) else { return }
    server.extensions.send(.screenSaverSuspend(isSuspended))
  }
}
