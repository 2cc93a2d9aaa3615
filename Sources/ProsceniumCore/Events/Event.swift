/// Something that happened to a window: a key, a button, the pointer, a part to draw again, a new size.
///
/// Keys, buttons and motion are withheld and dropped while the scene is interrupted or in the background; exposures
/// and sizes always arrive.
@preconcurrency @MainActor public final class Event {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// A key went down or up (X protocol, KeyPress and KeyRelease).
    case key(Key)
    /// A pointer button went down or up (ButtonPress and ButtonRelease).
    case button(PointerButton)
    /// The pointer moved, entered or left (MotionNotify, EnterNotify, LeaveNotify).
    case motion(Motion)
    /// The wheel was turned, or a touchpad scrolled.
    case scroll(Scroll)
    /// A finger touched the screen.
    case touch(Touch)
    /// A part of the window, in its own pixels, has to be drawn again (Expose).
    case exposed(Rect)
    /// The window has another size (ConfigureNotify).
    case resized(Size)
  }

  /// What happened.
  public let kind: Kind
  /// The window that it happened to; nil once the window is gone.
  public private(set) weak var window: Window?
  /// Milliseconds on the window system's clock; 0 for events that carry no time.
  public let timestamp: UInt32

  /// An event, as the framework or a test makes it.
  /// - Parameters:
  ///   - kind: What happened.
  ///   - window: The window that it happened to.
  ///   - timestamp: Milliseconds on the window system's clock.
  public init(_ kind: Kind, window: Window?, timestamp: UInt32 = 0) {
    self.kind = kind
    self.window = window
    self.timestamp = timestamp
  }

  /// Whether the event comes from the user's hands, so that it is withheld while nobody may be heard.
  var isInput: Bool {
    switch kind {
    case .key, .button, .motion, .scroll, .touch: true
    case .exposed, .resized: false
    }
  }
}
