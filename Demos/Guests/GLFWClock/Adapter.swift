import Glibc
import Proscenium

/// Proscenium in a program of GLFW, whose loop is its own.
///
/// Windows, and a wait for both: another toolkit needs the same.
@MainActor final class Adapter {
  let glfw: GLFW
  private var owners: [GLFW.Window: Owner] = [:]

  init(_ glfw: GLFW) { self.glfw = glfw }

  /// Makes a window that is not shown yet one of a scene: in `scene(_:willConnectTo:options:)`, then show it.
  /// - Throws: ``WindowAdoptionError``, which says what to do.
  func adopt(_ window: GLFW.Window, in scene: WindowScene) throws(WindowAdoptionError) -> Window {
    // 0 where GLFW does not use X11.
    let xid = UInt32(truncatingIfNeeded: glfw.x11Window(window))
    let owner = Owner(window, self)
    let adopted = try Window(adopting: xid, in: scene, owner: owner)
    (owner.adopted, owners[window]) = (adopted, owner)
    // GLFW alone hears of the close button. It closes nothing by itself, because the scene decides.
    _ = glfw.onClose(window) { window in
      // GLFW calls on the main thread.
      nonisolated(unsafe) let window = window
      MainActor.assumeIsolated {
        guard let window, let adapter = GLFWClock.adapter else { return }
        adapter.glfw.setShouldClose(window, 0)
        adapter.owners[window]?.adopted?.performClose()
      }
    }
    return adopted
  }

  /// GLFW's side of an adopted window.
  private final class Owner: AdoptedWindowOwner {
    let window: GLFW.Window
    weak var adopted: Window?
    private unowned let adapter: Adapter

    init(_ window: GLFW.Window, _ adapter: Adapter) { (self.window, self.adapter) = (window, adapter) }

    func setWindow(_ window: Window, isHidden: Bool) {
      if isHidden { adapter.glfw.hideWindow(self.window) } else { adapter.glfw.showWindow(self.window) }
    }

    func destroyWindow(_ window: Window) {
      adapter.owners[self.window] = nil
      adapter.glfw.destroyWindow(self.window)
    }
  }

  /// Runs a loop until the application has ended.
  /// - Parameters:
  ///   - attachment: The application.
  ///   - timeToFrame: The time until the program draws next; nil where nothing of it is seen. Called after all events.
  ///   - draw: Draws what is due.
  /// - Returns: The status to exit with.
  func run(_ attachment: LoopAttachment, timeToFrame: () -> Duration?, draw: () -> Void) -> Int32 {
    while true {
      attachment.turn()
      if let status = attachment.exitStatus { return status }
      glfw.pollEvents()
      draw()
      wait(for: attachment, atMost: timeToFrame())
    }
  }

  /// GLFW's own wait does not know of the attachment's descriptor, which is readable when a time is over, too.
  private func wait(for attachment: LoopAttachment, atMost time: Duration?) {
    var waited = [pollfd(fd: attachment.descriptor, events: Int16(POLLIN), revents: 0)]
    if let display = glfw.x11Display() {
      // What Xlib has read meanwhile, as it does when it draws, makes no descriptor readable.
      if glfw.pendingEvents(display) > 0 { return }
      waited.append(pollfd(fd: glfw.connectionNumber(display), events: Int16(POLLIN), revents: 0))
    }
    // Rounded up: a wait that ends too early would be repeated.
    let milliseconds = time.map { Int32(clamping: Int($0 / .milliseconds(1)) + 1) } ?? -1
    _ = poll(&waited, nfds_t(waited.count), milliseconds)
  }
}
