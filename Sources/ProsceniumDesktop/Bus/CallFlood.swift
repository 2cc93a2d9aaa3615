/// How many calls count: a burst, and then some in each second, however many come.
struct CallFlood: Equatable {
  /// Pushed messages.
  static var ofPushes: CallFlood { CallFlood(burst: 500, perSecond: 20) }
  /// Commands of one process for this program as a player, or choices of menu items in panels: more than a key gives
  /// that is held down.
  static var ofCommands: CallFlood { CallFlood(burst: 100, perSecond: 40) }

  let burst: Double
  let perSecond: Double
  private var left: Double
  private var last: Double?
  /// Whether the last one was the first that was refused.
  private(set) var isNews = false
  private var hasRefused = false

  private init(burst: Double, perSecond: Double) {
    (self.burst, self.perSecond, left) = (burst, perSecond, burst)
  }

  /// Whether a call counts that comes at a time, in seconds.
  mutating func admits(at time: Double) -> Bool {
    left = min(burst, left + max(0, time - (last ?? time)) * perSecond)
    last = time
    let isAdmitted = left >= 1
    if isAdmitted { left -= 1 }
    isNews = !isAdmitted && !hasRefused
    hasRefused = hasRefused || !isAdmitted
    return isAdmitted
  }

  /// Whether as many count at a time, in seconds, as if none had come.
  func isOver(at time: Double) -> Bool { left + max(0, time - (last ?? time)) * perSecond >= burst }
}
