import ProsceniumCore
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// The text form of signals, and logs run again.
@Suite("A log of what windows heard")
struct WindowLogTests {
  @Test("reads back what was written, for every signal")
  func roundTrip() {
    let entries: [WindowLog.Entry] =
      SignalWalk.windowSignals.map { .window(WindowID(rawValue: 0x40_0001), $0) }
      + SignalWalk.rootSignals.map { .root($0) } + [.batch]
    let lines = WindowLog.parse(WindowLog.text(entries))
    #expect(lines.map(\.entry) == entries.map { .success($0) })
    #expect(lines.map(\.number) == Array(1...entries.count))
  }

  @Test(
    "has a form that does not change",
    arguments: [
      (
        "0x400001 created -5 0 640 480",
        .window(WindowID(rawValue: 0x40_0001), .created(Rect(x: -5, y: 0, width: 640, height: 480)))
      ),
      ("0xa netState hidden,shaded", .window(WindowID(rawValue: 10), .netState([.hidden, .shaded]))),
      (
        "0xa ancestors 0xf0:mapped 0xf1:unmapped",
        .window(
          WindowID(rawValue: 10),
          .ancestors([.init(window: 0xF0, isMapped: true), .init(window: 0xF1, isMapped: false)]))
      ),
      ("0xa focusIn whileGrabbed nonlinear", .window(WindowID(rawValue: 10), .focusIn(.whileGrabbed, .nonlinear))),
      ("0xa leave grab ancestor no", .window(WindowID(rawValue: 10), .leave(.grab, .ancestor, focus: false))),
      ("0xa wmState -", .window(WindowID(rawValue: 10), .wmState(nil))),
      ("desktop windowManager present IceWM\\u{20}3", .root(.windowManager(present: true, name: "IceWM 3"))),
      ("desktop windowManager present -", .root(.windowManager(present: true, name: nil))),
      ("--", .batch),
    ] as [(String, WindowLog.Entry)])
  func form(line: String, entry: WindowLog.Entry) {
    #expect(WindowLog.line(entry) == line)
    #expect(WindowLog.parse(line).map(\.entry) == [.success(entry)])
  }

  @Test(
    "says what is wrong with a bad line, and reads the others",
    arguments: [
      "0xa", "0xa nonsense", "0xa mapped twice", "0xa wmState", "0xa wmState 4294967296", "0xa wmState -1",
      "0xa created 1 2 3", "0xa created 1 2 3 99999999999999999999", "0xa focusIn normal",
      "0xa focusIn normal sideways",
      "0xa reparented 0x1 somewhere", "0xa ancestors 0xf0", "0xa ancestors 0xf0:up", "0xa ancestors :mapped",
      "0xa netState hidden,", "0xa netState 0x100", "0xa netState purple", "0xa configured 1 2 3 4", "window mapped",
      "0x mapped", "0x1ffffffff mapped", "-1 mapped", "desktop", "desktop nonsense", "desktop windowManager present",
      "desktop windowManager present \\x", "desktop windowManager present \\u{110000}",
      "desktop windowManager present \\u{41", "desktop windowManager present \\u{}", "desktop monitors 1 2 3",
      "desktop windowManagerChanged -", "desktop showingDesktop maybe", "-- --", "\u{0}", "é mapped",
      "0xa \u{85}mapped",
    ])
  func badLines(line: String) {
    let lines = WindowLog.parse("# a comment\n\n0xa mapped\r\n\(line)\n  0xb\tunmapped  ")
    #expect(lines.count == 3)
    #expect(lines.first?.entry == .success(.window(WindowID(rawValue: 10), .mapped)))
    #expect(lines.last?.entry == .success(.window(WindowID(rawValue: 11), .unmapped)))
    guard lines.count == 3, case .failure(let error) = lines[1].entry else {
      Issue.record("read a bad line: \(line)")
      return
    }
    #expect(error.line == 4 && !error.reason.isEmpty)
  }

