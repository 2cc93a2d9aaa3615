import ProsceniumLoop
import ProsceniumPlatform

/// The focus among our windows, which the program has to move itself where there is no window manager, and the time of
/// the user's latest action (EWMH, `_NET_WM_USER_TIME`): window managers refuse the focus to requests with an older
/// time.
@MainActor final class Focus: X11Component {
  private var lastAction = UserAction()
  /// Our windows in the order in which they had the focus last, the latest at the end.
  private var order: [UInt32] = []

  /// A FocusIn or FocusOut has been applied to a window.
  func observe(_ window: TopLevel, isIn: Bool) {
    guard isIn, window.model.focus.hasFocus, order.last != window.id else { return }
    if let index = order.firstIndex(of: window.id) { order.remove(at: index) }
    order.append(window.id)
  }

  /// Focuses a window, without a window manager's help: only a viewable one, else it is a BadMatch.
  func set(_ window: TopLevel) {
    window.showing.wantsFocus = false
    connection.setInputFocus(window.id, time: server.time.latest)
    connection.raise(window.id)
  }

  /// The user has pressed a button or touched a window: that gives the focus.
  func pressed(_ window: TopLevel, _ input: XInput) {
    observe(userTime: input.time, in: window)
    if root.isKnownUnmanaged, !window.isPopUp, input.detail <= 3, !window.model.focus.hasFocus { set(window) }
  }

  /// A window that had the focus is hidden: the one of ours that had it before gets it, where no window manager does
  /// that.
  func passOn(from window: TopLevel) {
    guard root.isKnownUnmanaged, !server.isLost else { return }
    let next = order.reversed().lazy.compactMap { self.windows[$0] }
      .first { $0.id != window.id && $0.levels.visible && $0.model.isViewable }
    if let next { set(next) }
  }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    if window.levels.focused { passOn(from: window) }
    order.removeAll { $0 == window.id }
  }

  // MARK: User time

  /// The user has pressed a key or a button in a window.
  func observe(userTime time: UInt32, in window: TopLevel) {
    let userTime = time == 0 ? 1 : time
    lastAction = UserAction(time: userTime, heard: MonotonicClock.seconds)
    guard let window = owner(of: window) else { return }
    // Once a second is often enough.
    let written = window.properties.userTime ?? 0
    if written == 0 || userTime &- written >= 1000, root.isManaged { writeUserTime(userTime, to: window) }
  }

  /// The window that a menu belongs to, whose user's it is: window managers do not see menus; a window itself else.
  private func owner(of window: TopLevel) -> TopLevel? {
    guard window.isPopUp else { return window }
    return window.description.transientFor.flatMap { windows[$0.rawValue] }.flatMap(owner)
  }

  /// The server's time of the last key or button press; 0 while there was none, or where that is long ago.
  var userTime: UInt32 { lastAction.time(now: MonotonicClock.seconds) }

  /// Whether a time of the user's is later than the known one; 0 is none.
  func isUserTimeBefore(_ time: UInt32) -> Bool {
    let known = userTime
    return time != 0 && (known == 0 || time.isLater(than: known))
  }

  /// The user has done something elsewhere, which counts where it is later than the known time.
  func advanceUserTime(to time: UInt32) {
    if isUserTimeBefore(time) { lastAction = UserAction(time: time, heard: MonotonicClock.seconds) }
  }

  /// Writes the time that a window is shown with.
  func writeUserTime(_ appearance: Appearance, to window: TopLevel) {
    switch appearance {
    // Zero: "do not focus when mapped".
    case .quiet: writeUserTime(0, to: window)
    case .activated where isUserTimeKnown: writeUserTime(userTime, to: window)
    case .activated where window.properties.userTime != nil:
      window.properties.userTime = nil
      connection.deleteProperty(window.id, server.atoms[.netWMUserTime])
    case .activated: break
    }
  }

  /// Calls back with the time, or with the server's present time where there is none, because window managers refuse 0,
  /// and where the user acts in a window of another toolkit, which nothing is heard of.
  func getUserTime(_ handler: @escaping @MainActor (UInt32) -> Void) {
    if isUserTimeKnown { handler(userTime) } else { server.time.ask(server, handler) }
  }

  /// Whether the known time is the user's last.
  ///
  /// A loop: the actor of a closure is checked at each call.
  private var isUserTimeKnown: Bool {
    guard userTime != 0 else { return false }
    for window in windows.all where window.isGuest && window.levels.focused { return false }
    return true
  }

  private func writeUserTime(_ time: UInt32, to window: TopLevel) {
    window.properties.userTime = time
    connection.changeProperty(window.id, server.atoms[.netWMUserTime], type: PredefinedAtom.cardinal, [time])
  }
}

/// When the user has acted last.
struct UserAction {
  /// The server's time; 0 for none.
  var time: UInt32 = 0
  /// The same by the clock of this machine, in seconds.
  var heard = 0.0

  /// The server's time, which counts for 12 days: after half a turn of the server's clock, 24.8 days, it would be taken
  /// for a time of the future.
  func time(now: Double) -> UInt32 { now - heard < 12 * 86_400 ? time : 0 }
}
