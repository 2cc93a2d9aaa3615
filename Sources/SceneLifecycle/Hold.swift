/// A falling fact that is believed only after a while, because window managers let facts fall and rise again.
public enum Hold: String, Hashable, Sendable, CaseIterable {
  /// The windows are hidden; the scene stops being active when it ends.
  case inactive
  /// The windows are hidden; the scene enters the background when it ends.
  case background
  /// The focus went to another program; the scene resigns when it ends.
  case focus
  /// Another client holds the keyboard; the scene is interrupted when it ends.
  case grab
}

/// How a fact falls.
public enum Fall: Hashable, Sendable, CaseIterable {
  /// At once: nothing can bring it back by itself.
  case atOnce
  /// After its usual hold.
  case held
  /// After the long hold, because the window manager is changing.
  case heldLong
}

/// How long falling facts are held, in milliseconds.
///
/// The defaults are measured: how long window managers take to let a fact fall and rise again.
public struct HoldTimes: Hashable, Sendable {
  /// From the last window hidden until the scene is inactive.
  public var inactive = 50
  /// From the last window hidden until the scene is in the background.
  public var background = 250
  /// From the focus lost to another program until the scene resigns.
  public var focus = 100
  /// From another client's keyboard grab until the scene is interrupted.
  public var grab = 400
  /// In place of `background` and `focus` while the window manager is changing.
  public var windowManagerChange = 1500
  /// From the active scene's leaving until the application resigns while another scene is visible.
  public var application = 100
  /// How long a bare window must be visible until its session is connected again.
  public var bareWindow = 50
  /// From the last reason to run until the program is suspended, where it has chosen that.
  public var suspension = 5000
  /// From the screen's locking until protected data is out of reach.
  public var protectedData = 10_000

  /// The measured defaults.
  public init() {}

  /// No holds at all: for benchmarks, where every fact acts at once.
  public static var none: HoldTimes {
    var times = HoldTimes()
    times.inactive = 0
    times.background = 0
    times.focus = 0
    times.grab = 0
    times.windowManagerChange = 0
    times.application = 0
    times.bareWindow = 0
    times.suspension = 0
    times.protectedData = 0
    return times
  }

  /// The length of one hold.
  public func milliseconds(_ hold: Hold, long: Bool) -> Int {
    switch hold {
    case .inactive: inactive
    case .background: long ? windowManagerChange : background
    case .focus: long ? windowManagerChange : focus
    case .grab: grab
    }
  }
}
