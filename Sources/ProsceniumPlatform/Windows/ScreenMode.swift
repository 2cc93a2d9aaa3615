/// A way in which a screen can show its content: a size, and how often it is shown.
public struct ScreenMode: Hashable, Sendable {
  /// The size of the content in pixels, as the screen is turned now.
  public let size: Size
  /// How often the content is shown, in hertz; 0 where that is unknown.
  public let refreshRate: Double
  /// The window system's name for it.
  package let id: UInt32

  package init(size: Size, refreshRate: Double, id: UInt32) {
    (self.size, self.refreshRate, self.id) = (size, refreshRate, id)
  }
}

/// The modes of a screen.
package struct ScreenModes: Hashable, Sendable {
  /// The modes, in the order of the window system, which begins with the ones that the screen prefers.
  package var available: [ScreenMode]
  /// What the screen shows now; nil where that is none of them.
  package var current: ScreenMode?
  /// What the screen is made for; nil where it does not say so.
  package var preferred: ScreenMode?

  package init(available: [ScreenMode], current: ScreenMode?, preferred: ScreenMode?) {
    (self.available, self.current, self.preferred) = (available, current, preferred)
  }
}

/// Why a screen does not show a mode.
public enum ScreenModeError: Error, Hashable, Sendable, CaseIterable {
  /// The mode is none of those that the screen has.
  case unavailable
  /// No scene of the program is in the foreground.
  case inBackground
  /// The screen has gone.
  case disconnected
  /// The window system refuses it: the screen cannot show it beside the others, or there is no memory for it.
  case refused
}
