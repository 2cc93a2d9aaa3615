import ProsceniumCore
import TestSupport

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Signals drawn at random from a seed: the same seed, the same walk.
struct SignalWalk {
  private var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed) }

  mutating func number(below limit: Int) -> Int { Int(numbers.next() % UInt64(limit)) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }

  mutating func windowSignal() -> WindowSignal { pick(Self.windowSignals) }

  mutating func rootSignal() -> RootSignal { pick(Self.rootSignals) }

  private static let rects = [
    Shorthand.onScreen, Shorthand.offScreen, Rect(x: 0, y: 0, width: 0, height: 0),
    Rect(x: .min, y: .max, width: .max, height: .max),
  ]
  private static let frames: [[WindowSignal.Ancestor]] = [
    [], [.init(window: 0xF0, isMapped: true)], [.init(window: 0xF0, isMapped: false)],
    [.init(window: 0xF1, isMapped: true), .init(window: 0xF0, isMapped: false)],
  ]

  /// One or more of every case: the pairs of them are a grid small enough to try whole.
  static let windowSignals: [WindowSignal] =
    [
      .showRequested, .withdrawn, .mapped, .unmapped, .destroyed, .reparented(parent: 1, parentIsRoot: true),
      .reparented(parent: 0xF0, parentIsRoot: false), .reparented(parent: 0xF1, parentIsRoot: false),
      .ancestorMapped(0xF0), .ancestorUnmapped(0xF0), .ancestorReparented(0xF0), .ancestorDestroyed(0xF1),
      .wmState(nil), .wmState(0), .wmState(1), .wmState(3), .wmState(.max), .netState(nil), .netState([]),
      .netStateAnnounced, .netState(.hidden), .netState([.hidden, .hiddenTwice]),
      .netState([.hidden, .shaded]), .netState(.init(rawValue: 0xFF)), .netState(.fullScreen),
      .netStateFound(nil), .netStateFound([]), .netStateFound(.hidden),
      .workspace(nil), .workspace(0), .workspace(1), .workspace(.max), .desktopsAbove([]),
      .desktopsAbove([Shorthand.monitor]), .translated(Point(x: 1, y: 2)), .translated(Point(x: .max, y: .min)),
      .keyPress, .exposed, .windowManagerLost, .restedBriefly, .rested,
    ]
    + rects.flatMap { [.created($0), .configured($0, isAbsolute: true), .configured($0, isAbsolute: false)] }
    + frames.map { .ancestors($0) } + WindowSignal.Visibility.allCases.map { .visibility($0) }
    + WindowSignal.Mode.allCases.flatMap { mode in
      WindowSignal.Detail.allCases.flatMap { detail in
        [
          .focusIn(mode, detail), .focusOut(mode, detail), .enter(mode, detail, focus: true),
          .enter(mode, detail, focus: false), .leave(mode, detail, focus: true), .leave(mode, detail, focus: false),
        ]
      }
    }

  static let rootSignals: [RootSignal] =
    [
      .windowManager(present: true, name: nil), .windowManager(present: true, name: "KWin"),
      .windowManager(present: true, name: "i3"), .windowManager(present: true, name: ""),
      .windowManager(present: true, name: "a b\n\\u{41}\"-é\u{2028}"), .windowManager(present: true, name: "-"),
      .windowManager(present: false, name: nil), .windowManagerChanged(cause: "some selection"),
      .windowManagerSettled, .supports(activeWindow: true, hidden: false), .supports(activeWindow: false, hidden: true),
      .currentWorkspace(nil),
      .currentWorkspace(0), .currentWorkspace(1), .showingDesktop(true), .showingDesktop(false), .monitors([]),
      .monitors([Shorthand.monitor]), .monitors(rects), .workspaceRuleDue,
    ]
}
