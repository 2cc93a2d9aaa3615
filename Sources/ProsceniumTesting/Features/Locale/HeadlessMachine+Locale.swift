import ProsceniumCore

/// The user's language and formats.
///
/// The choices count for the present process: another one begins with those of the environment.
extension HeadlessMachine {
  /// The user chooses formats in the settings of the desktop; choices that are nil are the region's, or the
  /// environment's.
  /// - Parameters:
  ///   - region: The region, as `de_DE.UTF-8`.
  ///   - usesTwelveHourClock: Whether times of day are written with twelve hours.
  ///   - firstWeekday: The first day of the week, from 1 for Sunday to 7 for Saturday; another number is no choice.
  public func chooseFormats(
    region: String? = nil, usesTwelveHourClock: Bool? = nil, firstWeekday: Int? = nil
  ) {
    settings.region = DesktopSettings.region(region)
    settings.usesTwelveHourClock = usesTwelveHourClock
    settings.firstWeekday = firstWeekday.flatMap { (1...7).contains($0) ? $0 : nil }
    post(.settings(settings))
  }

  /// The machine's locale is known, or has been changed (`org.freedesktop.locale1`).
  ///
  /// It counts where the environment names no locale, or the one that was the machine's at first.
  /// - Parameter variables: The variables, as `LANG=de_DE.UTF-8`.
  public func setMachineLocale(_ variables: String...) { post(.machineLocale(LocaleVariables(assignments: variables))) }
}
