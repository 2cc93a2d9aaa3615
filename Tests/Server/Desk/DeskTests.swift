import DeskSupport
import Glibc
import ProsceniumDeskTrait
import Testing

/// The kit's public part, as tests of programs use it.
@Suite("A desk", .desktop(.openbox), .serialized) struct DeskTests {
  let desk: Desk

  init() throws { desk = try .current }

  @Test("What is typed arrives key by key, with Shift where it is needed, and chords as they are")
  func typing() async throws {
    let typist = try Typist(display: desk.server.display)
    try await desk.waitUntil("the window") { desk.truth(typist.window).expectedState > .background }
    desk.focus(typist.window)
    try await desk.waitUntil("the focus") { desk.truth(typist.window).hasFocus }
    try desk.type("Hi, x!\n")
    try desk.press("q", .control)
    try desk.press(.function(5), [.alt, .shift])
    try await waitFor("the keys") { typist.keys.count >= 14 ? () : nil }
    let shift = "0xffe1"
    #expect(
      typist.keys == [
        shift, "shift+H", "i", ",", " ", "x", shift, "shift+!", "0xff0d", "0xffe3", "control+q", shift,
        "shift+0xffe9", "shift+alt+0xffc2",
      ])
    #expect(throws: DeskFailure.self) { try desk.press("\u{4E2D}") }
    // Neither half of a character, nor a key that has nothing written on it
    #expect(throws: DeskFailure.self) { try desk.type("e\u{301}") }
    #expect(throws: DeskFailure.self) { try desk.press(DeskKey(symbol: 0)) }
    let count = typist.keys.count
    try desk.type("z")
    try await waitFor("the last key") { typist.keys.count > count ? () : nil }
    #expect(typist.keys.dropFirst(14) == ["z"])
  }

  @Test("A click goes to the point of the window")
  func clicking() async throws {
    let typist = try Typist(display: desk.server.display)
    // Until it has the focus it may still be put into its frame.
    try await desk.waitUntil("the focus") { desk.truth(typist.window).hasFocus }
    let place = try #require(desk.place(of: typist.window))
    let expected = [[7, 9], [place.width / 2, place.height / 2]]
    // One after the other: of two clicks in the same millisecond openbox may take the second for itself.
    for (count, point) in [(1, (7, 9)), (2, nil as (Int, Int)?)] {
      try desk.click(typist.window, x: point?.0, y: point?.1)
      try await waitFor("click \(count)", evidence: { "\(typist.clicks)" }) { typist.clicks.count >= count ? () : nil }
    }
    #expect(typist.clicks == expected)
    #expect(throws: DeskFailure.self) { try desk.click(1) }
  }

  @Test("The windows are listed without frames, with titles and places")
  func view() async throws {
    let window = desk.client.makeWindow {
      desk.client.setProperty($0, "WM_NAME", type: "STRING", format: 8, bytes: Array("A title".utf8))
    }
    try await desk.waitUntil("the window") { desk.truth(window).expectedState > .background }
    #expect(desk.windows == [window])
    #expect(desk.title(of: window) == "A title")
    let place = Place(100, 120, 300, 200)
    desk.move(window, to: place)
    try await desk.waitUntil("the place") { desk.place(of: window).map { [$0.width, $0.height] } == [300, 200] }
    #expect(desk.view.contains("\"A title\" 300x200+") && desk.view.contains("foreground"))
    desk.destroy(window)
    #expect(desk.windows == [])
  }

  @Test("A wait in vain says what for, and shows the windows")
  func vain() async throws {
    let window = desk.client.makeWindow()
    try await desk.waitUntil("the window") { desk.truth(window).expectedState > .background }
    let failure = await #expect(throws: DeskFailure.self) {
      try await desk.waitUntil("the moon", limit: .milliseconds(20)) { false }
    }
    #expect(failure?.summary == "waited 0.02 seconds for the moon")
    #expect(failure?.evidence.contains("0x" + String(window, radix: 16)) == true)
    let file = "ServerTests/DeskTests.swift"
    let line = Int(#line) + 1
    let placed = await #expect(throws: DeskFailure.self) { try await desk.waitUntil("it", limit: .zero) { false } }
    #expect(placed?.location == "\(file):\(line)")
    #expect(placed?.description.hasPrefix("\(placed?.summary ?? ""), at \(file):\(line)\n") == true)
    let program = try desk.start("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"])
    let early = await #expect(throws: DeskFailure.self) { try await program.waitForScene(toBe: .background) }
    #expect(early?.summary == "the program ended (exited(3)) before scene 0 to be background")
    #expect(early?.location == "\(file):\(line + 4)")
    let settled = await #expect(throws: DeskFailure.self) { try await desk.waitUntilSettled(program) }
    #expect(settled?.location == "\(file):\(line + 7)")
    #expect(early?.evidence.contains("out\n") == true && early?.evidence.contains("err\n") == true)
  }

  @Test("What the threads of a program do that ends slowly is part of the evidence")
  func slowEnd() async throws {
    let program = try desk.start("sleep", ["600"])
    async let ending = program.end()
    try await desk.waitUntil("its threads in the evidence") { program.evidence.contains("comm: sleep\n") }
    program.send(SIGKILL)
    #expect(try await ending == .signalled(SIGKILL))
  }

  @Test("A program that has launched, and has no scene yet, has not settled")
  func noScene() async throws {
    let line = #"{"t":1,"pid":1,"kind":"launch"}"#
    // Longer than what is quiet.
    let program = try desk.start("/bin/sh", ["-c", "echo '\(line)' >\"$PROSCENIUM_TRACE\"; sleep 2"])
    let failure = await #expect(throws: DeskFailure.self) { try await desk.waitUntilSettled(program) }
    #expect(failure?.summary == "the program ended (exited(0)) before agreement, settled")
  }

  @Test("What a window manager cannot do is an error that says why", .desktop(.i3))
  func limits() async throws {
    let window = desk.client.makeWindow()
    #expect(desk.windowManager == .i3)
    try await desk.waitUntil("the window") { desk.truth(window).expectedState > .background }
    // Its frame is no window of a program, though it says whose it is.
    let names = desk.windows.map { desk.client.text($0, "WM_CLASS") ?? "" }
    #expect(desk.windows.contains(window) && !names.contains { $0.hasPrefix("i3-frame") }, "\(names)")
    let failure = #expect(throws: DeskFailure.self) { try desk.minimize(window) }
    #expect(failure?.summary.contains("i3 answers a request for the iconic state with the normal one") == true)
    try await desk.goToDesktop(1)
    try await desk.waitUntil("the other desktop") { desk.truth(window).expectedState == .background }
  }

  @Test("A desktop that cannot be, and a second window manager, are refused before anything happens")
  func refusals() async throws {
    let window = desk.client.makeWindow()
    try await desk.waitUntil("the window") { desk.truth(window).expectedState > .background }
    await #expect(throws: DeskFailure.self) { try await desk.goToDesktop(-1) }
    await #expect(throws: DeskFailure.self) { try await desk.send(window, toDesktop: -1) }
    let failure = await #expect(throws: DeskFailure.self) { try await desk.goToDesktop(7) }
    #expect(failure?.summary == "there is no desktop 7 under openbox; the last is 3")
    await #expect(throws: DeskFailure.self) { try await desk.send(window, toDesktop: 7) }
    await #expect(throws: DeskFailure.self) { try await desk.startWindowManager(.openbox) }
    // The first one is at work
    try await desk.goToDesktop(1)
    try await desk.waitUntil("the other desktop") { desk.truth(window).expectedState == .background }
  }

  @Test("There are as many desktops as the window manager says")
  func moreDesktops() async throws {
    let window = desk.client.makeWindow()
    try await desk.waitUntil("the window") { desk.truth(window).expectedState > .background }
    desk.client.ask(desk.client.root, "_NET_NUMBER_OF_DESKTOPS", [8])
    try await desk.waitUntil("eight desktops") {
      desk.client.longs(desk.client.root, "_NET_NUMBER_OF_DESKTOPS", type: "CARDINAL") == [8]
    }
    try await desk.goToDesktop(7)
    try await desk.waitUntil("the last desktop") { desk.truth(window).expectedState == .background }
  }

  @Test("The desktop is shown, and the windows come back")
  func showingTheDesktop() async throws {
    let window = desk.client.makeWindow()
    try await desk.waitUntil("the window") { desk.truth(window).expectedState > .background }
    try desk.setShowsDesktop(true)
    try await desk.waitUntil("the desktop") { desk.truth(window).expectedState == .background }
    try desk.setShowsDesktop(false)
    try await desk.waitUntil("the window again") { desk.truth(window).expectedState > .background }
  }

  @Test("A picture of the screen has its pixels")
  func picture() async throws {
    let bytes = try desk.screenshot()
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    // The size, in the header (PNG, 11.2.2).
    #expect(Array(bytes[16..<24]) == [0, 0, 1152 >> 8, 1152 & 0xFF, 0, 0, 900 >> 8, 900 & 0xFF])
    // Each row has a byte more than its pixels.
    #expect(bytes.count > 900 * (1 + 3 * 1152))
  }

  @Test("A window manager that is killed leaves the windows, and another may come")
  func killing() async throws {
    let window = desk.client.makeWindow()
    try await desk.waitUntil("the window") { desk.truth(window).wmState == 1 }
    try await desk.killWindowManager()
    #expect(desk.windowManager == .none && !desk.truth(window).windowManagerRuns)
    try await desk.startWindowManager(.openbox)
    try await desk.waitUntil("the window again") { desk.truth(window).expectedState > .background }
  }
}

