import ProsceniumPlatform
import TestSupport
import Testing

@testable import ProsceniumX11

/// What counts as a screen locker that tells nobody.
@Suite("Lockers that tell nobody") struct LockerTests {
  typealias Effect = LockerTracker.Effect
  private let window: Set<UInt32> = [7]

  private func tracker(_ signals: LockerTracker.Signal...) -> LockerTracker {
    var tracker = LockerTracker()
    for signal in signals { _ = tracker.apply(signal) }
    return tracker
  }

  @Test("A keyboard that is held for a while, and windows that cover the screen, are a lock until the windows go")
  func lock() {
    var tracker = LockerTracker()
    #expect(tracker.apply(.rootGrabbed(true)) == [.wait(400)])
    #expect(tracker.apply(.due) == [.ask])
    // Followed first, and believed when they are still there
    #expect(tracker.apply(.covers(window)) == [.follow(window), .ask])
    #expect(tracker.apply(.covers(window)) == [.report(.locked)])
    // The focus moves while the screen is locked
    #expect(tracker.apply(.rootGrabbed(false)) == [.cancelWait, .ask])
    #expect(tracker.apply(.covers(window)) == [] && tracker.state == .locked)
    #expect(tracker.apply(.gone(8)) == [])
    #expect(tracker.apply(.gone(7)) == [.ask])
    #expect(tracker.apply(.covers([])) == [.follow([]), .report(.none)])
  }

  @Test("A grab that covers nothing is asked about five times, and an overlay without a grab never")
  func others() {
    var tracker = LockerTracker()
    _ = tracker.apply(.windowGrabbed(true))
    var waits: [Int] = []
    while case let effects = tracker.apply(.due) + tracker.apply(.covers([])), waits.count < 20 {
      guard case .wait(let time)? = effects.last else { break }
      waits.append(time)
    }
    #expect(waits == LockerTracker.waits && tracker.state == .none)
    tracker = self.tracker(.covers(window), .covers(window))
    #expect(tracker.state == .none)
  }

  @Test("A grab that ends before its time is asked about never")
  func brief() {
    var tracker = tracker(.windowGrabbed(true))
    #expect(tracker.apply(.windowGrabbed(false)) == [.cancelWait])
    #expect(tracker.apply(.due) == [])
  }

  @Test("A focus that comes while the keyboard is held is suspected until it is known what covers the screen")
  func heldBefore() {
    var tracker = LockerTracker()
    #expect(tracker.apply(.focusedWhileGrabbed) == [.report(.suspected), .ask])
    #expect(tracker.apply(.focusedWhileGrabbed) == [])
    #expect(tracker.apply(.covers(window)) == [.follow(window), .ask] && tracker.state == .suspected)
    #expect(tracker.apply(.covers(window)) == [.report(.locked)])
    // Nothing covers it: as any other grab
    tracker = self.tracker(.focusedWhileGrabbed)
    #expect(tracker.apply(.covers([])) == [.report(.none), .wait(400)] && tracker.isGrabbed)
    // It ends before the answer, by itself or by a key that arrives
    tracker = self.tracker(.focusedWhileGrabbed)
    #expect(tracker.apply(.windowGrabbed(false)) == [.cancelWait, .report(.none)])
    tracker = self.tracker(.focusedWhileGrabbed)
    #expect(tracker.apply(.input) == [.cancelWait, .report(.none)])
    // Windows that change all the time
    tracker = self.tracker(.focusedWhileGrabbed)
    for number in 1..<100 { _ = tracker.apply(.covers([UInt32(number)])) }
    #expect(tracker.state == .none)
  }

  @Test("xscreensaver's word tells blanked from locked, and says nothing where nothing covers the screen")
  func word() {
    var tracker = tracker(.rootGrabbed(true), .status(.blanked), .covers(window), .covers(window))
    #expect(tracker.state == .blanked)
    #expect(tracker.apply(.status(.locked)) == [.report(.locked), .ask])
    // Unlocked: its windows go later
    #expect(tracker.apply(.status(.none)) == [.ask] && tracker.state == .locked)
    #expect(tracker.apply(.covers([])).contains(.report(.none)))
    // A blanked screen is the user's at once
    tracker = self.tracker(.rootGrabbed(true), .status(.blanked), .covers(window), .covers(window))
    #expect(tracker.apply(.status(.none)).contains(.report(.none)))
    // Left behind by a killed one
    tracker = self.tracker(.status(.locked), .covers([]))
    #expect(tracker.state == .none)
  }

  @Test("Input that arrives shows that nobody keeps it")
  func input() {
    var tracker = tracker(.rootGrabbed(true), .covers(window), .covers(window))
    #expect(tracker.apply(.input) == [.cancelWait, .report(.none)])
    #expect(tracker.apply(.input) == [] && tracker.apply(.due) == [])
  }

