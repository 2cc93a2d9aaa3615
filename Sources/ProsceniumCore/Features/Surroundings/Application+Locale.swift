public import FoundationEssentials
private import Glibc

extension Application {
  /// The region whose formats the user wants, in the C library's form (`de_DE.UTF-8`).
  ///
  /// From the desktop portal (`org.gnome.system.locale`), soon after the launch; before that, and without a
  /// portal, from the environment (`LC_ALL`, `LC_TIME`, `LANG`), else `C`. The C library's own locale does not
  /// change. See ``LocaleDidChangeMessage``.
  public var localeIdentifier: String {
    conductor?.feature(Surroundings.self)?.chosenRegion ?? Surroundings.launchRegion
  }

  /// Posted when ``Application/localeIdentifier`` has changed: texts that were formatted for it are out of date.
  ///
  /// Once for each change, in both models; not for the value at the launch. Nothing is posted while the program is
  /// suspended; on resumption a difference is posted once.
  public struct LocaleDidChangeMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }

  /// Posted when ``Application/traitCollection`` has changed, after the scenes' own calls, in both models.
  public struct TraitCollectionDidChangeMessage: ApplicationMessage {
    /// The application.
    public let application: Application
    /// The traits before the change.
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

/// Posts that the region is another one.
struct LocaleCall: Notice {
  var call: CallDescription { CallDescription("Application.LocaleDidChangeMessage", phase: .event) }

  func send(to application: Application) { Application.LocaleDidChangeMessage(application: application).post() }
}

/// Posts that the user's choice for all programs is another one.
struct TraitsCall: Notice {
  var before: TraitCollection
  var call: CallDescription { CallDescription("Application.TraitCollectionDidChangeMessage", phase: .event) }

  func send(to application: Application) {
    Application.TraitCollectionDidChangeMessage(application: application, previousTraitCollection: before).post()
  }
}

extension Surroundings {
  /// The region of the environment, in the C library's form.
  static var launchRegion: String {
    for name in ["LC_ALL", "LC_TIME", "LANG"] {
      if let text = getenv(name).map({ String(cString: $0) }), let region = DesktopSettings.region(text) {
        return region
      }
    }
    return "C"
  }
}
