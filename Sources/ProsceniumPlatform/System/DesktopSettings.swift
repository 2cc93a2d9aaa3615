/// The user's choices that one source knows; nil for others.
package struct DesktopSettings: Hashable, Sendable {
  /// The sources, the one that is preferred first.
  package enum Origin: Int, Hashable, Sendable, CaseIterable {
    case portal, xsettings
  }

  package var style: UserInterfaceStyle?
  package var prefersHighContrast: Bool?
  package var accentColor: Color?
  /// The region for formats, as `de_DE.UTF-8`.
  package var region: String?
  /// Whether times of day are written with twelve hours.
  package var usesTwelveHourClock: Bool?
  /// The first day of the week, from 1 for Sunday to 7 for Saturday.
  package var firstWeekday: Int?
  package var caretBlinks: Bool?
  package var prefersReducedMotion: Bool?

  package init() {}

  /// These settings, with those of another source for choices that are nil.
  package func filled(from other: DesktopSettings) -> DesktopSettings {
    var settings = self
    settings.style = style ?? other.style
    settings.prefersHighContrast = prefersHighContrast ?? other.prefersHighContrast
    settings.accentColor = accentColor ?? other.accentColor
    settings.region = region ?? other.region
    settings.usesTwelveHourClock = usesTwelveHourClock ?? other.usesTwelveHourClock
    settings.firstWeekday = firstWeekday ?? other.firstWeekday
    settings.caretBlinks = caretBlinks ?? other.caretBlinks
    settings.prefersReducedMotion = prefersReducedMotion ?? other.prefersReducedMotion
    return settings
  }

  /// The traits for programs.
  package var traits: TraitCollection {
    var traits = TraitCollection()
    traits.userInterfaceStyle = style ?? .light
    traits.prefersHighContrast = prefersHighContrast ?? false
    traits.prefersReducedMotion = prefersReducedMotion ?? false
    traits.accentColor = accentColor
    return traits
  }

  /// Checks a region's name that comes from another program; nil where it cannot be one.
  package static func region(_ text: String?) -> String? {
    guard let text, (1...100).contains(text.utf8.count) else { return nil }
    return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") } ? text : nil
  }
}
