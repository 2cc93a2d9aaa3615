public import ProsceniumCore

/// The appearance of a user interface: light or dark.
public typealias InterfaceStyle = UserInterfaceStyle

extension UserInterfaceStyle {
  /// The appearance of windows without one of their own; the user's choice where nil, as at first.
  ///
  /// Existing windows change at once.
  @MainActor public static var preferred: UserInterfaceStyle? {
    didSet { if oldValue != preferred { ViewTree.preferenceChanged() } }
  }

  /// The effective appearance: the program's choice, else the user's (``Application/traitCollection``).
  @MainActor static var current: UserInterfaceStyle {
    preferred ?? Application.sharedIfLaunched?.traitCollection.userInterfaceStyle ?? .light
  }
}

/// The colours of an appearance, by their purpose.
public struct Theme: Hashable, Sendable {
  /// The colour of text.
  public var label: Color
  /// The colour of less important text.
  public var secondaryLabel: Color
  /// The background of windows.
  public var background: Color
  /// The background of texts and lists.
  public var contentBackground: Color
  /// The background of controls.
  public var controlBackground: Color
  /// The background of controls under the pointer.
  public var controlHover: Color
  /// The background of pressed controls.
  public var controlPressed: Color
  /// The colour of emphasis, and of the ring around the first responder.
  public var accent: Color
  /// The background of what is emphasised, such as the default button.
  public var accentBackground: Color
  /// The colour of text on ``accentBackground`` and ``destructiveBackground``.
  public var accentLabel: Color
  /// The colour of separators, and of the borders of controls.
  public var separator: Color
  /// The background of selected text.
  public var selection: Color
  /// The colour of the texts of actions that cannot be undone.
  public var destructive: Color
  /// The background of buttons for what cannot be undone.
  public var destructiveBackground: Color
  /// Whether the colours are for users who need more contrast, who get outlines in place of shades.
  var isHighContrast = false

  /// The background of selected text in a view that does not get the keys.
  var weakSelection: Color { isHighContrast ? controlPressed : separator }

  /// The opacity of a control.
  func opacity(isEnabled: Bool) -> Double { isEnabled ? 1 : isHighContrast ? 0.6 : 0.4 }

  /// The light appearance.
  public static let light = Theme(
    label: Color(rgb: 0x1C1C1E), secondaryLabel: Color(rgb: 0x6A6A70), background: Color(rgb: 0xF2F2F4),
    contentBackground: .white, controlBackground: Color(rgb: 0xFFFFFF), controlHover: Color(rgb: 0xE9E9EE),
    controlPressed: Color(rgb: 0xD6D6DC), accent: Color(rgb: 0x1A66D6), accentBackground: Color(rgb: 0x1A66D6),
    accentLabel: .white, separator: Color(rgb: 0xC6C6CC), selection: Color(rgb: 0xB4D2FA),
    destructive: Color(rgb: 0xC62828), destructiveBackground: Color(rgb: 0xC62828))

  /// The dark appearance.
  public static let dark = Theme(
    label: Color(rgb: 0xEDEDF0), secondaryLabel: Color(rgb: 0x9A9AA2), background: Color(rgb: 0x1E1E21),
    contentBackground: Color(rgb: 0x151517), controlBackground: Color(rgb: 0x323237),
    controlHover: Color(rgb: 0x3E3E44), controlPressed: Color(rgb: 0x26262A), accent: Color(rgb: 0x4C8DF0),
    accentBackground: Color(rgb: 0x2F6FD6), accentLabel: .white, separator: Color(rgb: 0x48484F),
    selection: Color(rgb: 0x24426B), destructive: Color(rgb: 0xFF8A85),
    destructiveBackground: Color(rgb: 0xC62828))

  /// The light appearance for users who need more contrast: borders and texts in black, backgrounds in white.
  public static let lightHighContrast = Theme(
    label: .black, secondaryLabel: Color(rgb: 0x303030), background: .white, contentBackground: .white,
    controlBackground: .white, controlHover: Color(rgb: 0xE0E0E0), controlPressed: Color(rgb: 0xC4C4C4),
    accent: Color(rgb: 0x003C9E), accentBackground: Color(rgb: 0x003C9E), accentLabel: .white, separator: .black,
    selection: Color(rgb: 0x8FBCFF), destructive: Color(rgb: 0x9B0000),
    destructiveBackground: Color(rgb: 0x9B0000), isHighContrast: true)

