import ProsceniumCore
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// What holds after any signals in any order.
@Suite("Whatever a window hears")
struct WalkTests {
  /// The invariants that do not hold.
  private func broken(_ window: WindowModel, _ root: RootModel) -> [String] {
    let levels = window.levels(root: root)
    let managerRules: [LevelCause] = ["wm-state", "hidden-latch", "showing-desktop", "other-desktop"]
    let isShown = window.isMapped && !levels.isWithdrawn
    let invariants = [
      ("visible by the one rule that means it", levels.visible == (levels.visibleCause == "viewable")),
      ("visible only while mapped with all frames", !levels.visible || isShown && window.isViewable),
      ("focused only while mapped", !levels.focused || isShown),
      ("grabbed only while focused", !levels.grabbed || levels.focused),
      ("unmapped without keys and occlusion", window.isMapped || !window.acceptsKeys && !levels.occluded),
      ("withdrawn as the model says", levels.isWithdrawn == window.isWithdrawn),
      ("a function of model and desktop", levels == window.levels(root: root)),
      ("no manager's rule without a manager", root.isManaged || !managerRules.contains(levels.visibleCause)),
    ]
    return invariants.filter { !$0.1 }.map(\.0)
  }

  private func check(_ window: WindowModel, _ root: RootModel, after what: @autoclosure () -> String) {
    let failures = broken(window, root)
    if !failures.isEmpty { Issue.record("\(failures) after \(what())") }
  }

  @Test("the invariants hold, on seeded walks", arguments: testSeeds(200, test: "walk"))
  func walk(seed: UInt64) {
    var walk = SignalWalk(seed: seed)
    var windows = [WindowModel(), WindowModel()]
    var root = RootModel()
    var entries: [WindowLog.Entry] = []
    for _ in 0..<150 {
      if walk.number(below: 5) == 0 {
        let signal = walk.rootSignal()
        entries.append(.root(signal))
        if root.apply(signal, windows: windows).contains(.discardManagerProperties) {
          for index in windows.indices { _ = windows[index].apply(.windowManagerLost, root: root) }
        }
      } else {
        let index = walk.number(below: 2)
        var signal = walk.windowSignal()
        // Most walks are long lives, in which the window is shown for most of the time.
        if signal == .destroyed && walk.number(below: 10) != 0 { signal = .mapped }
        if signal == .withdrawn && walk.number(below: 3) != 0 { signal = .showRequested }
        let before = windows[index]
        _ = before.windowManagerSign(in: signal, root: root, isForeign: false)
        _ = windows[index].apply(signal, root: root)
        if before.isDestroyed && windows[index] != before { Issue.record("\(signal) changed a destroyed window") }
        entries.append(.window(WindowID(rawValue: UInt32(index + 1)), signal))
      }
      for window in windows { check(window, root, after: WindowLog.text(entries)) }
    }
    // And the walk's log, read back, ends where the walk ended.
    let replay = WindowReplay(WindowLog.text(entries))
    #expect(replay.errors.isEmpty)
    #expect(replay.root == root)
    for (index, window) in windows.enumerated() {
      let replayed = replay.windows[WindowID(rawValue: UInt32(index + 1))] ?? WindowModel()
      #expect(replayed == window)
    }
  }

  @Test("the invariants hold after every pair of signals", arguments: [true, false])
  func pairs(managed: Bool) {
    let start = Subject(Shorthand.shown("KWin", framed: true) + Shorthand.entries(managed ? "" : "WM-"))
    for first in SignalWalk.windowSignals {
      var one = start
      _ = one.window.apply(first, root: one.root)
      for second in SignalWalk.windowSignals {
        var two = one
        _ = two.window.apply(second, root: two.root)
        check(two.window, two.root, after: "\(first) \(second)")
        if first == .destroyed && two.window != one.window { Issue.record("\(second) changed a destroyed window") }
      }
    }
  }

  @Test("a walk does show windows and give them the focus: the invariants are not empty")
  func walksAreAlive() {
    var causes: Set<LevelCause> = []
    var seen: [String: Int] = [:]
    for seed in testSeeds(200) {
      var walk = SignalWalk(seed: seed)
      var subject = Subject(Shorthand.shown("KWin", framed: true))
      for _ in 0..<60 {
        if walk.number(below: 5) == 0 {
          subject.take([.root(walk.rootSignal())])
        } else {
          let signal = walk.windowSignal()
          subject.take([.window(WindowID(rawValue: 1), signal == .destroyed ? .mapped : signal)])
        }
        let levels = subject.levels
        causes.insert(levels.visibleCause)
        if levels.visible { seen["visible", default: 0] += 1 }
        if levels.focused { seen["focused", default: 0] += 1 }
        if levels.grabbed { seen["grabbed", default: 0] += 1 }
        if levels.occluded { seen["occluded", default: 0] += 1 }
      }
    }
    #expect(seen.count == 4 && seen.values.allSatisfy { $0 > 20 })
    #expect(causes.union(["destroyed"]) == Set(VisibilityRule.allCases.map(\.rawValue)))
  }
}