  @Test("Windows that change all the time are asked about a few times")
  func flood() {
    var tracker = tracker(.rootGrabbed(true))
    let asked = (1..<100).count { tracker.apply(.covers([UInt32($0)])).contains(.ask) }
    #expect(asked == LockerTracker.waits.count && tracker.state == .none)
  }

  @Test(
    "Any signals: what is reported last is the state, and a lock has windows", arguments: testSeeds(20, test: "any"))
  func anything(seed: UInt64) {
    var random = SeededNumbers(seed)
    var tracker = LockerTracker()
    var reported = LockerState.none
    var covering: Set<UInt32> = []
    for _ in 0..<2000 {
      let isOn = Bool.random(using: &random)
      let windows: Set<UInt32> = isOn ? [] : [UInt32.random(in: 1...2, using: &random)]
      let signal: LockerTracker.Signal =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .windowGrabbed(isOn)
        case 1: .rootGrabbed(isOn)
        case 2: .due
        case 3: .status(LockerTracker.Status.allCases.randomElement(using: &random) ?? .none)
        case 4: .gone(UInt32.random(in: 1...2, using: &random))
        case 5: .input
        case 6: .focusedWhileGrabbed
        case _: .covers(windows)
        }
      if case .covers(let windows) = signal { covering = windows }
      for effect in tracker.apply(signal) { if case .report(let state) = effect { reported = state } }
      #expect(reported == tracker.state)
      if case .covers([]) = signal { #expect(tracker.state == .none) }
      if tracker.state == .suspected { #expect(tracker.isGrabbed) }
      if tracker.state != .none, tracker.state != .suspected { #expect(!covering.isEmpty) }
      if case .input = signal { #expect(tracker.state == .none && !tracker.isGrabbed) }
    }
  }

  // MARK: The windows

  private static let left = Rect(x: 0, y: 0, width: 800, height: 600)
  private static let right = Rect(x: 800, y: 0, width: 640, height: 480)
  private static let all = Rect(x: 0, y: 0, width: 1440, height: 600)

  private func stack(_ windows: (UInt32, Rect)...) -> [StackedWindow] {
    windows.map { StackedWindow(id: $0.0, frame: $0.1, isVisible: true, overridesRedirect: true, isOpaque: true) }
  }

  private func covering(_ stack: [StackedWindow], monitors: [Rect] = [left, right]) -> Set<UInt32> {
    LockerStack(monitors: monitors, resourceMask: 0xFFFF, others: [0x1_0001, 0x2_0001]).covering(stack)
  }

  @Test("One window over all monitors, or one over each, but not one over some of them")
  func monitors() {
    #expect(covering(stack((0x5_0001, Self.all))) == [0x5_0001])
    #expect(covering(stack((0x5_0001, Self.left), (0x5_0002, Self.right))) == [0x5_0001, 0x5_0002])
    #expect(covering(stack((0x5_0001, Self.left))) == [])
    // A pixel less at each edge
    #expect(covering(stack((0x5_0001, Self.all.inset(x: 1, y: 1)))) == [0x5_0001])
    #expect(covering(stack((0x5_0001, Self.all.inset(x: 40, y: 40)))) == [])
    #expect(covering(stack((0x5_0001, Self.all)), monitors: []) == [])
  }

  @Test("Nothing of another client may lie above: ours, a managed window's, the window manager's")
  func above() {
    let small = Rect(x: 10, y: 10, width: 100, height: 100)
    for other: UInt32 in [0x1_0007, 0x2_0009] {
      #expect(covering(stack((other, small), (0x5_0001, Self.all))) == [])
      // A game's own window over all
      #expect(covering(stack((other, Self.all))) == [])
    }
    var managed = stack((0x6_0001, small))
    managed[0].overridesRedirect = false
    #expect(covering(managed + stack((0x5_0001, Self.all))) == [])
    // A notice above it hides nothing of the lock, and the overlay of a compositor is the server's
    #expect(covering(stack((0x7_0001, small), (0x101, Self.all), (0x5_0001, Self.all))) == [0x5_0001])
    // What can be seen through covers nothing
    var clear = stack((0x5_0001, Self.all))
    clear[0].isOpaque = false
    #expect(covering(clear) == [])
    // What is not shown, or lies beside all monitors, does not count
    var hidden = stack((0x2_0001, Self.all))
    hidden[0].isVisible = false
    let outside = stack((0x2_0001, Rect(x: -100, y: -100, width: 1, height: 1)))
    #expect(covering(hidden + outside + stack((0x5_0001, Self.all))) == [0x5_0001])
  }
}
