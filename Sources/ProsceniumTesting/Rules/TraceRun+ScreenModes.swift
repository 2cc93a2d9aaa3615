import ProsceniumJSON
import ProsceniumTrace

/// What is said of the modes of screens.
extension TraceRun {
  mutating func checkScreenMode(_ details: TraceDetails) {
    guard let screen = details["screen"]?.text else { return fail(.screenMode, "the line has no screen") }
    // Before the first step of the application its scenes say where it is.
    let isInBackground = application.map { $0 == .background } ?? (scenes.mostActive < .foregroundInactive)
    let isAway = isInBackground || isSuspended
    changeModes { modes in
      if details["chosen"] != nil {
        modes.choose(screen, isAway: isAway)
      } else if details["putBack"] == .bool(true) {
        modes.putBack(screen)
      } else if details["lost"] == .bool(true) {
        modes.forget(screen)
      }
    }
  }

  /// The window system has answered a choice.
  mutating func checkScreenMode(_ request: TraceRecord.Request) {
    guard let screen = request.details["screen"]?.text else { return }
    changeModes { $0.answer(screen, isDone: request.outcome == "done") }
  }

  /// Checks that a program that has been in the background has put back all modes.
  mutating func checkScreenModes() { changeModes { $0.end() } }

  private mutating func changeModes(_ change: (inout ModeTrace) -> Void) {
    var modes = ModeTrace(facts: exchange(&facts, with: [:]))
    change(&modes)
    facts = modes.facts
    for failure in modes.failures { fail(.screenMode, failure) }
  }
}
