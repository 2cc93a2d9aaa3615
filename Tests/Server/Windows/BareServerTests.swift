import CXCB
import DeskSupport
import Glibc
import ProsceniumCore
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  @MainActor @Suite("On a server without a window manager") struct BareServerTests {
    let server: TestServer
    let stage: Recording

    init() throws {
      server = try #require(TestServer())
      stage = try Recording(server)
    }

    @Test("a window that is shown becomes visible and focused, and is exposed")
    func showing() {
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) && stage.isFocused(window) })
      #expect(stage.levels[window]?.visibleCause == "viewable")
      #expect(stage.events.contains { if case .exposed(window, _) = $0 { true } else { false } })
      #expect(stage.errors == [])
    }

    @Test("a quiet window becomes visible without taking the focus")
    func quiet() {
      let first = stage.makeWindow("first")
      stage.perform(.show(first, .activated))
      #expect(stage.run { stage.isFocused(first) })
      let second = stage.makeWindow("second") { $0.position = Point(x: 700, y: 0) }
      stage.perform(.show(second, .quiet))
      #expect(stage.run { stage.isVisible(second) })
      #expect(stage.isFocused(first) && !stage.isFocused(second))
    }

    @Test("the focus goes to the window that had it before when the focused one is destroyed or withdrawn")
    func focusGoesOn() {
      let windows = ["a", "b", "c"].map { stage.makeWindow($0) }
      for window in windows {
        stage.perform(.show(window, .activated))
        #expect(stage.run { stage.isFocused(window) })
      }
      stage.perform(.destroy(windows[2]))
      #expect(stage.run { stage.isFocused(windows[1]) })
      stage.perform(.withdraw(windows[1]))
      #expect(stage.run { stage.isFocused(windows[0]) && !stage.isVisible(windows[1]) })
      #expect(stage.levels[windows[1]]?.isWithdrawn == true)
      stage.perform(.show(windows[1], .activated))
      #expect(stage.run { stage.isFocused(windows[1]) && stage.isVisible(windows[1]) })
    }

    @Test("keys come with their text, after the map has come, in order", .enabled(if: TestServer.exists("xdotool")))
    func keys() {
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isFocused(window) })
      server.run("xdotool", "key", "a", "shift+b", "Return")
      #expect(stage.run { stage.keys.filter { $0.isDown && !$0.characters.isEmpty }.count == 3 })
      #expect(stage.keys.filter(\.isDown).map(\.characters).joined() == "aB\r")
    }

    @Test("the core map and libxkbcommon's say the same of every plain and shifted key")
    func keymaps() throws {
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      stage.platform.parts.input.keyboard.maps.begin()
      #expect(stage.run { stage.platform.parts.input.keyboard.maps.latest != nil })
      let map = try #require(stage.platform.parts.input.keyboard.maps.latest)
      guard map.usesXKB else { return }
      for code in UInt8(10)...61 {
        for state in [UInt16(0), 1, 2, 4] {
          let input = XInput(window: 0, detail: code, time: 0, state: state, location: Point(x: 0, y: 0))
          let core = KeyboardMap(core: map.core).key(input, isDown: true, isRepeat: false)
          #expect(map.key(input, isDown: true, isRepeat: false) == core)
        }
      }
    }

    @Test("where no thread can be made, the first key's map has rules and a compose table all the same")
    func keymapWithoutThread() async {
      // Threads are the whole process's.
      await #expect(processExitsWith: .success) { try await BareServerTests().checkKeymapWithoutThread() }
    }

    private func checkKeymapWithoutThread() throws {
      func maps(_ stage: Recording) -> KeyboardMaps { stage.platform.parts.input.keyboard.maps }
      let usual = try Recording(server)
      maps(usual).begin()
      #expect(usual.run { maps(usual).latest != nil })
      let hasRules = try #require(maps(usual).latest).usesXKB
      let hasTable = maps(usual).compose != nil
      if mustNotSkip { #expect(hasRules && hasTable) }
      // Root has no limit of threads: a stack that is larger than the address space.
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      pthread_attr_setstacksize(&attributes, 1 << 47)
      let function = try #require(dlsym(nil, "pthread_setattr_default_np"))
      typealias Setter = @convention(c) (UnsafePointer<pthread_attr_t>) -> Int32
      try #require(unsafeBitCast(function, to: Setter.self)(&attributes) == 0)
      try #require(!DetachedThread.run {})
      maps(stage).begin()
      #expect(stage.run { maps(stage).latest != nil })
      #expect(maps(stage).latest?.usesXKB == hasRules && (maps(stage).compose != nil) == hasTable)
      // The rules are the same
      maps(stage).layoutChanged()
      #expect(stage.run { maps(stage).current != nil })
      #expect(maps(stage).latest?.usesXKB == hasRules && (maps(stage).compose != nil) == hasTable)
    }

    @Test("start-up and a window stay within their budgets of requests")
    func budget() throws {
      let first = stage.makeWindow("first")
      stage.perform(.show(first, .activated))
      let connection = stage.platform.parts.server.connection
      #expect(stage.run { stage.isFocused(first) })
      let before = connection.lastRequest
      #expect(before <= 60, "\(before) requests for the first window")
      let second = stage.makeWindow("second")
      stage.perform(.show(second, .activated))
      #expect(stage.run { stage.isFocused(second) })
      #expect(connection.lastRequest - before <= 12, "\(connection.lastRequest - before) requests for the second")
    }

    @Test("what needs a window manager is refused, and full screen is done without one")
    func requests() {
      let window = stage.makeWindow { $0.position = Point(x: 30, y: 40) }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      stage.perform(.request(RequestID(rawValue: 1), window, .minimize))
      stage.perform(.request(RequestID(rawValue: 2), window, .fullScreen(true)))
      #expect(stage.run { stage.outcome(RequestID(rawValue: 2)) != nil })
      guard case .refused(let reason) = stage.outcome(RequestID(rawValue: 1)) else {
        Issue.record("minimising was not refused")
        return
      }
      #expect(reason.contains("no window manager"))
      #expect(stage.outcome(RequestID(rawValue: 2)) == .done)
      #expect(stage.run { stage.geometry[window]?.frame == Rect(x: 0, y: 0, width: 1152, height: 900) })
      let rect = Rect(x: 100, y: 120, width: 300, height: 200)
      stage.perform(.request(RequestID(rawValue: 3), window, .geometry(rect)))
      #expect(stage.run { stage.outcome(RequestID(rawValue: 3)) == .done })
      #expect(stage.geometry[window]?.frame == rect)
      // It does not cover the screen any more.
      #expect(stage.geometry[window]?.isFullScreen == false)
      #expect(stage.run { stage.geometry[window]?.normalFrame == rect })
    }

    private static let (left, right) = (
      Rect(x: 0, y: 0, width: 576, height: 900), Rect(x: 576, y: 0, width: 576, height: 900)
    )

    /// A window that is shown on a server with two monitors.
    private func showBesideAnotherMonitor(_ frame: Rect) -> WindowID {
      let (stage, screens) = (stage, stage.platform.parts.screens)
      #expect(server.run("xrandr", "--setmonitor", "left", "576/152x900/238+0+0", "screen") == 0)
      #expect(server.run("xrandr", "--setmonitor", "right", "576/152x900/238+576+0", "none") == 0)
      #expect(stage.run { screens.current.map(\.frame) == [Self.left, Self.right] })
      let window = stage.makeWindow {
        $0.position = frame.origin
        $0.size = frame.size
      }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) && stage.geometry[window]?.frame == frame })
      return window
    }

    @Test(
      "a window whose monitor goes while it is full screen comes back on one that is there",
      .enabled(if: TestServer.exists("xrandr")))
    func monitorGone() {
      let window = showBesideAnotherMonitor(Rect(x: 700, y: 100, width: 300, height: 200))
      let stage = stage
      stage.perform(.request(RequestID(rawValue: 1), window, .fullScreen(true)))
      #expect(stage.run { stage.geometry[window]?.frame == Self.right })
      #expect(server.run("xrandr", "--delmonitor", "right") == 0)
      #expect(stage.run { stage.geometry[window]?.frame == Self.left })
      stage.perform(.request(RequestID(rawValue: 2), window, .fullScreen(false)))
      #expect(stage.run { stage.geometry[window]?.frame.size == Size(width: 300, height: 200) })
      #expect(stage.geometry[window]?.frame == Rect(x: 276, y: 100, width: 300, height: 200))
      #expect(stage.outcome(RequestID(rawValue: 2)) == .done && stage.errors == [])
    }

    @Test("properties of a wrong type, format or length change nothing", .enabled(if: TestServer.exists("xprop")))
    func garbage() {
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      let id = "\(window)"
      server.run("xprop", "-id", id, "-f", "WM_STATE", "32c", "-set", "WM_STATE", "3")
      server.run("xprop", "-id", id, "-f", "_NET_WM_STATE", "8s", "-set", "_NET_WM_STATE", "HIDDEN")
      server.run("xprop", "-id", id, "-f", "_NET_WM_DESKTOP", "16c", "-set", "_NET_WM_DESKTOP", "7")
      server.run("xprop", "-root", "-f", "_NET_SUPPORTING_WM_CHECK", "32x", "-set", "_NET_SUPPORTING_WM_CHECK", "0x99")
      #expect(stage.run { stage.windowManager == .changing })
      #expect(stage.run { stage.windowManager == .settled })
      #expect(stage.isVisible(window))
      #expect(stage.errors == [])
    }

    @Test("a hidden window that leaves full screen comes back where it was before")
    func hiddenFullScreen() {
      let stage = stage
      let frame = Rect(x: 30, y: 40, width: 300, height: 200)
      let window = stage.makeWindow {
        $0.position = frame.origin
        $0.size = frame.size
      }
      stage.perform(.show(window, .activated))
      stage.perform(.request(RequestID(rawValue: 1), window, .fullScreen(true)))
      #expect(stage.run { stage.isVisible(window) && stage.geometry[window]?.frame.size.width == 1152 })
      stage.perform(.withdraw(window))
      #expect(stage.run { !stage.isVisible(window) })
      #expect(stage.geometry[window]?.isFullScreen == true)
      stage.perform(.request(RequestID(rawValue: 2), window, .fullScreen(false)))
      #expect(stage.run { stage.outcome(RequestID(rawValue: 2)) == .done })
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) && stage.geometry[window]?.frame == frame })
      #expect(stage.geometry[window]?.isFullScreen == false && stage.errors == [])
    }

    @Test("a window that another client destroys is reported once")
    func destroyedByOthers() {
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      stage.platform.parts.server.connection.destroyWindow(window.rawValue)
      #expect(stage.run { stage.events.contains(.destroyed(window)) })
      stage.perform(.setTitle(window, "late"))
      stage.perform(.destroy(window))
      let other = stage.makeWindow()
      stage.perform(.show(other, .activated))
      #expect(stage.run { stage.isFocused(other) })
      #expect(stage.events.filter { $0 == .destroyed(window) }.count == 1)
      #expect(stage.errors == [])
    }

    @Test(
      "full screen is the monitor that has most of the window", .enabled(if: TestServer.exists("xrandr")))
    func mostOfTheWindow() {
      let window = showBesideAnotherMonitor(Rect(x: 500, y: 100, width: 300, height: 200))
      let stage = stage
      stage.perform(.request(RequestID(rawValue: 1), window, .fullScreen(true)))
      #expect(stage.run { stage.outcome(RequestID(rawValue: 1)) == .done })
      #expect(stage.run { stage.geometry[window]?.frame.size.height == 900 })
      #expect(stage.geometry[window]?.frame == Self.right)
    }

    @Test("an error of a request is told with the request's name and the window")
    func errors() {
      stage.platform.parts.server.connection.mapWindow(0x7FFFFF)
      #expect(stage.run { !stage.errors.isEmpty })
      #expect(stage.errors == ["the X server refused MapWindow on window 0x7fffff: BadWindow (0x7fffff)"])
    }

    @Test("a server that dies is told once, and deadlines and the end still work")
    func serverDeath() {
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      server.process.end(SIGTERM)
      let isLoss: (PlatformEvent) -> Bool = { if case .connectionLost = $0 { true } else { false } }
      #expect(stage.run { stage.events.contains(where: isLoss) })
      let deadline = DeadlineID(rawValue: 5)
      stage.perform(.setTitle(window, "late"))
      stage.perform(.destroy(window))
      stage.perform(.setDeadline(deadline, milliseconds: 20))
      #expect(stage.run { stage.events.contains(.deadline(deadline)) })
      #expect(stage.events.filter(isLoss).count == 1)
    }

    @Test("deadlines are never early, and of one moment come in the order in which they were set")
    func deadlines() {
      let start = stage.platform.now
      for number in [3, 1, 2] { stage.perform(.setDeadline(DeadlineID(rawValue: number), milliseconds: 0)) }
      stage.perform(.setDeadline(DeadlineID(rawValue: 4), milliseconds: 30))
      stage.perform(.setDeadline(DeadlineID(rawValue: 9), milliseconds: 10))
      stage.perform(.cancelDeadline(DeadlineID(rawValue: 9)))
      #expect(stage.run { stage.events.contains(.deadline(DeadlineID(rawValue: 4))) })
      #expect(stage.platform.now - start >= 0.03)
      let fired = stage.events.compactMap { if case .deadline(let id) = $0 { id.rawValue } else { nil } }
      #expect(fired == [3, 1, 2, 4])
    }
  }
}
