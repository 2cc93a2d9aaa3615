import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// The events that a suspended program keeps for later.
@Suite("Missed events") struct MissedEventsTests {
  private let window = WindowID(rawValue: 7)

  @Test("Of each kind the last, the desktop before its windows, and exposures together")
  func kinds() {
    var missed = MissedEvents()
    #expect(missed.events.isEmpty)
    let answer = PlatformEvent.outcome(RequestID(rawValue: 3), .done)
    missed.add(.exposed(window, Rect(x: 0, y: 0, width: 10, height: 10)))
    missed.add(answer)
    missed.add(.geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 1, height: 1))))
    missed.add(.scale(window, 2))
    missed.add(.screenSaver(isOn: true))
    missed.add(.screens([]))
    missed.add(.windowManager(.absent, cause: "a"))
    missed.add(.windowManager(.settled, cause: "b"))
    missed.add(.screenSaver(isOn: false))
    missed.add(.exposed(window, Rect(x: 20, y: 20, width: 10, height: 10)))
    missed.add(.geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 2, height: 2))))
    #expect(
      missed.events
        == [
          .windowManager(.settled, cause: "b"), .screens([]), .screenSaver(isOn: false),
          .geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 2, height: 2))), .scale(window, 2),
          .exposed(window, Rect(x: 0, y: 0, width: 30, height: 30)), answer,
        ].map { .platform($0) })
  }

  @Test("What the machine says comes first; what was undone has not happened")
  func system() {
    let absence = SystemEvent.concealment(.locked, isOn: true, source: "a")
    var missed = MissedEvents()
    missed.add(.screens([]))
    missed.add(.system(.preferencesEdited), kind: "preferences", rank: 3)
    missed.add(.system(absence), kind: "absence", rank: 0)
    #expect(missed.events == [.system(absence), .system(.preferencesEdited), .platform(.screens([]))])
    #expect(missed.event(of: "absence") == .system(absence))
    let isForgotten = [missed.remove("absence"), missed.remove("absence")]
    #expect(isForgotten == [true, false])
    #expect(missed.events == [.system(.preferencesEdited), .platform(.screens([]))])
  }

  @Test("Input, frames and what wakes or ends the program are not kept")
  func dropped() {
    var missed = MissedEvents()
    missed.add(.closeRequested(window))
    missed.add(.frame(window, FrameTiming(timestamp: .zero, targetTimestamp: .seconds(1))))
    missed.add(.signal(15))
    missed.add(.error("said at once"))
    #expect(missed.events.isEmpty)
  }
}
