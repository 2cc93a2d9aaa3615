import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// What is remembered as the user's own rectangle, from logs.
///
/// `restedBriefly` and `rested` stand where the timers fire: 100 and 500 ms after the last `.startResting`.
@Suite("The rectangle that a window goes back to")
struct PlacementModelTests {
  /// A window under openbox, mapped and framed at 100, 50.
  private static let shown = """
    desktop monitors 0 0 1152 900
    desktop windowManager present Openbox
    desktop currentDesktop 0
    0xa created 100 50 640 480
    0xa showRequested
    0xa reparented 0xf0 frame
    0xa ancestors 0xf0:mapped
    0xa configured 100 50 640 480 absolute
    0xa translated 0 0
    0xa mapped
    0xa wmState 1
    0xa netState none
    0xa desktop 0
    --
    0xa rested
    --

    """
  private static let first = Rect(x: 100, y: 50, width: 640, height: 480)
  private static let second = Rect(x: 300, y: 200, width: 500, height: 400)

  private func geometry(_ log: String) -> WindowGeometry? {
    let replay = WindowReplay(Self.shown + log)
    #expect(replay.errors == [])
    return replay.windows[WindowID(rawValue: 0xa)]?.geometry(root: replay.root)
  }

  @Test("is where the user has put the window, once it rests there")
  func moved() {
    let move = "0xa configured 300 200 500 400 absolute\n"
    #expect(geometry("")?.normalFrame == Self.first)
    #expect(geometry(move)?.normalFrame == Self.first)
    #expect(geometry(move + "0xa rested")?.normalFrame == Self.second)
    #expect(geometry(move + "0xa rested")?.frame == Self.second)
  }

  @Test(
    "is not that of a state, in whatever order and batches its parts come",
    arguments: [
      "maximizedHorizontally,maximizedVertically", "maximizedVertically", "fullScreen", "hidden",
      "hidden,maximizedHorizontally,maximizedVertically", "shaded",
    ], ["", "--\n", "--\n0xa keyPress\n--\n"])
  func states(state: String, between: String) {
    let (on, off) = ("0xa netState \(state)\n", "0xa netState none\n")
    let (large, small) = ("0xa configured 0 19 1152 881 absolute\n", "0xa configured 100 50 640 480 absolute\n")
    let rest = "--\n0xa rested\n--\n"
    for there in [on + between + large, large + between + on] {
      #expect(geometry(there)?.normalFrame == Self.first)
      #expect(geometry(there + rest)?.normalFrame == Self.first)
      for back in [off + between + small, small + between + off] {
        #expect(geometry(there + rest + back)?.normalFrame == Self.first)
        #expect(geometry(there + rest + back + rest)?.normalFrame == Self.first)
        #expect(geometry(there + back + rest)?.normalFrame == Self.first)
      }
    }
  }

  @Test("is not where a window manager puts windows out of sight, of which no screen has a part")
  func parked() {
    let parked = "0xa configured -1280 50 640 480 absolute\n--\n0xa restedBriefly\n--\n0xa rested\n--\n"
    #expect(geometry(parked)?.normalFrame == Self.first)
    #expect(geometry(parked + "0xa configured 300 200 500 400 absolute\n--\n0xa rested")?.normalFrame == Self.second)
  }

  @Test(
    "is not that of an icon, of a window withdrawn, unmapped, in an unmapped frame or not asked about yet",
    arguments: [
      "0xa wmState 3", "0xa wmState 0", "0xa unmapped", "0xa withdrawn", "0xa ancestorUnmapped 0xf0",
      "0xa configured 3 4 500 400 relative",
    ])
  func hidden(signal: String) {
    let move = "0xa configured 300 200 500 400 absolute\n"
    #expect(geometry(signal + "\n" + move + "--\n0xa rested")?.normalFrame == Self.first)
    #expect(geometry(move + signal + "\n--\n0xa rested")?.normalFrame == Self.first)
  }

