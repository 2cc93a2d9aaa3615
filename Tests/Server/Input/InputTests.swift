import DeskSupport
import Glibc
import ProsceniumCore
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Keys, buttons, wheels and touches, by xdotool's XTEST.
  @MainActor @Suite("Input", .enabled(if: TestServer.exists("xdotool"))) struct InputTests {
    private func inputs(_ stage: Recording, _ window: WindowID) -> [InputEvent.Kind] {
      stage.events.compactMap { if case .input(window, let event) = $0 { event.kind } else { nil } }
    }

    private func scrolls(_ stage: Recording, _ window: WindowID) -> [Scroll] {
      inputs(stage, window).compactMap { if case .scroll(let scroll) = $0 { scroll } else { nil } }
    }

    private func buttons(_ stage: Recording, _ window: WindowID) -> [PointerButton] {
      inputs(stage, window).compactMap { if case .button(let button) = $0 { button } else { nil } }
    }

    private func shownWindow(_ stage: Recording) -> WindowID {
      let window = stage.makeWindow { $0.position = Point(x: 100, y: 100) }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isFocused(window) })
      return window
    }

    @Test("motion, clicks and the wheel come once each, with XInput 2 and without", arguments: [true, false])
    func pointer(hasDevices: Bool) throws {
      let server = try #require(TestServer())
      let number = try #require(Int(server.display.dropFirst()))
      let proxy = try XProxy(toDisplay: number, hiding: hasDevices ? [] : ["XInputExtension"])
      let stage = try Recording(display: proxy.display)
      let window = shownWindow(stage)
      #expect(stage.run { stage.platform.parts.input.pointer.devices.isAvailable == hasDevices })
      server.run(
        "xdotool", "mousemove", "150", "160", "mousemove", "170", "180", "click", "1", "click", "4", "click", "5",
        "click", "5", "click", "7", "click", "3")
      #expect(stage.run { buttons(stage, window).count == 4 })
      #expect(buttons(stage, window).map(\.number) == [1, 1, 3, 3])
      #expect(buttons(stage, window).map(\.isDown) == [true, false, true, false])
      #expect(scrolls(stage, window).map(\.deltaY) == [-1, 1, 1, 0])
      #expect(scrolls(stage, window).map(\.deltaX) == [0, 0, 0, 1])
      #expect(scrolls(stage, window).allSatisfy { $0.location == Point(x: 70, y: 80) && !$0.isPrecise })
      let places = inputs(stage, window).compactMap { kind -> Point? in
        if case .motion(let motion) = kind, motion.phase == .moved { motion.location } else { nil }
      }
      #expect(places.filter { $0 == Point(x: 70, y: 80) }.count == 1)
      #expect(stage.errors == [])
    }

    @Test("what is typed before a click, or before the window is to close, comes before it, also with the first key")
    func orderOfFirstKey() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let window = shownWindow(stage)
      let other = try XClient(display: server.display)
      // The map is asked for when the key comes.
      server.run("xdotool", "mousemove", "150", "160", "key", "a", "click", "1")
      other.sendMessage(window.rawValue, "WM_PROTOCOLS", [other.atom("WM_DELETE_WINDOW"), 0])
      other.sync()
      #expect(stage.run { stage.events.contains(.closeRequested(window)) })
      let order = stage.events.compactMap { event -> String? in
        if event == .closeRequested(window) { return "close" }
        guard case .input(window, let input) = event else { return nil }
        switch input.kind {
        case .key(let key): return key.isDown ? "key" : nil
        case .button(let button): return button.isDown ? "click" : nil
        case .motion, .scroll, .touch: return nil
        }
      }
      #expect(order == ["key", "click", "close"])
    }

    @Test("all that the first key waits for is asked for at once")
    func firstKey() throws {
      let server = try #require(TestServer())
      let proxy = try XProxy(toDisplay: try #require(Int(server.display.dropFirst())))
      let stage = try Recording(display: proxy.display)
      _ = shownWindow(stage)
      server.run("xdotool", "key", "a")
      #expect(stage.run { !stage.keys.isEmpty })
      // GetProperty of the rules, GetKeyboardMapping; an atom (InternAtom) not any more.
      let counts = proxy.counts
      let rules = try #require(counts.requestsAtLast[20])
      #expect(try #require(counts.requestsAtLast[101]) == rules + 1)
      #expect(try #require(counts.requestsAtLast[16]) < rules)
      #expect(stage.keys.first?.characters == "a" && stage.errors == [])
    }

    @Test("keys that are down go up when the focus goes, once")
    func heldKeys() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let window = shownWindow(stage)
      let other = stage.makeWindow("other") { $0.position = Point(x: 600, y: 500) }
      server.run("xdotool", "keydown", "a")
      #expect(stage.run { stage.keys.contains { $0.isDown && $0.characters == "a" } })
      stage.perform(.show(other, .activated))
      #expect(stage.run { stage.isFocused(other) })
      server.run("xdotool", "keyup", "a")
      server.run("xdotool", "key", "b")
      #expect(stage.run { stage.keys.contains { !$0.isDown && $0.characters == "b" } })
      let ups = inputs(stage, window).filter { if case .key(let key) = $0 { !key.isDown } else { false } }
      #expect(ups.count == 1)
      #expect(stage.keys.filter { !$0.isDown && $0.characters == "a" }.count == 1)
      #expect(stage.platform.parts.input.keyboard.down.isEmpty)
    }

    @Test("a key that is down goes up when its window is withdrawn")
    func heldKeysOfWithdrawnWindows() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let window = shownWindow(stage)
      server.run("xdotool", "keydown", "x")
      #expect(stage.run { stage.keys.contains { $0.isDown && $0.characters == "x" } })
      stage.perform(.withdraw(window))
      #expect(stage.run { stage.keys.contains { !$0.isDown && $0.characters == "x" } })
    }

    @Test("a key that is down goes up when its window is destroyed")
    func heldKeysOfDestroyedWindows() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let window = shownWindow(stage)
      server.run("xdotool", "keydown", "x")
      #expect(stage.run { stage.keys.contains { $0.isDown && $0.characters == "x" } })
      stage.perform(.destroy(window))
      #expect(stage.run { stage.keys.contains { !$0.isDown && $0.characters == "x" } })
    }

    @Test("a key that is held is repeated, and goes up once, however the server's messages arrive")
    func repeats() throws {
      let server = try #require(TestServer())
      let number = try #require(Int(server.display.dropFirst()))
      // Each event by itself
      let proxy = try XProxy(toDisplay: number, Faults(pieces: [32], pause: .milliseconds(1)))
      let stage = try Recording(display: proxy.display)
      _ = shownWindow(stage)
      server.run("xdotool", "keydown", "a")
      #expect(stage.run { stage.keys.count { $0.isDown } > 10 })
      server.run("xdotool", "keyup", "a")
      server.run("xdotool", "key", "b")
      #expect(stage.run { stage.keys.contains { !$0.isDown && $0.characters == "b" } })
      let keys = stage.keys.filter { $0.characters == "a" }
      #expect(keys.count { !$0.isDown } == 1 && keys.last?.isDown == false)
      #expect(keys.filter { $0.isDown && !$0.isRepeat }.count == 1)
    }

    @Test("what no key has is typed by a key that is changed for it")
    func changedKeys() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let window = shownWindow(stage)
      // Given a map
      server.run("xdotool", "key", "a")
      #expect(stage.run { stage.keys.contains { $0.characters == "a" } })
      // When a tool types letters that the layout lacks: it puts each onto a key for half of the delay, in which a busy
      // machine may not come to ask for the key's letter
      var typed = ""
      for delay in [400, 2000, 8000] where typed != "hé→ж" {
        let count = stage.keys.count
        let type = "LC_ALL=C.UTF-8 xdotool type --delay \(delay) 'hé→ж'; xdotool key z"
        let tool = try #require(server.launch("sh", "-c", type))
        #expect(stage.run { stage.keys.dropFirst(count).contains { !$0.isDown && $0.characters == "z" } })
        #expect(tool.wait() == 0)
        typed = stage.keys.dropFirst(count).filter { $0.isDown && $0.characters != "z" }.map(\.characters).joined()
      }
      #expect(typed == "hé→ж")
      #expect(!inputs(stage, window).isEmpty)
    }

    @Test("changed keys are what they are", .enabled(if: TestServer.exists("xmodmap")))
    func remappedKeys() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      _ = shownWindow(stage)
      // Given a map
      server.run("xdotool", "key", "a")
      #expect(stage.run { stage.keys.contains { $0.characters == "a" } })
      server.run("xmodmap", "-e", "keysym q = at Greek_omega")
      server.run("xdotool", "key", "24", "b")
      #expect(stage.run { stage.keys.contains { $0.isDown && $0.characters == "b" } })
      #expect(stage.keys.contains { $0.isDown && $0.characters == "@" })
    }

    @Test("dead keys type nothing, and then the letter with its accent", .enabled(if: TestServer.exists("setxkbmap")))
    func deadKeys() throws {
      let server = try #require(TestServer())
      // Given a layout with dead keys; the server forgets it when its last client goes
      let stage = try Recording(server)
      server.run("setxkbmap", "us", "intl")
      _ = shownWindow(stage)
      server.run("xdotool", "key", "dead_acute", "e", "dead_acute", "q", "x")
      #expect(stage.run { stage.keys.contains { $0.isDown && $0.characters == "x" } })
      #expect(stage.keys.filter(\.isDown).map(\.characters) == ["", "é", "", "", "x"])
    }

    @Test(
      "a key that ends a sequence which means nothing, or a click, takes it back, and does nothing else",
      .enabled(if: TestServer.exists("setxkbmap")))
    func cancelledDeadKeys() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      server.run("setxkbmap", "us", "intl")
      let window = shownWindow(stage)
      server.run("xdotool", "key", "dead_acute", "BackSpace", "BackSpace", "dead_acute", "Return", "dead_acute", "q")
      #expect(stage.run { stage.keys.count { $0.isDown } == 7 })
      let keys = stage.keys.filter(\.isDown)
      #expect(keys.map(\.symbol) == [0xFE51, 0xFFFFFF, 0xFF08, 0xFE51, 0xFFFFFF, 0xFE51, 0xFFFFFF])
      #expect(keys.allSatisfy { $0.latinCharacter.isEmpty } && keys.last?.characters == "")
      server.run("xdotool", "key", "dead_acute", "mousemove", "150", "160", "click", "1")
      #expect(stage.run { buttons(stage, window).count == 2 })
      server.run("xdotool", "key", "e")
      #expect(stage.run { stage.keys.contains { $0.isDown && $0.code == 26 } })
      #expect(stage.keys.last { $0.isDown }?.characters == "e")
    }

    @Test(
      "a key of another script has its character of the layout with Latin letters, or of an American keyboard",
      .enabled(if: TestServer.exists("setxkbmap")),
      arguments: [
        ("us,ru", 1), ("fr,ru", 1), ("ru,us", 0), ("ru", 0), ("gr,de", 0), ("us,gr", 1), ("gr", 0), ("il", 0),
        ("us", 0), ("de", 0),
      ])
    func otherScripts(_ layout: String, _ group: UInt16) throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      server.run("setxkbmap", "-layout", layout)
      let window = shownWindow(stage)
      // The keys of C, of A and of the comma on an American keyboard, with Control, that of one with Shift, and that of
      // Q, which types a semicolon in Greek and a slash in Hebrew
      let keys: [(code: UInt8, modifiers: ModifierFlags)] = [
        (54, .control), (38, .control), (59, .control), (10, [.control, .shift]), (24, .control),
      ]
      for key in keys {
        let input = XInput(
          window: window.rawValue, detail: key.code, time: 1, state: key.modifiers.rawValue | group << 13,
          location: Point(x: 0, y: 0))
        stage.platform.handle(.key(input, isDown: true))
        stage.platform.handle(.key(input, isDown: false))
      }
      #expect(stage.run { stage.keys.count == 10 })
      let latin = stage.keys.filter(\.isDown).map(\.latinCharacter)
      switch layout {
      // The comma of ru is a letter, and Shift and 1 type no letter anywhere.
      case "us,ru", "ru,us": #expect(latin == ["c", "a", ",", "", "q"])
      case "fr,ru": #expect(latin == ["c", "q", ";", "", "a"])
      // The comma of Greek is a comma already.
      case "ru", "gr", "gr,de", "us,gr", "il": #expect(latin == ["c", "a", "", "", "q"])
      default: #expect(latin == ["", "", "", "", ""])
      }
      #expect(stage.keys.first?.modifiers == .control)
    }

    @Test("a thousand fingers, in wild places, begin, move and end once, and those of a hidden window are cancelled")
    func touches() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let window = shownWindow(stage)
      func touch(_ number: UInt32, _ phase: Touch.Phase, _ x: Int, emulated: Bool = false) {
        let input = XInput(window: window.rawValue, detail: 0, time: 1, state: 0, location: Point(x: x, y: -x))
        stage.platform.handle(
          .device(DeviceEvent(kind: .touch(phase), source: 4, input: input, touch: number, isEmulated: emulated)))
      }
      let numbers = (0..<1000).map { UInt32.max - $0 }
      for number in numbers { touch(number, .began, 32_767) }
      for number in numbers { touch(number, .began, 32_767) }
      for number in numbers { touch(number, .moved, -32_768) }
      for number in numbers { touch(number, .moved, -32_768) }
      for number in numbers.prefix(400) { touch(number, .ended, 0) }
      touch(3, .moved, 5)
      touch(3, .ended, 5)
      stage.perform(.withdraw(window))
      #expect(stage.run { !stage.isVisible(window) })
      var counts: [Touch.Phase: Int] = [:]
      for case .touch(let touch) in inputs(stage, window) { counts[touch.phase, default: 0] += 1 }
      #expect(counts == [.began: 1000, .moved: 1000, .ended: 400, .cancelled: 600])
      #expect(stage.platform.parts.input.pointer.touches.isEmpty)
    }

    @Test("key codes out of range and events of windows that are not ours change nothing")
    func wildKeys() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let window = shownWindow(stage)
      for code in [UInt8(0), 7, 255] {
        for id in [window.rawValue, 0, 12] {
          let input = XInput(
            window: id, detail: code, time: 0, state: .max, location: Point(x: .max, y: .min))
          stage.platform.handle(.key(input, isDown: true))
          stage.platform.handle(.key(input, isDown: false))
          stage.platform.handle(.button(input, isDown: true))
          stage.platform.handle(.motion(input))
        }
      }
      #expect(stage.run { stage.keys.count == 6 })
      #expect(stage.keys.allSatisfy { $0.characters.isEmpty })
    }

    @Test(
      "under openbox, the press that gives the focus comes once, and the wheel turns in an unfocused window",
      .enabled(if: TestServer.exists("openbox")))
    func clickToFocus() throws {
      let server = try #require(TestServer())
      let manager = try #require(try server.launchOpenbox())
      defer { manager.end() }
      let stage = try Recording(server)
      #expect(
        stage.run { stage.platform.parts.context.windows.root.name == "Openbox" && stage.windowManager == .settled })
      let first = shownWindow(stage)
      let second = stage.makeWindow("second") { $0.position = Point(x: 700, y: 500) }
      stage.perform(.show(second, .activated))
      #expect(stage.run { stage.isFocused(second) && !stage.isFocused(first) })
      server.run("xdotool", "mousemove", "150", "150", "click", "5")
      #expect(stage.run { !scrolls(stage, first).isEmpty })
      #expect(!stage.isFocused(first) && scrolls(stage, first).map(\.deltaY) == [1])
      server.run("xdotool", "click", "1")
      #expect(stage.run { stage.isFocused(first) && buttons(stage, first).count == 2 })
      #expect(buttons(stage, first).map(\.isDown) == [true, false])
    }
  }
}
