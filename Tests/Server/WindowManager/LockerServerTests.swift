import CXCB
import DeskSupport
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Another client holds the keyboard and covers the screen, as lockers do, or does one of the two, as others do.
  @MainActor @Suite("Lockers, as the server shows them") struct LockerServerTests {
    let server: TestServer
    let stage: Recording
    let locker: XClient
    let window: WindowID

    init() throws {
      server = try #require(TestServer())
      locker = try XClient(display: server.display)
      stage = try Recording(server)
      window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      let (stage, window) = (stage, window)
      #expect(stage.run { stage.isVisible(window) })
      stage.platform.followSettings()
      stage.synchronise()
    }

    private var states: [LockerState] {
      stage.events.compactMap { if case .locker(let state, _) = $0 { state } else { nil } }
    }

    private var isGrabbed: Bool { stage.platform.parts.screenSaver.lockers.tracker.isGrabbed }

    private func focus(_ window: UInt32) {
      xcb_set_input_focus(locker.connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window, 0)
      locker.sync()
    }

    private func cover(width: UInt16? = nil) -> UInt32 {
      locker.makeWindow(x: 0, y: 0, width: width ?? locker.width, height: locker.height, overrideRedirect: true)
    }

    private func setStatus(_ word: String?) {
      let atom = word.map { locker.atom($0) } ?? 0
      locker.setProperty(locker.root, "_SCREENSAVER_STATUS", type: "INTEGER", longs: [atom, 0, 0])
    }

    private func unmap(_ window: UInt32) {
      xcb_unmap_window(locker.connection, window)
      locker.sync()
    }

    private func ungrab() {
      xcb_ungrab_keyboard(locker.connection, 0)
      locker.sync()
    }

    /// Waits until the platform has asked twice in vain.
    private func runAsked() {
      let stage = stage
      #expect(stage.run { stage.platform.parts.screenSaver.lockers.tracker.attempts >= 2 })
    }

    @Test("Both together are a lock, whichever comes first, until the windows go", arguments: [true, false])
    func lock(coversFirst: Bool) {
      let stage = stage
      var window: UInt32?
      if coversFirst { window = cover() }
      #expect(locker.grabKeyboard())
      let covering = window ?? cover()
      #expect(stage.run { states == [.locked] })
      ungrab()
      stage.synchronise()
      #expect(states == [.locked])
      unmap(covering)
      #expect(stage.run { states == [.locked, .none] })
      #expect(stage.errors == [])
    }

    @Test("A locker is named by the class of its window, or its title, as far as these are names")
    func name() {
      let stage = stage
      #expect(locker.grabKeyboard())
      let window = cover()
      #expect(stage.run { states == [.locked] })
      #expect(stage.events.contains(.locker(.locked, name: "Other")))
      unmap(window)
      #expect(stage.run { states == [.locked, .none] })
      #expect(LockerName("i3lock")?.text == "i3lock" && LockerName("a\n\"b\"\u{1F512}")?.text == "ab")
      #expect(LockerName("") == nil && LockerName("  ") == nil && LockerName("\n") == nil)
      #expect(LockerName(String(repeating: "x", count: 1000))?.text.count == LockerName.longest)
    }

    /// The package of the real one brings LightDM, a display manager, along.
    ///
    /// Unpacked, beside stand-ins for logind and LightDM, it does what is repeated here.
    @Test(
      "light-locker's lock, as recorded: it holds the keyboard for the root, and under a grab of the server for its window"
    )
    func lightLocker() {
      let stage = stage
      let connection = locker.connection
      #expect(locker.grabKeyboard())
      let window = cover()
      xcb_grab_server(connection)
      xcb_ungrab_keyboard(connection, 0)
      let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
      xcb_discard_reply(connection, xcb_grab_keyboard(connection, 0, window, 0, mode, mode).sequence)
      xcb_ungrab_server(connection)
      locker.sync()
      #expect(stage.run { states == [.locked] })
      unmap(window)
      #expect(stage.run { states == [.locked, .none] })
      #expect(stage.errors == [])
    }

    @Test("A lock that ends while the program is suspended has ended when it runs again, and the next one is noticed")
    func suspended() {
      let stage = stage
      #expect(locker.grabKeyboard())
      let first = cover()
      #expect(stage.run { states == [.locked] })
      stage.perform(.suspend)
      stage.synchronise()
      ungrab()
      unmap(first)
      #expect(stage.run { states == [.locked, .none] })
      stage.perform(.resume)
      #expect(stage.run { !isGrabbed })
      #expect(locker.grabKeyboard())
      let second = cover()
      #expect(stage.run { states == [.locked, .none, .locked] })
      // One that goes on meanwhile is one still
      stage.perform(.suspend)
      stage.synchronise()
      stage.perform(.resume)
      stage.synchronise()
      ungrab()
      unmap(second)
      #expect(stage.run { states == [.locked, .none, .locked, .none] })
      #expect(stage.errors == [])
    }

    @Test("A locker that is killed locks nothing any more")
    func killed() throws {
      let stage = stage
      let second = try XClient(display: server.display)
      let window = second.makeWindow(
        x: 0, y: 0, width: second.width, height: second.height, overrideRedirect: true)
      #expect(second.grabKeyboard())
      #expect(stage.run { states == [.locked] })
      locker.killClient(of: window)
      #expect(stage.run { states == [.locked, .none] })
    }

    @Test(
      "The next lock is noticed after a window has gone that had the focus while another client held the keyboard",
      arguments: [false, true])
    func goneWhileHeld(isWithdrawnBefore: Bool) {
      let stage = stage
      // As with the window manager's key that closes it, whose user goes on in another program
      #expect(locker.grabKeyboard())
      #expect(stage.run { isGrabbed })
      if isWithdrawnBefore { stage.perform(.withdraw(window)) }
      stage.perform(.destroy(window))
      stage.synchronise()
      focus(locker.makeWindow())
      ungrab()
      #expect(stage.run { !isGrabbed })
      #expect(locker.grabKeyboard())
      _ = cover()
      #expect(stage.run { states == [.locked] })
      #expect(stage.errors == [])
    }

    @Test("Nor is the keyboard held any more when a window of another toolkit that showed it is followed no longer")
    func releasedWhileHeld() {
      let stage = stage
      stage.perform(.destroy(window))
      let guest = locker.makeWindow()
      let id = WindowID(rawValue: guest)
      stage.perform(.follow(id, WindowDescription()))
      #expect(stage.run { stage.isVisible(id) })
      focus(guest)
      #expect(stage.run { stage.isFocused(id) })
      #expect(locker.grabKeyboard())
      #expect(stage.run { isGrabbed })
      stage.perform(.destroy(id))
      stage.synchronise()
      ungrab()
      #expect(stage.run { !isGrabbed })
    }

    @Test(
      "A press that reaches a window shows that nobody keeps it, also where it comes by XInput 2",
      .enabled(if: TestServer.exists("xdotool")))
    func pressed() {
      let stage = stage
      #expect(stage.run { stage.platform.parts.input.pointer.devices.isAvailable })
      stage.synchronise()
      #expect(locker.grabKeyboard())
      #expect(stage.run { isGrabbed })
      server.run("xdotool", "mousemove", "60", "60", "click", "1")
      #expect(stage.run { !isGrabbed })
      #expect(stage.errors == [])
    }

    @Test("A grab that covers a part, and windows over all without a grab, are no lock")
    func neither() {
      #expect(locker.grabKeyboard())
      let part = cover(width: locker.width / 2)
      runAsked()
      #expect(states == [])
      ungrab()
      unmap(part)
      _ = cover()
      stage.synchronise()
      #expect(states == [])
    }

    @Test("A drag in the name of a locker's window does not keep its end from being noticed")
    func inTheNameOfTheLocker() {
      let (stage, target) = (stage, stage.platform.parts.dragAndDrop.target)
      stage.perform(.acceptDrops(window))
      #expect(stage.run { stage.platform.parts.server.atoms[.xdndEnter] != 0 })
      #expect(locker.grabKeyboard())
      let covering = cover()
      #expect(stage.run { states == [.locked] })
      locker.sendMessage(window.rawValue, "XdndEnter", [covering, 5 << 24, locker.atom("a/b")])
      #expect(stage.run { target.machine.visit?.source == covering })
      locker.sendMessage(window.rawValue, "XdndLeave", [covering])
      #expect(stage.run { target.machine.visit == nil })
      stage.synchronise()
      unmap(covering)
      #expect(stage.run { states == [.locked, .none] })
      #expect(stage.errors == [])
    }

    @Test("The client of a managed window is no locker: a game that holds the keyboard over the whole screen")
    func game() {
      let own = locker.makeWindow()
      locker.setProperty(locker.root, "_NET_CLIENT_LIST", type: "WINDOW", longs: [own])
      _ = cover()
      #expect(locker.grabKeyboard())
      runAsked()
      #expect(states == [])
    }

    @Test("xscreensaver's word tells a blanked screen from a locked one, and is not believed alone")
    func word() {
      let stage = stage
      setStatus("LOCK")
      runAsked()
      #expect(states == [])
      setStatus(nil)
      let window = cover()
      setStatus("BLANK")
      #expect(stage.run { states == [.blanked] })
      setStatus("LOCK")
      #expect(stage.run { states == [.blanked, .locked] })
      setStatus(nil)
      stage.synchronise()
      #expect(states == [.blanked, .locked])
      unmap(window)
      #expect(stage.run { states == [.blanked, .locked, .none] })
      // Rubbish in the property, of which any other word stands for a blanked screen, covers nothing
      setStatus("STRING")
      locker.setProperty(locker.root, "_SCREENSAVER_STATUS", type: "STRING", format: 8, bytes: [1])
      stage.synchronise()
      #expect(states == [.blanked, .locked, .none] && stage.errors == [])
    }
  }
}