  @Test(
    "is where the user has put a window that was hidden soon after",
    arguments: [
      "0xa wmState 3", "0xa wmState 0", "0xa unmapped", "0xa withdrawn", "0xa ancestorUnmapped 0xf0",
      "0xa netState hidden", "0xa desktop 1\n--\n0xa unmapped",
    ])
  func movedAndHidden(signal: String) {
    let move = "0xa configured 300 200 500 400 absolute\n--\n"
    let brief = "0xa restedBriefly\n--\n"
    #expect(geometry(move + brief)?.normalFrame == Self.first)
    #expect(geometry(move + brief + signal)?.normalFrame == Self.second)
    #expect(geometry(move + brief + signal + "\n0xa rested")?.normalFrame == Self.second)
    // Not where it was only passing, whether before or after the short rest.
    let passing = "0xa configured 310 210 500 400 absolute\n"
    #expect(geometry(move + brief + passing + signal)?.normalFrame == Self.first)
    #expect(geometry(move + brief + "0xa configured 7 8 500 400 relative\n" + signal)?.normalFrame == Self.first)
    // Nor where a window manager moves what it hides or has hidden.
    #expect(geometry(move + signal + "\n" + brief)?.normalFrame == Self.first)
    #expect(geometry(signal + "\n" + move + brief)?.normalFrame == Self.first)
    #expect(geometry(move + brief + signal + "\n" + passing + brief + "0xa rested")?.normalFrame == Self.second)
  }

  @Test("is where the user has put a window that came back with HIDDEN left on it, and what it had before a state")
  func movedWithHiddenLeft() {
    let back = """
      0xa netState hidden
      0xa unmapped
      0xa wmState 3
      --
      0xa mapped
      0xa wmState 1
      --

      """
    let move = "0xa configured 300 200 500 400 absolute\n--\n"
    #expect(geometry(back + move)?.normalFrame == Self.first)
    #expect(geometry(back + move + "0xa rested")?.normalFrame == Self.second)
    #expect(geometry(back + move + "0xa restedBriefly\n0xa unmapped")?.normalFrame == Self.second)
    let large = "0xa netState hidden,fullScreen\n0xa configured 0 0 1152 900 absolute\n--\n0xa rested\n"
    #expect(geometry(back + large)?.normalFrame == Self.first)
    // And it is still not that of an icon.
    #expect(geometry(back + "0xa unmapped\n0xa wmState 3\n" + move + "0xa rested")?.normalFrame == Self.first)
  }

  @Test(
    "is not that of a state that is announced after the short rest, whatever follows",
    arguments: ["maximizedHorizontally,maximizedVertically", "hidden,maximizedVertically", "fullScreen", "shaded"])
  func lateState(state: String) {
    let large = "0xa configured 0 19 1152 881 absolute\n--\n0xa restedBriefly\n--\n"
    let (on, hide) = ("0xa netState \(state)\n--\n", "0xa wmState 3\n0xa unmapped\n--\n")
    #expect(geometry(large + on + hide)?.normalFrame == Self.first)
    #expect(geometry(large + on + "0xa rested\n" + hide)?.normalFrame == Self.first)
  }

  @Test(
    "is where a window is put back that stays as large as a state made it",
    arguments: ["fullScreen", "maximizedVertically"])
  func leftLarge(state: String) {
    let large = "0xa netState \(state)\n0xa configured 0 19 1152 881 absolute\n--\n"
    let off = "0xa netState none\n--\n"
    func back(_ log: String) -> Rect? {
      let replay = WindowReplay(Self.shown + log)
      var model = replay.windows[WindowID(rawValue: 0xa)]
      return model?.takePlaceToGoBackTo(root: replay.root)
    }
    #expect(back(large) == nil)
    #expect(back(large + off) == Self.first)
    // It is put somewhere else by the window manager, or by the user, or is hidden.
    #expect(back(large + off + "0xa configured 100 50 640 480 absolute\n") == nil)
    #expect(back(large + off + "0xa configured 9 19 1152 881 absolute\n") == nil)
    #expect(back(large + off + "0xa wmState 3\n") == nil)
    #expect(back(large + "desktop windowManagerChanged reparented\n" + off) == nil)
    // It is resized by the user before the window manager ends the state.
    let resized = large + "0xa configured 0 19 900 700 absolute\n--\n" + off
    #expect(back(resized) == nil)
    #expect(back(resized + "0xa rested\n--\n" + large + off) == Rect(x: 0, y: 19, width: 900, height: 700))
    // A window of that size without a state was given it.
    #expect(back("0xa configured 0 19 1152 881 absolute\n") == nil)
  }

