public import ProsceniumCore

/// Dark on light, or light on dark.
public typealias InterfaceStyle = UserInterfaceStyle

extension UserInterfaceStyle {
  /// What windows look like that say nothing themselves; the user's own choice where nil, as at first.
  ///
  /// Windows that are there already change at once.
  @MainActor public static var preferred: UserInterfaceStyle? {
    didSet { if oldValue != preferred { ViewTree.preferenceChanged() } }
  }

  /// What counts: the program's choice, else the user's (``Application/traitCollection``).
  @MainActor static var current: UserInterfaceStyle {
    preferred ?? Application.sharedIfLaunched?.traitCollection.userInterfaceStyle ?? .light
  }
}

/// Colours by what they are for.
public struct Theme: Hashable, Sendable {
  /// Letters.
  public var label: Color
  /// Letters that matter less.
  public var secondaryLabel: Color
  /// What a window is filled with.
  public var background: Color
  /// What a text or a list is filled with.
  public var contentBackground: Color
  /// What a control is filled with.
  public var controlBackground: Color
  /// The same under the pointer.
  public var controlHover: Color
  /// The same while it is pressed.
  public var controlPressed: Color
  /// What stands out, and the ring around what has the keyboard.
  public var accent: Color
  /// Letters on what stands out.
  public var accentLabel: Color
  /// Lines between things, and edges of controls.
  public var separator: Color
  /// What is behind selected text.
  public var selection: Color
  /// What cannot be undone.
  public var destructive: Color

  /// Dark on light.
  public static let light = Theme(
    label: Color(rgb: 0x1C1C1E), secondaryLabel: Color(rgb: 0x6A6A70), background: Color(rgb: 0xF2F2F4),
    contentBackground: .white, controlBackground: Color(rgb: 0xFFFFFF), controlHover: Color(rgb: 0xE9E9EE),
    controlPressed: Color(rgb: 0xD6D6DC), accent: Color(rgb: 0x1A66D6), accentLabel: .white,
    separator: Color(rgb: 0xC6C6CC), selection: Color(rgb: 0xB4D2FA), destructive: Color(rgb: 0xC62828))

  /// Light on dark.
  public static let dark = Theme(
    label: Color(rgb: 0xEDEDF0), secondaryLabel: Color(rgb: 0x9A9AA2), background: Color(rgb: 0x1E1E21),
    contentBackground: Color(rgb: 0x151517), controlBackground: Color(rgb: 0x323237),
    controlHover: Color(rgb: 0x3E3E44), controlPressed: Color(rgb: 0x26262A), accent: Color(rgb: 0x4C8DF0),
    accentLabel: .white, separator: Color(rgb: 0x48484F), selection: Color(rgb: 0x2C4F80),
    destructive: Color(rgb: 0xEF5350))

  /// The colours of a style.
  public static func of(_ style: InterfaceStyle) -> Theme { style == .dark ? dark : light }
}

extension View {
  /// Whether the view is dark on light or the other way round, by its own wish or what is around it.
  public var effectiveAppearance: InterfaceStyle {
    var current: View? = self
    while let view = current {
      if let style = view.overrideAppearance { return style }
      current = view.superview
    }
    return window?.overrideAppearance ?? .current
  }

  /// The colours that the view draws with.
  public var theme: Theme { Theme.of(effectiveAppearance) }

  /// Tells the view and all that it holds.
  func appearanceChanged() {
    cache.surface = nil
    appearanceDidChange()
    for view in subviews { view.appearanceChanged() }
  }
}
