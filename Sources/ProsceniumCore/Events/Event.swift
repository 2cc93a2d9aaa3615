/// An event of a window: a key, a button, the pointer, a part to draw again, a new size; or a command of a remote
/// control, for the program.
///
/// Keys, buttons and motion are withheld and dropped while the scene is interrupted or in the background; exposures,
/// sizes and commands always arrive.
@preconcurrency @MainActor public final class Event {
  /// The kind of an event, with its values.
  public enum Kind: Hashable, Sendable {
    /// A key went down or up (X protocol, KeyPress and KeyRelease).
    ///
    /// A key that is down goes up for the window when that loses the focus or goes out of sight, and on X11 when
    /// another client has grabbed the keyboard for 300 ms. A hot key of the desktop is a shorter grab: keys that are
    /// held stay down.
    case key(Key)
    /// A pointer button went down or up (ButtonPress and ButtonRelease).
    ///
    /// A button that is down when its window goes out of sight goes up at (-1, -1), outside of the window.
    case button(PointerButton)
    /// The pointer moved, entered or left (MotionNotify, EnterNotify, LeaveNotify).
    case motion(Motion)
    /// The wheel was turned, or a touchpad scrolled.
    case scroll(Scroll)
    /// A finger touched the screen.
    case touch(Touch)
    /// Something is asked of the program as a player of media: see ``Responder/remoteControlReceived(with:)``.
    case remoteControl(RemoteControlCommand)
    /// The user does something to the machine itself: see ``Responder/motionBegan(_:with:)``.
    case deviceMotion(DeviceMotion)
    /// A part of the window, in its own pixels, has to be drawn again (Expose).
    case exposed(Rect)
    /// The window has another size (ConfigureNotify).
    case resized(Size)

    /// The position of an event of the pointer or a touch, in pixels of its window; nil for other events.
    public var location: Point? {
      switch self {
      case .button(let button): button.location
      case .motion(let motion): motion.location
      case .scroll(let scroll): scroll.location
      case .touch(let touch): touch.location
      case .key, .remoteControl, .deviceMotion, .exposed, .resized: nil
      }
    }
  }

  /// The kind of the event, with its values.
  public let kind: Kind
  /// The window that it happened to; nil once the window is gone, and for commands to a program without windows.
  public private(set) weak var window: Window?
  /// The time on the window system's clock, which begins again after 2^32 milliseconds; zero for events that carry
  /// no time.
  public let timestamp: Duration

  /// Makes an event.
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - window: The window of the event.
  ///   - timestamp: The time on the window system's clock.
  public init(_ kind: Kind, window: Window?, timestamp: Duration = .zero) {
    self.kind = kind
    self.window = window
    self.timestamp = timestamp
  }

  /// Whether the event is the user's input, which is withheld from interrupted scenes.
  var isInput: Bool {
    switch kind {
    case .key, .button, .motion, .scroll, .touch: true
    case .remoteControl, .deviceMotion, .exposed, .resized: false
    }
  }
}
