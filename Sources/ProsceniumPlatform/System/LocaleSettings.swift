public import FoundationEssentials

/// The user's language, and the formats of numbers, dates and times that the user wants.
///
/// The desktop's choices count first (the desktop portal), then the environment of the program, then the machine's
/// (`org.freedesktop.locale1`), then the C library's data of the region.
public struct LocaleSettings: Hashable, Sendable {
  /// A part of the settings.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// ``LocaleSettings/languages``.
    case language
    /// ``LocaleSettings/region`` and ``LocaleSettings/numberRegion``.
    case region
    /// ``LocaleSettings/calendar`` and ``LocaleSettings/firstWeekday``.
    case calendar
    /// ``LocaleSettings/usesTwelveHourClock``.
    case timeFormat
  }

  /// The languages that the user reads, as `de_AT`, the preferred one first; none for the C library's `C`.
  ///
  /// From `LANGUAGE`, else from the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set.
  public var languages: [String] = []
  /// The region whose formats of dates and times the user wants, in the C library's form: `de_DE.UTF-8`, or `C`.
  public var region = "C"
  /// The region whose formats of numbers the user wants, in the same form.
  public var numberRegion = "C"
  /// The calendar by which the user counts years and months.
  ///
  /// By the region: the Buddhist one in Thailand, the Persian one in Iran and Afghanistan, the Gregorian one elsewhere,
  /// unless the region names another one (`th_TH@calendar=gregorian`, or `-u-ca-gregory` as BCP 47 has it).
  /// ``LocaleFormatter`` writes dates as the C library does, which are Gregorian ones in all calendars but the Buddhist
  /// one; FoundationEssentials' `Calendar` has no other ones either.
  public var calendar = Calendar.Identifier.gregorian
  /// The first day of the week, from 1 for Sunday to 7 for Saturday.
  public var firstWeekday = 1
  /// Whether times of day are written with twelve hours, as `3:00 PM`.
  public var usesTwelveHourClock = false

  /// Makes settings of the C library's `C`.
  public init() {}

  /// The parts that differ from other settings.
  /// - Parameter other: The other settings.
  /// - Returns: The parts; none where both are equal.
  public func difference(from other: LocaleSettings) -> Set<Part> {
    var parts: Set<Part> = []
    if languages != other.languages { parts.insert(.language) }
    if region != other.region || numberRegion != other.numberRegion { parts.insert(.region) }
    if calendar != other.calendar || firstWeekday != other.firstWeekday { parts.insert(.calendar) }
    if usesTwelveHourClock != other.usesTwelveHourClock { parts.insert(.timeFormat) }
    return parts
  }
}

/// Variables of the environment that name locales (locale(7)).
package struct LocaleVariables: Hashable, Sendable {
  /// Their names.
  package static let names = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_TIME", "LC_NUMERIC", "LANG"]
  private static let mostLanguages = 20

  private var values: [String: String] = [:]

  /// The variables that can name locales; others are left out.
  package init(_ values: [String: String]) {
    for (name, value) in values where Self.names.contains(name) {
      self.values[name] = DesktopSettings.region(value)
    }
  }

  /// Reads the form of locale1's property: `LANG=de_DE.UTF-8`, one a text.
  package init(assignments: [String]) {
    var values: [String: String] = [:]
    for assignment in assignments {
      let parts = assignment.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
    }
    self.init(values)
  }

  package var isEmpty: Bool { values.isEmpty }

  /// The first value of some names.
  private func first(_ names: String...) -> String? { names.lazy.compactMap { values[$0] }.first }

  /// The region for formats of times; nil where none is named.
  package var region: String? { first("LC_ALL", "LC_TIME", "LANG") }

  /// The region for formats of numbers; nil where none is named.
  package var numberRegion: String? { first("LC_ALL", "LC_NUMERIC", "LANG") }

  /// The languages, the preferred one first.
  package var languages: [String] {
    guard let messages = first("LC_ALL", "LC_MESSAGES", "LANG") else { return [] }
    guard let language = Self.language(messages) else { return [] }
    let list = first("LANGUAGE")?.split(separator: ":").prefix(Self.mostLanguages).compactMap {
      Self.language(String($0))
    }
    return list.flatMap { $0.isEmpty ? nil : $0 } ?? [language]
  }

  /// A locale without its encoding and its variant; nil for `C` and `POSIX`.
  private static func language(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return name.isEmpty || name == "C" || name == "POSIX" ? nil : String(name)
  }

  /// These variables, where they are as the machine's were at first, with the machine's present ones.
  ///
  /// A session begins with the machine's locale. Variables that the user or the session has set otherwise stay.
  /// - Parameters:
  ///   - first: The machine's variables that were known first.
  ///   - now: The machine's present variables.
  /// - Returns: The variables that count.
  package func following(_ first: LocaleVariables, to now: LocaleVariables) -> LocaleVariables {
    if isEmpty { return now }
    var result = self
    for name in Self.names where values[name] == first.values[name] { result.values[name] = now.values[name] }
    return result
  }
}

/// Observes the machine's locale, once the program wants to know it.
@MainActor package protocol LocaleMonitor: AnyObject {
  /// Follows it from now on.
  ///
  /// It is posted as ``SystemEvent/machineLocale(_:)`` when it is known, and when it has changed.
  func follow()
}
