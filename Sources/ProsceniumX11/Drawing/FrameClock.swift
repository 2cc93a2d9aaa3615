import ProsceniumPlatform

/// The moments at which a window is drawn: a function of what was asked for, what is on its way, and the server's
/// answers.
///
/// All times are seconds on the monotonic clock.
struct FrameClock: Sendable {
  enum Step: Hashable {
    /// Nothing is to be done, or something is on its way whose end decides.
    case wait
    case frame(FrameTiming)
    /// The server reports the moment of the screen's next frame (PresentNotifyMSC).
    case ask(serial: UInt32)
    /// A deadline decides, in seconds.
    case at(Double)
  }

  static let usualInterval = 1.0 / 60

  private(set) var isRequested = false
  private(set) var interval = usualInterval
  /// The serial number of the newest frame that was shown or asked for, and is not complete yet.
  private(set) var awaited: UInt32?
  private var serial: UInt32 = 0
  private var isImmediate = false
  /// Whether the screen has shown the last frame: the next one follows it.
  private var isPaced = false
  private var lastFrame = -Double.infinity
  private var lastCompletion = -Double.infinity
  private var lastTimestamp = -Double.infinity
  private var moment: Double?
  private var shown: (ust: UInt64, msc: UInt64)?

  /// Frames that are asked for more than once are one.
  mutating func request() { isRequested = true }

  /// No frame is asked for any more, and nothing on its way matters.
  mutating func reset() {
    isRequested = false
    awaited = nil
    isPaced = false
    shown = nil
  }

  /// The awaited event is not going to arrive; the frame is still requested.
  mutating func abandon() { awaited = nil }

  /// A frame is being shown.
  ///
  /// After a rest it does not wait for the screen: it is there at once.
  /// - Returns: Its serial number, and whether it should not wait for the screen.
  mutating func present(now: Double, isUrgent: Bool) -> (serial: UInt32, isImmediate: Bool) {
    serial &+= 1
    // A frame that waits for the screen would come after one that does not.
    isImmediate = isUrgent || (awaited == nil && now - lastCompletion > interval)
    awaited = serial
    return (serial, isImmediate)
  }

  /// The server has accepted a frame, and has no clock for it.
  mutating func accepted(_ serial: UInt32) { if serial == awaited { awaited = nil } }

  /// CompleteNotify.
  mutating func complete(_ completion: PresentCompletion, now: Double) {
    guard completion.serial == awaited else { return }
    awaited = nil
    isPaced = true
    lastCompletion = now
    // A frame that did not wait for the screen does not show the screen's rate.
    if isImmediate { shown = nil }
    if let shown, completion.msc > shown.msc, completion.ust > shown.ust, completion.msc - shown.msc < 1000 {
      let measured = Double(completion.ust - shown.ust) / 1e6 / Double(completion.msc - shown.msc)
      if (1.0 / 1000...0.1).contains(measured) { interval = measured }
    }
    if !isImmediate { shown = (completion.ust, completion.msc) }
    // A server on another machine has another clock.
    let reported = Double(completion.ust) / 1e6
    moment = isImmediate || abs(reported - now) > 1 ? now : min(reported, now)
  }

  /// The step that is to be done now.
  mutating func next(now: Double, canDraw: Bool, hasPresent: Bool) -> Step {
    guard isRequested, awaited == nil, canDraw else { return .wait }
    if isPaced { return begin(moment ?? now, now: now, due: now) }
    let due = lastFrame + interval
    guard now + 0.0005 < due else { return begin(now, now: now, due: now - due < interval ? due : now) }
    guard hasPresent else { return .at(due) }
    serial &+= 1
    awaited = serial
    isImmediate = false
    return .ask(serial: serial)
  }

  private mutating func begin(_ timestamp: Double, now: Double, due: Double) -> Step {
    isRequested = false
    isPaced = false
    moment = nil
    lastFrame = due
    lastTimestamp = max(timestamp, lastTimestamp)
    let missed = max(0, ((now - lastTimestamp) / interval).rounded(.down))
    let target = lastTimestamp + (missed + 1) * interval
    return .frame(FrameTiming(timestamp: .seconds(lastTimestamp), targetTimestamp: .seconds(target)))
  }
}
