import ProsceniumJSON
import ProsceniumTrace

/// What is said of the modes of screens.
extension TraceRun {
  /// The beginning of the key of a screen whose mode is chosen: a true flag, or a false one where the window system may
  /// have refused it, so that it need not be put back.
  private static let chosen = "screenMode "

  mutating func checkScreenMode(_ details: TraceDetails) {
    guard let screen = details["screen"]?.text else { return fail(.screenMode, "the line has no screen") }
    let key = Self.chosen + screen
    if details["chosen"] != nil {
      // Before the first step of the application its scenes say where it is.
      let isInBackground = application.map { $0 == .background } ?? (scenes.mostActive < .foregroundInactive)
      if isInBackground || isSuspended { fail(.screenMode, "a mode of \(screen) is chosen in the background") }
      facts[key] = .flag(true)
    } else if details["putBack"] == .bool(true) {
      if facts.removeValue(forKey: key) == nil { fail(.screenMode, "\(screen) is put back, and has no other mode") }
    } else if details["lost"] == .bool(true) {
      facts[key] = nil
    }
  }

  /// The window system has answered a choice.
  mutating func checkScreenMode(_ request: TraceRecord.Request) {
    guard request.outcome != "done", let screen = request.details["screen"]?.text else { return }
    let key = Self.chosen + screen
    // A later choice may stand.
    if facts[key] != nil { facts[key] = .flag(false) }
  }

  /// Checks that a program that has been in the background has put back all modes.
  mutating func checkScreenModes() {
    for key in facts.keys.filter({ $0.hasPrefix(Self.chosen) }).sorted() {
      if facts.removeValue(forKey: key) == .flag(true) {
        fail(.screenMode, "the mode of \(key.dropFirst(Self.chosen.count)) has not been put back")
      }
    }
  }
}
