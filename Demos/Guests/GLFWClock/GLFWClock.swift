import Glibc
import Proscenium

/// Clocks of GLFW and OpenGL.
///
/// Each window is a scene, whose session has the hours that its clock is ahead of UTC: it is back after any end,
/// `kill -9` included. A clock is drawn once in a second while it is seen, and not in the background. `--scenes N`
/// opens N windows at the first launch. Space adds an hour, N opens a window, Q quits.
@main @MainActor enum GLFWClock {
  static var adapter: Adapter?
  static var scenes: [GLFW.Window: ClockScene] = [:]

  static func main() {
    guard let glfw = GLFW() else {
      print("GLFWClock: GLFW, Xlib or OpenGL is missing: install libglfw3, libx11-6 and libgl1.")
      exit(2)
    }
    let adapter = Adapter(glfw)
    self.adapter = adapter
    do {
      let attachment = try Application.attach { ClockDelegate() }
      exit(adapter.run(attachment, timeToFrame: timeToFrame) { scenes.values.forEach { $0.drawIfDue() } })
    } catch let ended as LaunchEnded {
      exit(ended.status)
    } catch {
      print("GLFWClock: \(error)")
      exit(2)
    }
  }

  /// The time of the system.
  static var now: timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now
  }

  /// Until the next second, where a clock is seen.
  private static func timeToFrame() -> Duration? {
    scenes.values.contains { $0.isSeen } ? .nanoseconds(1_000_000_000 - now.tv_nsec) : nil
  }
}

final class ClockDelegate: Responder {
  let manifest = ApplicationManifest(
    applicationIdentifier: "org.proscenium.GLFWClock",
    sceneConfigurations: [SceneConfiguration(name: "Clock", delegate: ClockScene.init)])
}

extension ClockDelegate: ApplicationDelegate {
  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
    // Not before: a second start of the program has sent its request to the first by now, and needs no GLFW.
    guard let glfw = GLFWClock.adapter?.glfw, glfw.start() != 0 else {
      print("GLFWClock: GLFW does not start.")
      application.terminate(status: 1)
      return true
    }
    glfw.hint(GLFW.visible, 0)
    let arguments = CommandLine.arguments
    // The first scene comes by itself, and so do all that were open.
    guard application.openSessions.isEmpty, let place = arguments.firstIndex(of: "--scenes") else { return true }
    let count = arguments.dropFirst(place + 1).first.flatMap { Int($0) } ?? 1
    for _ in 1..<max(count, 1) { application.requestSceneSessionActivation(nil, userActivity: nil) }
    return true
  }
}

final class ClockScene: Responder {
  var window: Window?
  private(set) var isSeen = false
  private var clock: GLFW.Window?
  private weak var session: SceneSession?
  private var hours = 0
  /// The second that was drawn last; nil where the picture is not valid any more.
  private var drawn: Int?
}

extension ClockScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let adapter = GLFWClock.adapter, let scene = scene as? WindowScene else { return }
    guard let clock = adapter.glfw.makeWindow(300, 300, "", nil, nil) else {
      print("GLFWClock: GLFW makes no window.")
      return Application.shared.terminate(status: 1)
    }
    do throws(WindowAdoptionError) {
      window = try adapter.adopt(clock, in: scene)
    } catch {
      print("GLFWClock: not adopted: \(error)")
      adapter.glfw.destroyWindow(clock)
      return Application.shared.terminate(status: 1)
    }
    (self.clock, self.session, hours) = (clock, session, session.userInfo?["hours"] as? Int ?? 0)
    GLFWClock.scenes[clock] = self
    showTitle()
    _ = adapter.glfw.onRefresh(clock) { ClockScene.of($0) { $0.drawn = nil } }
    _ = adapter.glfw.onKey(clock) { window, key, _, action, _ in
      if action == GLFW.press { ClockScene.of(window) { $0.press(key) } }
    }
    adapter.glfw.showWindow(clock)
  }

  func sceneWillEnterForeground(_ scene: Scene) { (isSeen, drawn) = (true, nil) }
  func sceneDidEnterBackground(_ scene: Scene) { isSeen = false }

  func sceneDidDisconnect(_ scene: Scene) {
    if let clock { GLFWClock.scenes[clock] = nil }
  }
}

extension ClockScene {
  private nonisolated static func of(_ window: GLFW.Window?, _ body: @MainActor (ClockScene) -> Void) {
    // GLFW calls on the main thread.
    nonisolated(unsafe) let window = window
    MainActor.assumeIsolated {
      if let scene = window.flatMap({ GLFWClock.scenes[$0] }) { body(scene) }
    }
  }

  private func press(_ key: Int32) {
    switch key {
    case GLFW.keySpace:
      hours = (hours + 1) % 24
      session?.userInfo = ["hours": hours]
      drawn = nil
      showTitle()
    case GLFW.keyN: Application.shared.requestSceneSessionActivation(nil, userActivity: nil)
    case GLFW.keyQ: Application.shared.terminate(status: 0)
    default: break
    }
  }

  private func showTitle() {
    let title = "UTC + \(hours) h"
    if let clock { GLFWClock.adapter?.glfw.setTitle(clock, title) }
    session?.scene?.title = title
  }

  /// Draws the clock where it is seen, and another second has begun.
  func drawIfDue() {
    let second = GLFWClock.now.tv_sec
    guard isSeen, drawn != second, let clock, let glfw = GLFWClock.adapter?.glfw else { return }
    drawn = second
    var (width, height): (Int32, Int32) = (0, 0)
    glfw.makeCurrent(clock)
    // The loop waits by itself.
    glfw.swapInterval(0)
    glfw.framebufferSize(clock, &width, &height)
    let side = min(width, height)
    glfw.viewport((width - side) / 2, (height - side) / 2, side, side)
    glfw.clearColor(0.08, 0.1, 0.16, 1)
    glfw.clear(GLFW.colorBuffer)
    glfw.color(0.9, 0.9, 0.9)
    glfw.lineWidth(3)
    glfw.begin(GLFW.lineLoop)
    for part in 0..<60 { point(turn: Float(part) / 60, length: 0.9, glfw) }
    glfw.end()
    let seconds = second % 86400 + hours * 3600
    hand(turn: Float(seconds % 43200) / 43200, length: 0.5, glfw)
    hand(turn: Float(seconds % 3600) / 3600, length: 0.75, glfw)
    glfw.color(0.9, 0.6, 0.2)
    hand(turn: Float(seconds % 60) / 60, length: 0.8, glfw)
    glfw.swapBuffers(clock)
  }

  private func hand(turn: Float, length: Float, _ glfw: GLFW) {
    glfw.begin(GLFW.lines)
    glfw.vertex(0, 0)
    point(turn: turn, length: length, glfw)
    glfw.end()
  }

  /// A point of the clock; a turn of 0 is at the top, and of 0.25 at the right.
  private func point(turn: Float, length: Float, _ glfw: GLFW) {
    glfw.vertex(length * sinf(turn * 2 * .pi), length * cosf(turn * 2 * .pi))
  }
}
