/// How a screen's content is turned against its panel (RandR's rotation of the CRTC).
public enum ScreenRotation: String, Hashable, Sendable, CaseIterable {
  /// Not at all.
  case normal
  /// By a quarter turn counterclockwise.
  case left
  /// Upside down.
  case inverted
  /// By a quarter turn clockwise.
  case right
}
