/// How long falling facts are held (`Hold`).
///
/// The defaults are measured: how long window managers take to let a fact fall and rise again. A time that is not
/// positive is no hold at all: the fact falls within the same batch.
public struct HoldTimes: Hashable, Sendable {
  /// From the last window hidden until the scene is inactive.
  public var inactive = Duration.milliseconds(50)
  /// From the last window hidden until the scene is in the background.
  public var background = Duration.milliseconds(250)
  /// From the focus lost to another program until the scene resigns.
  public var focus = Duration.milliseconds(100)
  /// From another client's keyboard grab until the scene is interrupted.
  public var grab = Duration.milliseconds(400)
  /// In place of ``background`` and ``focus`` while the window manager is changing.
  public var windowManagerChange = Duration.milliseconds(1500)
  /// From the active scene's leaving until the application resigns while another scene is visible.
  public var application = Duration.milliseconds(100)
  /// How long a bare window must be visible until its session is connected again.
  public var bareWindow = Duration.milliseconds(50)
  /// From the last reason to run until the program is suspended, where it has chosen that.
  public var suspension = Duration.seconds(5)
  /// From the screen's locking until protected data is out of reach.
  public var protectedData = Duration.seconds(10)

  /// The measured defaults.
  public init() {}

  /// No holds at all: for benchmarks, where every fact acts at once.
  public static var none: HoldTimes {
    // Without key paths, each of which is made at run time: 97,000 instructions (Tests/Benchmarks/instructions).
    var times = HoldTimes()
    times.inactive = .zero
    times.background = .zero
    times.focus = .zero
    times.grab = .zero
    times.windowManagerChange = .zero
    times.application = .zero
    times.bareWindow = .zero
    times.suspension = .zero
    times.protectedData = .zero
    return times
  }

  /// The length of one hold.
  package func length(of hold: Hold, long: Bool) -> Duration {
    switch hold {
    case .inactive: inactive
    case .background: long ? windowManagerChange : background
    case .focus: long ? windowManagerChange : focus
    case .grab: grab
    }
  }
}
