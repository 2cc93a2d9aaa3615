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
    #expect(missed.isEmpty)
    let answer = PlatformEvent.outcome(RequestID(rawValue: 3), .done)
    missed.note(.exposed(window, Rect(x: 0, y: 0, width: 10, height: 10)))
    missed.note(answer)
    missed.note(.geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 1, height: 1))))
    missed.note(.scale(window, 2))
    missed.note(.screenSaver(isOn: true))
    missed.note(.screens([]))
    missed.note(.windowManager(.absent, cause: "a"))
    missed.note(.windowManager(.settled, cause: "b"))
    missed.note(.screenSaver(isOn: false))
    missed.note(.exposed(window, Rect(x: 20, y: 20, width: 10, height: 10)))
    missed.note(.geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 2, height: 2))))
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
    func time(_ day: Int, offset: Int = 0) -> CivilTime { CivilTime(day: day, offset: offset, zone: "Z", skew: 5) }
    func absence(_ isOn: Bool) -> SystemEvent { .absence(.locked, isOn: isOn, source: "a") }
    var missed = MissedEvents()
    missed.note(.screens([]))
    missed.note(.time(from: time(1), to: time(2)))
    missed.note(.time(from: time(2), to: time(2, offset: 3600)))
    let isKept = missed.note(.locked, isOn: true, "a", absence(true))
    #expect(isKept)
    #expect(
      missed.events == [
        .system(absence(true)), .system(.time(from: time(1), to: time(2, offset: 3600))), .platform(.screens([])),
      ])
    missed.note(.time(from: time(2, offset: 3600), to: time(1)))
    let isUndone = missed.note(.locked, isOn: false, "a", absence(false))
    #expect(isUndone)
    #expect(missed.events == [.platform(.screens([]))])
    // The program knows that the user is away: that he is back it has to hear.
    let isHeard = !missed.note(.locked, isOn: false, "a", absence(false))
    #expect(isHeard)
    // The machine waits.
    let isWaitedFor = !missed.note(.sleeping, isOn: true, "a", absence(true))
    #expect(isWaitedFor)
  }

  @Test("Input, frames and what wakes or ends the program are not kept")
  func dropped() {
    var missed = MissedEvents()
    missed.note(.closeRequested(window))
    missed.note(.frame(window, FrameTiming(timestamp: 0, targetTimestamp: 1)))
    missed.note(.signal(15))
    missed.note(.error("said at once"))
    #expect(missed.isEmpty)
  }
}
