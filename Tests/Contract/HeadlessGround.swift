import ProsceniumCore
import ProsceniumTesting

/// The window manager in memory.
@MainActor final class HeadlessGround: Ground {
  private let memory = HeadlessPlatform()
  let listener = Listener()
  var platform: any Platform { memory }

  init() { memory.client = listener }

  func run(until condition: @escaping () -> Bool) -> Bool {
    for _ in 0..<2000 {
      turn()
      if condition() { return true }
      memory.advance(by: 5)
    }
    return condition()
  }

  func pass(milliseconds: Int) {
    turn()
    memory.advance(by: milliseconds)
    turn()
  }

  private func turn() {
    memory.deliver()
    memory.pollSources()
  }

  func focus(_ window: WindowID) { memory.focus(window) }
  func focusAnotherProgram() { memory.focus(nil) }
  func minimize(_ window: WindowID) { memory.minimize(window) }
  func restore(_ window: WindowID) { memory.restore(window) }
  func move(_ window: WindowID, to frame: Rect) { memory.move(window, to: frame) }
  func askToClose(_ window: WindowID) { memory.requestClose(window) }
  func destroyForeign(_ window: WindowID) { memory.destroyForeign(window) }
  func grabKeyboard(_ isGrabbed: Bool) { memory.grabKeyboard(isGrabbed) }
  func stopObeying() { memory.windowManager.obeysActivation = false }
  func killWindowManager() { memory.stopWindowManager() }
  func startWindowManager() { memory.startWindowManager() }
  func send(_ window: WindowID, toDesktop desktop: Int) { memory.send(window, toDesktop: desktop) }
  func goTo(desktop: Int) { memory.goTo(desktop: desktop) }
  func showDesktop(_ isShown: Bool) { memory.showDesktop(isShown) }

  func setMonitors(_ monitors: [(name: String, frame: Rect)]) {
    memory.changeScreens(
      to: monitors.enumerated().map { number, monitor in
        ScreenDescription(name: monitor.name, frame: monitor.frame, isPrimary: number == 0)
      })
  }
}