  @Test("of nothing says nothing", arguments: ["", "\n\n", "# only words", "  \t \r\n"])
  func empty(text: String) {
    #expect(WindowLog.parse(text).isEmpty)
    #expect(WindowReplay(text).steps.isEmpty)
  }

  @Test("survives bytes at random", arguments: testSeeds(50, test: "noise"))
  func noise(seed: UInt64) {
    var walk = SignalWalk(seed: seed)
    let words = [
      "0xa", "desktop", "mapped", "created", "-", "--", " ", "\n", "\r", "9", "\\u{", "}", "é", "#", ":", ",",
    ]
    let text = (0..<400).map { _ in walk.pick(words) + (walk.number(below: 2) == 0 ? " " : "") }.joined()
    let replay = WindowReplay(text)
    #expect(replay.errors.count <= text.utf8.count)
  }

  @Test("becomes the facts that a scene's life follows from")
  func summary() {
    let log = """
      # Openbox: shown, iconified, brought back
      desktop windowManager present Openbox
      0xa created 0 0 640 480
      0xa showRequested
      0xa reparented 0xf0 frame
      0xa ancestors 0xf0:mapped
      0xa mapped
      0xa wmState 1
      0xa focusIn normal nonlinear
      0xa netState hidden
      0xa unmapped
      0xa wmState 3
      0xa focusOut normal nonlinear
      0xa mapped
      0xa wmState 1
      0xa netState none
      0xa focusIn normal nonlinear
      0xa focusOut grab ancestor
      """
    let replay = WindowReplay(log)
    #expect(
      replay.summary == [
        "0xa visible true viewable", "0xa focused true focus-in", "0xa visible false hidden-latch",
        "0xa focused false unmapped", "0xa visible true viewable", "0xa focused true focus-in", "0xa grabbed true grab",
      ])
    #expect(replay.steps.first { $0.levels.visible }?.line == 7)
  }

  @Test("with batches is looked at where they end: a window that is framed anew never was hidden")
  func batches() {
    let shown = WindowLog.text(Shorthand.shown("Metacity", framed: true)) + "--\n"
    let framed = WindowLog.text(Shorthand.entries("Unmap R Map Unmap F Map [viewable]"))
    #expect(
      WindowReplay(shown + framed).summary == [
        "0xa visible true viewable", "0xa focused true focus-in", "0xa focused false unmapped",
      ])
    let perLine = WindowReplay((shown + framed).split(separator: "\n").filter { $0 != "--" }.joined(separator: "\n"))
    #expect(perLine.summary.contains("0xa visible false unmapped"))
  }

  @Test("with two windows tells which of them has the focus that moves during a grab")
  func twoWindows() {
    // Given two windows under one window manager, the first with the focus
    let first = Shorthand.shown("Openbox", framed: true, window: 0xA)
    let second = Shorthand.shown("Openbox", framed: true, window: 0xB) + Shorthand.entries("FO(N/Nl)", window: 0xB)
    // When another client grabs the keyboard, moves the focus, and ends the grab
    let log =
      first + second + Shorthand.entries("FO(Grab/An)") + [.batch]
      + Shorthand.entries("FO(WG/Nl)") + Shorthand.entries("FI(WG/Nl)", window: 0xB) + [.batch]
      + Shorthand.entries("FO(Ungrab/Pt)") + Shorthand.entries("FI(Ungrab/An)", window: 0xB) + [.batch]
    let replay = WindowReplay(WindowLog.text(log))
    // Then the grab goes with the focus, and ends where the focus is
    #expect(
      replay.summary == [
        "0xa visible true viewable", "0xa focused true focus-in", "0xa grabbed true grab", "0xb visible true viewable",
        "0xa focused false focus-out", "0xa grabbed false ungrab", "0xb focused true focus-in", "0xb grabbed true grab",
        "0xb grabbed false ungrab",
      ])
  }
}
