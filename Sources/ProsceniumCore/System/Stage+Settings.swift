public import FoundationEssentials
private import Glibc
import ProsceniumTrace

/// The user's choices for all programs: how they look, and the region.
extension Stage {
  /// Somebody says what the user has chosen; answers what follows once the scenes have walked.
  func settingsChanged(_ settings: DesktopSettings, from origin: DesktopSettings.Origin) -> [Afterwards] {
    desktopSettings[origin] = settings
    let known = DesktopSettings.Origin.allCases.compactMap { desktopSettings[$0] }
    let merged = known.reduce(DesktopSettings()) { $0.filled(from: $1) }
    let (traits, before) = (merged.traits, application.traitCollection)
    application.caretBlinks = merged.caretBlinks ?? true
    application.chosenRegion = merged.region
    var afterwards: [Afterwards] = []
    if traits != before {
      application.traitCollection = traits
      trace.record("system", [("name", .text("appearance")), ("to", .text(traits.userInterfaceStyle.rawValue))])
      afterwards.append { [weak self] in self?.tellTraits(before) }
    }
    // What the program was launched with is no change, though nobody had said it yet.
    let region = application.localeIdentifier
    if region != (knownRegion ?? Application.launchRegion) {
      trace.record("system", [("name", .text("locale")), ("to", .text(region))])
      afterwards.append { [application] in
        NotificationCenter.default.post(
          Application.LocaleDidChangeMessage(application: application), subject: application)
      }
    }
    knownRegion = region
    return afterwards
  }

  /// Scenes in the background hear of it too: what they show is drawn when they come back.
  private func tellTraits(_ before: TraitCollection) {
    for record in records.ordered {
      // One that has not been anywhere yet knows how things looked when it connected.
      if record.isListed, record.surroundings == nil, var known = record.windowScene?.surroundings {
        let scale = known.traits.displayScale
        known.traits = before
        known.traits.displayScale = scale
        record.surroundings = known
      }
      noteSurroundings(of: record)
      for window in record.windowScene?.windows ?? [] { window.content?.traitsChanged() }
    }
    tellSurroundings()
    NotificationCenter.default.post(
      Application.TraitCollectionDidChangeMessage(application: application, previousTraitCollection: before),
      subject: application)
  }
}

extension Application {
  /// The region whose formats the user wants, in the C library's form (`de_DE.UTF-8`).
  ///
  /// The desktop portal's word (`org.gnome.system.locale`), soon after the launch; before that, and where nobody
  /// says, what the program was started with (`LC_ALL`, `LC_TIME`, `LANG`), else `C`. The C library's own locale does not
  /// change. See ``LocaleDidChangeMessage``.
  public var localeIdentifier: String { chosenRegion ?? Self.launchRegion }

  static var launchRegion: String {
    for name in ["LC_ALL", "LC_TIME", "LANG"] {
      if let text = getenv(name).map({ String(cString: $0) }), let region = DesktopSettings.region(text) {
        return region
      }
    }
    return "C"
  }

  /// Posted when ``Application/localeIdentifier`` has changed: what was formatted for it is out of date.
  ///
  /// Once for each change, in both models; not for what the program was launched with. While the program is suspended
  /// nothing is told; on return, once, if it differs then.
  public struct LocaleDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
  }

  /// Posted when ``Application/traitCollection`` has changed, after the scenes' own calls, in both models.
  public struct TraitCollectionDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The application.
    public typealias Subject = Application
    /// The application.
    public let application: Application
    /// What was so before.
    public let previousTraitCollection: TraitCollection
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.LocaleDidChangeMessage> {
  /// Names ``Application/LocaleDidChangeMessage``.
  public static var localeDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.TraitCollectionDidChangeMessage> {
  /// Names ``Application/TraitCollectionDidChangeMessage``.
  public static var traitCollectionDidChange: Self { .init() }
}