  @Test("is not what a window manager's death or change does")
  func managers() {
    let death = """
      desktop windowManagerChanged reparented
      0xa reparented 0x1 root
      0xa configured 95 30 640 480 absolute
      0xa translated 0 0
      0xa mapped
      --
      0xa rested
      --
      desktop windowManager absent -
      0xa windowManagerLost
      desktop windowManagerSettled
      0xa rested
      --

      """
    let next = """
      desktop windowManagerChanged reparented
      desktop windowManager present Xfwm4
      0xa reparented 0xf1 frame
      0xa ancestors 0xf1:mapped
      0xa configured 100 74 640 480 absolute
      0xa translated 0 0
      0xa wmState 1
      --
      desktop windowManagerSettled
      0xa rested
      0xa netState hidden
      0xa netState none
      0xa rested
      --

      """
    #expect(geometry(death)?.normalFrame == Self.first)
    #expect(geometry(death + next)?.normalFrame == Self.first)
    // And what the user does then counts again.
    #expect(geometry(death + next + "0xa restedBriefly\n0xa unmapped")?.normalFrame == Self.first)
    let move = "0xa configured 300 200 500 400 absolute\n"
    #expect(geometry(move + "0xa restedBriefly\n" + death)?.normalFrame == Self.first)
    #expect(geometry(death + next + move + "0xa rested")?.normalFrame == Self.second)
  }