  /// The dark appearance for users who need more contrast: borders and texts in white, backgrounds in black.
  public static let darkHighContrast = Theme(
    label: .white, secondaryLabel: Color(rgb: 0xD8D8D8), background: .black, contentBackground: .black,
    controlBackground: .black, controlHover: Color(rgb: 0x303030), controlPressed: Color(rgb: 0x505050),
    accent: Color(rgb: 0x9CC4FF), accentBackground: Color(rgb: 0x9CC4FF), accentLabel: .black, separator: .white,
    selection: Color(rgb: 0x1F4FA0), destructive: Color(rgb: 0xFF9B9B),
    destructiveBackground: Color(rgb: 0xFF9B9B), isHighContrast: true)

  /// The colours of an appearance.
  /// - Parameters:
  ///   - style: The appearance.
  ///   - highContrast: Whether the user needs more contrast, as `TraitCollection.prefersHighContrast` says.
  /// - Returns: The colours.
  public static func of(_ style: InterfaceStyle, highContrast: Bool = false) -> Theme {
    switch (style, highContrast) {
    case (.light, false): light
    case (.light, true): lightHighContrast
    case (.dark, false): dark
    case (.dark, true): darkHighContrast
    }
  }

  /// The colours of an appearance, as the user needs them.
  @MainActor static func current(_ style: InterfaceStyle) -> Theme {
    of(style, highContrast: Application.sharedIfLaunched?.traitCollection.prefersHighContrast ?? false)
  }
}

/// What the colours of a view depend on.
@MainActor struct ViewAppearance: Hashable {
  private var style: InterfaceStyle
  private let isHighContrast: Bool

  /// The appearance of views that have none of their own, and are in no window.
  static var current: ViewAppearance {
    let traits = Application.sharedIfLaunched?.traitCollection
    return ViewAppearance(
      style: UserInterfaceStyle.preferred ?? traits?.userInterfaceStyle ?? .light,
      isHighContrast: traits?.prefersHighContrast ?? false)
  }

  /// The appearance at the place of a view.
  static func of(_ view: View) -> ViewAppearance {
    var appearance = current
    let own = view.selfAndSuperviews.lazy.compactMap(\.overrideAppearance).first
    if let style = own ?? view.window?.overrideAppearance { appearance.style = style }
    return appearance
  }

  /// Notifies a view of this appearance, and its subviews: all of them, or those that were told of another one last.
  func tell(_ view: View, evenIfKnown: Bool) {
    if evenIfKnown || view.cache.appearance != self {
      view.cache.appearance = self
      view.cache.purge()
      view.appearanceDidChange()
    }
    for subview in view.subviews {
      var appearance = view.cache.appearance
      if let style = subview.overrideAppearance { appearance.style = style }
      appearance.tell(subview, evenIfKnown: evenIfKnown)
    }
  }
}

extension View {
  /// The effective appearance of the view: its own, else that of its superviews, window or program.
  public var effectiveAppearance: InterfaceStyle {
    selfAndSuperviews.lazy.compactMap(\.overrideAppearance).first ?? window?.overrideAppearance ?? .current
  }

  /// The colours for the effective appearance of the view, with more contrast where the user prefers that.
  public var theme: Theme { Theme.current(effectiveAppearance) }

  /// Notifies the view and its subviews, where they were told of another appearance than that of their place last.
  func followAppearance() {
    let appearance = ViewAppearance.of(self)
    // What is in no window is compared as a whole: each of its views is when it comes into one.
    if tree != nil || cache.appearance != appearance { appearance.tell(self, evenIfKnown: false) }
  }

  /// Notifies the view and its subviews.
  func appearanceChanged() { ViewAppearance.of(self).tell(self, evenIfKnown: true) }
}