@Suite("Window managers") struct WindowManagerTests {
  @Test("Each that is known can be named")
  func names() {
    let some: [WindowManager] = [.ratpoison, .ctwm, .mwm, .marco, .muffin, .dwm, .compiz, .sawfish, .wmaker, .sway]
    #expect(some.allSatisfy { WindowManager.named($0.name) == $0 })
  }

  @Test("One is installed where everything is that is used with it")
  func needs() {
    let missing = "proscenium-no-such-program"
    func isInstalled(_ change: (inout WindowManager) -> Void) -> Bool {
      var kind = WindowManager.none
      kind.command = ["sh"]
      change(&kind)
      return kind.isInstalled
    }
    #expect(isInstalled { $0.desktops = .commands(go: ["sh"], send: ["sh"]) })
    #expect(!isInstalled { $0.command = [missing] })
    #expect(!isInstalled { $0.companion = [missing] })
    #expect(!isInstalled { $0.desktops = .commands(go: [missing], send: ["sh"]) })
    #expect(!isInstalled { $0.desktops = .commands(go: ["sh"], send: [missing]) })
    #expect(isInstalled { $0.displayFile = ("display", "") } == (has("Xwayland") && has("xhost")))
  }

  private func has(_ program: String) -> Bool { DeskSupport.isInstalled(program) }
}

@Suite("PNGs without compression") struct PNGTests {
  @Test("Two pixels, byte for byte as zlib makes them of level 0")
  func tiny() {
    let expected: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
      0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x7B, 0x40, 0xE8, 0xDD, 0x00, 0x00, 0x00, 0x12, 0x49,
      0x44, 0x41, 0x54, 0x78, 0x01, 0x01, 0x07, 0x00, 0xF8, 0xFF, 0x00, 0xFF, 0x00, 0x00, 0x12, 0x34, 0x56, 0x06, 0xF5,
      0x01, 0x9C, 0x98, 0xA3, 0x69, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
    #expect(PNG.encode([0x00FF_0000, 0x0012_3456], width: 2) == expected)
  }
}
