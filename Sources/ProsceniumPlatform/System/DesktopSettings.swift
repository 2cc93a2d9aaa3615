/// What one of those says who know the user's choices; nil where it says nothing.
package struct DesktopSettings: Hashable, Sendable {
  /// Who says so: earlier ones are believed before later ones.
  package enum Origin: Int, Hashable, Sendable, CaseIterable {
    case portal, xsettings
  }

  package var style: UserInterfaceStyle?
  package var prefersHighContrast: Bool?
  package var accentColor: Color?
  /// The region whose formats are used, as `de_DE.UTF-8`.
  package var region: String?
  package var caretBlinks: Bool?

  package init() {}

  /// This, and the other where this says nothing.
  package func filled(from other: DesktopSettings) -> DesktopSettings {
    var settings = self
    settings.style = style ?? other.style
    settings.prefersHighContrast = prefersHighContrast ?? other.prefersHighContrast
    settings.accentColor = accentColor ?? other.accentColor
    settings.region = region ?? other.region
    settings.caretBlinks = caretBlinks ?? other.caretBlinks
    return settings
  }

  /// What programs are told.
  package var traits: TraitCollection {
    var traits = TraitCollection()
    traits.userInterfaceStyle = style ?? .light
    traits.prefersHighContrast = prefersHighContrast ?? false
    traits.accentColor = accentColor
    return traits
  }

  /// A name of a region, from anybody; nil where it can be none.
  package static func region(_ text: String?) -> String? {
    guard let text, (1...100).contains(text.utf8.count) else { return nil }
    return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") } ? text : nil
  }
}
