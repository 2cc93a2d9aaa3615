/// A light or dark appearance.
public enum UserInterfaceStyle: String, Hashable, Sendable, CaseIterable {
  /// Dark text on a light background.
  case light
  /// Light text on a dark background.
  case dark
}

/// The user's choices for the appearance of programs, and the scale of the screen.
///
/// The choices are read from the desktop portal (`org.freedesktop.appearance`) and, where it has none, from the
/// XSETTINGS manager. Both are read a moment after the launch, which is not slower for it.
public struct TraitCollection: Hashable, Sendable {
  /// Light or dark; light where the desktop environment has no choice.
  ///
  /// On X11 also dark where the name of the theme (`Net/ThemeName`) ends in `-dark`.
  public var userInterfaceStyle = UserInterfaceStyle.light
  /// Whether the user prefers more contrast; false where the desktop environment has no choice.
  public var prefersHighContrast = false
  /// Whether the user prefers less motion, so that animations jump to their end; false where the desktop environment
  /// has no choice.
  ///
  /// On X11 the setting `Gtk/EnableAnimations` of XSETTINGS, where the portal says nothing.
  public var prefersReducedMotion = false
  /// The user's accent colour; nil where the desktop environment has none.
  public var accentColor: Color?
  /// How many pixels a point of the scene is (``Window/scale``); 1 in ``Application/traitCollection``.
  public var displayScale: Double

  /// Makes the default traits.
  /// - Parameter displayScale: How many pixels one point is.
  public init(displayScale: Double = 1) { self.displayScale = displayScale }
}