  @Test("is what the window comes back with, wherever a window manager puts it, until the user moves it")
  func comesBack() {
    let log = Self.shown.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      switch line {
      case "0xa showRequested": "0xa placed\n0xa showRequested"
      case "0xa configured 100 50 640 480 absolute": "0xa configured 102 68 640 480 absolute"
      default: String(line)
      }
    }.joined(separator: "\n")
    func geometry(_ more: String, of log: String = log) -> WindowGeometry? {
      let replay = WindowReplay(log + more)
      #expect(replay.errors == [])
      return replay.windows[WindowID(rawValue: 0xa)]?.geometry(root: replay.root)
    }
    #expect(geometry("")?.frame.origin == Point(x: 102, y: 68))
    #expect(geometry("")?.normalFrame == Self.first)
    #expect(geometry("0xa wmState 3\n0xa wmState 1\n0xa rested")?.normalFrame == Self.first)
    let (move, rest) = ("0xa configured 300 200 500 400 absolute\n", "0xa rested\n")
    #expect(geometry(move + rest)?.normalFrame == Self.second)
    let hide = "0xa restedBriefly\n0xa wmState 3\n"
    #expect(geometry(move + hide)?.normalFrame == Self.second)
    // And what the user does with a window that has just come counts, too, a correction of the window manager does not.
    let arriving = String(log.dropLast("0xa rested\n--\n".count))
    #expect(geometry(rest + move + rest, of: arriving)?.normalFrame == Self.second)
    #expect(geometry(move + rest + rest, of: arriving)?.normalFrame == Self.second)
    #expect(geometry("0xa configured 110 70 640 480 absolute\n" + rest + rest, of: arriving)?.normalFrame == Self.first)
    #expect(geometry(hide, of: arriving)?.normalFrame == Self.first)
  }

  @Test("is where the user moves the window to soon after it has come back, also by a little, or just before an icon")
  func movedSoon() {
    let placed = Self.shown.replacing("0xa showRequested", with: "0xa placed\n0xa showRequested")
    let arriving = String(placed.dropLast("0xa rested\n--\n".count))
    func geometry(_ log: String) -> WindowGeometry? {
      let replay = WindowReplay(arriving + log)
      #expect(replay.errors == [])
      return replay.windows[WindowID(rawValue: 0xa)]?.geometry(root: replay.root)
    }
    let (brief, rest) = ("0xa restedBriefly\n", "0xa rested\n")
    let (little, hide) = ("0xa configured 129 43 640 480 absolute\n", "0xa wmState 3\n0xa unmapped\n")
    let moved = Rect(x: 129, y: 43, width: 640, height: 480)
    // Where the window has been for a moment where it was asked to be, nothing is left to correct.
    #expect(geometry(brief + little + brief + rest)?.normalFrame == moved)
    #expect(geometry(brief + little + brief + hide)?.normalFrame == moved)
    #expect(geometry(little + brief + rest)?.normalFrame == Self.first)
    // A long way is the user's at once.
    let (far, there) = ("0xa configured 300 200 640 480 absolute\n", Rect(x: 300, y: 200, width: 640, height: 480))
    #expect(geometry(far + brief + hide)?.normalFrame == there)
    #expect(geometry(brief + far + brief + hide + rest)?.normalFrame == there)
    #expect(geometry(far + hide + rest)?.normalFrame == Self.first)
    // Another size may be what the window manager makes of it, and has to rest for longer.
    let tiled = "0xa configured 2 18 1148 860 absolute\n"
    #expect(geometry(tiled + brief + rest)?.normalFrame == Self.first)
  }

  @Test("is where an icon of an earlier run was moved to at once when it was shown")
  func iconComesBack() {
    let iconic = Self.shown.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      switch line {
      case "0xa showRequested": ["0xa placed", String(line)]
      case "0xa wmState 1": ["0xa wmState 3", "0xa unmapped"]
      case "0xa netState none": ["0xa netState hidden"]
      default: [String(line)]
      }
    }.joined(separator: "\n")
    let log = """
      0xa mapped
      0xa wmState 1
      0xa netState none
      --
      0xa configured 300 200 500 400 absolute
      --
      0xa rested
      --
      0xa rested
      """
    let replay = WindowReplay(iconic + log)
    #expect(replay.errors == [])
    #expect(replay.windows[WindowID(rawValue: 0xa)]?.geometry(root: replay.root).normalFrame == Self.second)
  }

  @Test("is what the program says before the window is shown")
  func notShown() {
    let replay = WindowReplay("0xa created 1 2 30 40\n0xa configured 300 200 500 400 absolute\n0xa netState fullScreen")
    let model = replay.windows[WindowID(rawValue: 0xa)]
    #expect(model?.geometry(root: replay.root).normalFrame == Self.second)
  }

  @Test("has a timer only where it may change")
  func timer() {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    _ = subject.window.apply(.translated(Shorthand.onScreen.origin), root: subject.root)
    _ = subject.window.apply(.rested, root: subject.root)
    func effects(_ signal: WindowSignal) -> [WindowModel.Effect] {
      subject.window.apply(signal, root: subject.root)
    }
    #expect(effects(.wmState(1)) == [])
    #expect(effects(.keyPress) == [])
    #expect(effects(.configured(Self.second, isAbsolute: true)) == [.startResting])
    #expect(effects(.configured(Self.second, isAbsolute: true)) == [])
    #expect(effects(.netState(.fullScreen)) == [])
    #expect(effects(.netState([])) == [.startResting])
    #expect(effects(.rested) == [])
    #expect(effects(.netState(.shaded)) == [])
    #expect(effects(.netState([])) == [])
  }

  @Test(
    "comes with the desktop: all of them is -1, and none is nil",
    arguments: [("0xa desktop 3", 3), ("0xa desktop 0xffffffff", -1), ("0xa desktop -", nil)] as [(String, Int?)])
  func root(signal: String, expected: Int?) {
    #expect(geometry(signal)?.desktop == expected)
    #expect(geometry(signal + "\ndesktop windowManager absent -")?.desktop == nil)
  }
}
