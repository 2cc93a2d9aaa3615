public import FoundationEssentials

extension Application {
  /// The region whose formats the user wants, in the C library's form: ``LocaleSettings/region`` as far as it is known.
  public var localeIdentifier: String { conductor?.feature(LocaleChanges.self)?.settings.region ?? "C" }

  /// Posted when ``LocaleSettings/current`` has changed: texts that were formatted for it are out of date.
  ///
  /// Once for each change, in both models; not for the settings at the launch. Nothing is posted while the program is
  /// suspended; on resumption a difference is posted once.
  public struct LocaleDidChangeMessage: ApplicationMessage {
    /// The application.
    public let application: Application
    /// The parts that have changed, at least one.
    public let changes: Set<LocaleSettings.Part>
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.LocaleDidChangeMessage> {
  /// Names ``Application/LocaleDidChangeMessage``.
  public static var localeDidChange: Self { .init() }
}
