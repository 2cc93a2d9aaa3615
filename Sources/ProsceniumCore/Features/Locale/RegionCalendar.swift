import FoundationEssentials

/// The calendar of a region: the C library has none, but for the years of eras.
enum RegionCalendar {
  /// The names of calendars in locales (CLDR, `common/bcp47/calendar.xml`), the old ones of ICU included.
  private static let names: [String: Calendar.Identifier] = [
    "buddhist": .buddhist, "chinese": .chinese, "coptic": .coptic, "ethioaa": .ethiopicAmeteAlem,
    "ethiopic": .ethiopicAmeteMihret, "ethiopic-amete-alem": .ethiopicAmeteAlem, "gregory": .gregorian,
    "gregorian": .gregorian, "hebrew": .hebrew, "indian": .indian, "islamic": .islamic,
    "islamic-civil": .islamicCivil, "islamicc": .islamicCivil, "islamic-tbla": .islamicTabular,
    "islamic-umalqura": .islamicUmmAlQura, "iso8601": .iso8601, "japanese": .japanese, "persian": .persian,
    "roc": .republicOfChina,
  ]
  /// The territories that count by another calendar first (CLDR, `calendarPreferenceData`).
  private static let territories: [String: Calendar.Identifier] = [
    "TH": .buddhist, "IR": .persian, "AF": .persian,
  ]

  /// The calendar of a region.
  /// - Parameter region: The region, as `th_TH.UTF-8`, `th_TH@calendar=gregorian` or `th-TH-u-ca-gregory`.
  /// - Returns: The calendar that it names, else that of its territory.
  static func identifier(_ region: String) -> Calendar.Identifier {
    if let named = named(region) { return named }
    // Language, script and territory; an encoding and a variant follow.
    let parts = region.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }.dropFirst()
    return parts.first { $0.utf8.count == 2 }.flatMap { territories[$0.uppercased()] } ?? .gregorian
  }

  /// The locale without the calendar that it names in ICU's form, which the C library does not know.
  static func withoutCalendar(_ region: String) -> String {
    region.firstIndex(of: "@").flatMap { region[$0...].contains("calendar=") ? String(region[..<$0]) : nil } ?? region
  }

  private static func named(_ region: String) -> Calendar.Identifier? {
    if let at = region.firstIndex(of: "@") {
      for keyword in region[region.index(after: at)...].split(separator: ";") {
        let pair = keyword.split(separator: "=", maxSplits: 1)
        if pair.count == 2, pair[0].lowercased() == "calendar" { return names[pair[1].lowercased()] }
      }
    }
    // Subtags follow the key until the next key, which has two letters (UTS 35, section 3.2).
    let tags = region.split { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
    guard let extensions = tags.firstIndex(of: "u"), let key = tags[extensions...].firstIndex(of: "ca") else {
      return nil
    }
    return names[tags[(key + 1)...].prefix { $0.utf8.count > 2 }.joined(separator: "-")]
  }
}
