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
    missed.keep(.exposed(window, Rect(x: 0, y: 0, width: 10, height: 10)))
    missed.keep(answer)
    missed.keep(.geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 1, height: 1))))
    missed.keep(.scale(window, 2))
    missed.keep(.screenSaver(isOn: true))
    missed.keep(.screens([]))
    missed.keep(.windowManager(.absent, cause: "a"))
    missed.keep(.windowManager(.settled, cause: "b"))
    missed.keep(.screenSaver(isOn: false))
    missed.keep(.exposed(window, Rect(x: 20, y: 20, width: 10, height: 10)))
    missed.keep(.geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 2, height: 2))))
    #expect(
      missed.events
        == [
          .windowManager(.settled, cause: "b"), .screens([]), .screenSaver(isOn: false), .scale(window, 2),
          .geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 2, height: 2))),
          .exposed(window, Rect(x: 0, y: 0, width: 30, height: 30)), answer,
        ].map { .platform($0) })
  }

  @Test("What the machine says comes first; what was undone has not happened")
  func system() {
    let absence = SystemEvent.absence(.locked, isOn: true, source: "a")
    var missed = MissedEvents()
    missed.keep(.screens([]))
    missed.keep(.system(.preferencesEdited), kind: "preferences", rank: 3)
    missed.keep(.system(absence), kind: "absence", rank: 0)
    #expect(missed.events == [.system(absence), .system(.preferencesEdited), .platform(.screens([]))])
    #expect(missed.event(of: "absence") == .system(absence))
    let isForgotten = [missed.forget("absence"), missed.forget("absence")]
    #expect(isForgotten == [true, false])
    #expect(missed.events == [.system(.preferencesEdited), .platform(.screens([]))])
  }

  @Test("Input, frames and what wakes or ends the program are not kept")
  func dropped() {
    var missed = MissedEvents()
    missed.keep(.closeRequested(window))
    missed.keep(.frame(window, FrameTiming(timestamp: 0, targetTimestamp: 1)))
    missed.keep(.signal(15))
    missed.keep(.error("said at once"))
    #expect(missed.events.isEmpty)
  }
}
