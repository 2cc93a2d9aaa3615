import ProsceniumLoop
import ProsceniumPlatform

/// The client messages of `WM_PROTOCOLS` (ICCCM 4.1.2.7): close, ping, and the counter of drawn resizes.
@MainActor final class WMProtocols: X11Component {
  /// How long a window manager waits for a resize to be drawn.
  private static let syncTimeout = Duration.seconds(1)

  /// Whether SyncInitialize has been sent, which has to come before other requests of that extension.
  private var isSyncInitialized = false
  /// Whether a window may have drawn a resize that the window manager waits for.
  private var haveSyncsDue = false

  /// Writes the protocols that a window supports.
  func write(to window: TopLevel) {
    let atoms = server.atoms
    var protocols = [atoms[.wmDeleteWindow], atoms[.netWMPing]]
    if window.sync.counter != 0 { protocols.append(atoms[.netWMSyncRequest]) }
    connection.changeProperty(window.id, atoms[.wmProtocols], type: PredefinedAtom.atom, protocols)
  }

  /// A client message has come.
  func handle(_ type: UInt32, _ words: [UInt32], to window: TopLevel) {
    let atoms = server.atoms
    guard type == atoms[.wmProtocols], type != 0, words.count == 5, words[0] != 0, !window.isPopUp else { return }
    switch words[0] {
    case atoms[.wmDeleteWindow]:
      // The time of the press that closes (ICCCM 4.2.8): a window that the program shows in answer may have the focus.
      if parts.focus.isUserTimeBefore(words[1]) { parts.focus.observe(userTime: words[1], in: window) }
      parts.input.keyboard.pass(.closeRequested(window.windowID))
    case atoms[.netWMPing]:
      // Back to the root, unchanged but for the window (EWMH, `_NET_WM_PING`).
      connection.sendToManager(type, about: server.root, words)
    case atoms[.netWMSyncRequest]:
      window.sync.requested = UInt64(words[2]) | UInt64(words[3]) << 32
      window.sync.isDue = false
      // Before the window is mapped no resize follows: at once.
      if !window.model.isMapped { answerSync(window) }
    case _: break
    }
  }

  // MARK: Resizes (EWMH, `_NET_WM_SYNC_REQUEST`)

  /// Creates the counter whose value reports which resize is drawn.
  func createCounter(for window: TopLevel) {
    guard server.extensions.has(.sync) else { return }
    if !isSyncInitialized {
      isSyncInitialized = true
      connection.whenReplied(server.extensions.send(.syncInitialize)) { _ in }
    }
    window.sync.counter = connection.makeID()
    server.extensions.send(.syncCreateCounter(window.sync.counter, value: 0))
    connection.changeProperty(
      window.id, server.atoms[.netWMSyncRequestCounter], type: PredefinedAtom.cardinal, [window.sync.counter])
    write(to: window)
  }

  /// A window has been resized.
  func resized(_ window: TopLevel) {
    guard window.sync.requested != nil else { return }
    window.sync.isDue = true
    haveSyncsDue = true
  }

  /// Answers the resizes that have been delivered and drawn, at the end of a batch.
  ///
  /// Where a surface of another size is shown its next frame is waited for, within a limit: the frame, asked for with
  /// the resize, goes to the server before the counter does.
  func answerSyncs() {
    guard haveSyncsDue, !server.isLost else { return }
    haveSyncsDue = false
    for window in windows.all where window.sync.isDue {
      guard !loop.isSuspended, let surface = window.drawing.surface, surface.size != window.geometry(root).frame.size
      else {
        answerSync(window)
        continue
      }
      haveSyncsDue = true
      if !loop.isSet(.sync(window.id)) { loop.set(.sync(window.id), after: Self.syncTimeout) }
    }
  }

  /// Reports to the window manager that the resize is drawn.
  func answerSync(_ window: TopLevel) {
    guard let value = window.sync.requested.take() else { return }
    window.sync.isDue = false
    loop.cancel(.sync(window.id))
    guard window.sync.counter != 0 else { return }
    server.extensions.send(.syncSetCounter(window.sync.counter, value: value), onError: .ignore)
  }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    loop.cancel(.sync(window.id))
    guard window.sync.counter != 0 else { return }
    server.extensions.send(.syncDestroyCounter(window.sync.counter), onError: .ignore)
  }
}
