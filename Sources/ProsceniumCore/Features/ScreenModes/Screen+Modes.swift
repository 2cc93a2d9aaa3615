public import FoundationEssentials

extension Screen {
  /// A way in which a screen can show its content.
  public typealias Mode = ScreenMode
  /// Why a screen does not show a mode.
  public typealias ModeError = ScreenModeError

  /// The modes that the screen can show, in the order of the window system.
  ///
  /// Asked for when the modes of any screen are read for the first time: empty until the answer has come, and where the
  /// screen has none, as on a server without RandR 1.5. ``AvailableModesDidChangeMessage`` reports the answer, and each
  /// change from then on. On X11 they are those of the monitor's first output (RandR, RRGetOutputInfo).
  public var availableModes: [Mode] { modes?.available ?? [] }

  /// The mode that the screen shows; nil where it is unknown, or none of ``availableModes``.
  ///
  /// Asked for as ``availableModes``. Setting it is ``requestMode(_:completion:)`` without a completion, with the
  /// present value until the screen shows the new one.
  public var currentMode: Mode? {
    get { modes?.current }
    set { requestMode(newValue) }
  }

  /// The mode that the screen is made for; nil where it does not say so.
  ///
  /// Asked for as ``availableModes``.
  public var preferredMode: Mode? { modes?.preferred }

  /// Shows the screen in another mode, for as long as the program is in the foreground.
  ///
  /// When no scene of the program is in the foreground any more, and so before it is suspended or ends, the screen
  /// shows again what it showed before the program's first choice, unless the user or another program has chosen
  /// another mode since; back in the foreground it shows the program's choice. A choice that is refused leaves the one
  /// before it. Other screens stay where they are.
  ///
  /// On X11 so it is when the program is killed or crashes: with its first choice it starts a second process of its
  /// own executable, with the argument `--keep-screen-modes`, which waits for its end, in a session of its own, and
  /// puts the modes back at once. What a `main.swift` does before ``ApplicationMain(_:_:_:_:)`` is done in that
  /// process, too; with `@main` there is nothing. Where that is killed as well, as with the whole control group of the
  /// program, the desktop's settings bring the mode back.
  /// ``ModeDidChangeMessage`` follows each change.
  /// - Parameters:
  ///   - mode: One of ``availableModes``; nil for what the screen showed before the program's first choice.
  ///   - completion: Called once, on the main thread, after the request has been answered.
  public func requestMode(_ mode: Mode?, completion: (@MainActor (Result<Void, ModeError>) -> Void)? = nil) {
    assertMainThread()
    Application.sharedIfLaunched?.conductor?.feature(ScreenModesFeature.self)?.choose(mode, for: self, completion)
  }

  private var modes: ScreenModes? {
    Application.sharedIfLaunched?.conductor?.feature(ScreenModesFeature.self)?.follow()
    return knownModes
  }

  /// Posted on the main thread when ``Screen/availableModes`` are known for the first time, or have changed.
  public struct AvailableModesDidChangeMessage: ScreenMessage {
    /// The screen.
    public let screen: Screen
  }
}

extension NotificationCenter.MessageIdentifier where Self == Screen.AvailableModesDidChangeMessage.Identifier {
  /// Names ``Screen/AvailableModesDidChangeMessage``.
  public static var availableModesDidChange: Self { .init() }
}
