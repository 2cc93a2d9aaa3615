/// Dark on light, or light on dark.
public enum UserInterfaceStyle: String, Hashable, Sendable, CaseIterable {
  /// Dark letters on a light ground.
  case light
  /// Light letters on a dark ground.
  case dark
}

/// What a program or a scene looks different by, besides its size: how the user wants it to look, as far as the desktop says,
/// and how fine the screen is.
///
/// What the user wants is heard from the desktop portal (`org.freedesktop.appearance`) and, where that says nothing, from the XSETTINGS manager;
/// both are asked a moment after the launch, so that it is not slower for them.
public struct TraitCollection: Hashable, Sendable {
  /// Light where nobody says otherwise.
  ///
  /// On X11 also dark where the name of the theme (`Net/ThemeName`) ends in `-dark`.
  public var userInterfaceStyle = UserInterfaceStyle.light
  /// Whether the user asks for more contrast; false where nobody says.
  public var prefersHighContrast = false
  /// The user's colour for what stands out; nil where nobody says.
  public var accentColor: Color?
  /// How many pixels one point is, of a scene (``Window/scale``); 1 in ``Application/traitCollection``.
  public var displayScale: Double

  /// What is so where no desktop says anything.
  /// - Parameter displayScale: How many pixels one point is.
  public init(displayScale: Double = 1) { self.displayScale = displayScale }
}
