import ProsceniumPlatform

/// Reports the user's choices that the desktop portal knows (`org.freedesktop.portal.Settings`): light or dark,
/// contrast, the accent colour, less motion, the region, the clock and the week.
///
/// They are read whenever the portal appears; it is not started for that. Changes are reported at once, as long as
/// there are few of them: see ``PacedReports``.
@MainActor final class SettingsSource {
  private static let appearance = "org.freedesktop.appearance"
  private static let locale = "org.gnome.system.locale"
  private static let interface = "org.gnome.desktop.interface"
  private static let calendar = "org.gnome.desktop.calendar"
  /// The keys that are read, by namespace.
  ///
  /// No others are kept, and no value that is longer than any that counts: what a portal sends has no limit.
  private static let keys: [String: Set<String>] = [
    appearance: ["color-scheme", "contrast", "accent-color", "reduced-motion"], locale: ["region"],
    interface: ["enable-animations", "clock-format"], calendar: ["week-start-day"],
  ]
  private static let longestText = 256
  private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

  private let bus: Bus
  private let host: any SystemHost
  /// The portal's values, by namespace and key.
  private(set) var values: [String: [String: BusValue]] = [:]
  private let reports = PacedReports(.settings(DesktopSettings()))

  init(bus: Bus, host: any SystemHost) {
    self.bus = bus
    self.host = host
    for namespace in Self.keys.keys.sorted() {
      let rule = BusRule(
        sender: Portal.name, path: Portal.path, interface: Portal.interface + ".Settings", name: "SettingChanged",
        firstText: namespace)
      bus.subscribe(rule) { [weak self] in self?.changed($0.values, in: namespace) }
    }
    bus.onOwner(of: Portal.name) { [weak self] owner in self?.ownerChanged(owner) }
  }

  private func ownerChanged(_ owner: String?) {
    guard let owner else {
      values = [:]
      return report()
    }
    read(from: owner)
  }

  /// - Parameters:
  ///   - owner: The portal.
  ///   - silences: How often it has not answered.
  private func read(from owner: String, silences: Int = 0) {
    // A method of version 1, in which `Read` wraps each value twice and `ReadOne` is missing.
    let member = Portal.member("Settings", "ReadAll")
    let namespaces = Self.keys.keys.sorted().map { BusValue.string($0) }
    bus.call(Portal.name, member, [.array(of: "s", namespaces)]) { [weak self] result in
      guard let self, bus.owner(of: Portal.name) == owner else { return }
      if case .failure(let failure) = result, failure.isSilence {
        return bus.again(after: silences) { [weak self] in
          if let self, bus.owner(of: Portal.name) == owner { read(from: owner, silences: silences + 1) }
        }
      }
      guard let all = (try? result.get())?.first?.properties else { return }
      values = [:]
      for (namespace, pairs) in all { for (key, value) in pairs.properties ?? [:] { keep(value, key, in: namespace) } }
      report()
    }
  }

  private func changed(_ signal: [BusValue], in namespace: String) {
    guard signal.count == 3, let key = signal[1].text else { return }
    keep(signal[2].plain, key, in: namespace)
    report()
  }

  private func keep(_ value: BusValue, _ key: String, in namespace: String) {
    guard Self.keys[namespace]?.contains(key) == true else { return }
    values[namespace, default: [:]][key] = Self.isShort(value) ? value : nil
  }

  private static func isShort(_ value: BusValue) -> Bool {
    switch value {
    case .bool, .whole, .double: true
    case .string(let text): text.utf8.count <= longestText
    // A colour.
    case .structure(let fields): fields.count == 3 && fields.allSatisfy { $0.signature == "d" }
    case _: false
    }
  }

  private func report() {
    reports.update(host) { [weak self] in (self?.values).map { .settings(Self.settings($0)) } }
  }

  /// The settings in the portal's values; values of another type, or outside the range, are left out.
  private static func settings(_ values: [String: [String: BusValue]]) -> DesktopSettings {
    var settings = DesktopSettings()
    let appearance = values[appearance] ?? [:]
    // 0 is no preference.
    switch appearance["color-scheme"]?.integer {
    case 1: settings.style = .dark
    case 2: settings.style = .light
    case _: break
    }
    settings.prefersHighContrast = appearance["contrast"]?.integer.map { $0 == 1 }
    settings.accentColor = appearance["accent-color"].flatMap { Color($0) }
    let animations = values[interface]?["enable-animations"]?.bool
    settings.prefersReducedMotion = appearance["reduced-motion"]?.integer == 1 ? true : animations.map { !$0 }
    settings.region = DesktopSettings.region(values[locale]?["region"]?.text)
    switch values[interface]?["clock-format"]?.text {
    case "12h": settings.usesTwelveHourClock = true
    case "24h": settings.usesTwelveHourClock = false
    case _: break
    }
    // The region's where it is `default`.
    settings.firstWeekday = values[calendar]?["week-start-day"]?.text.flatMap { weekdays.firstIndex(of: $0) }.map {
      $0 + 1
    }
    return settings
  }
}

extension Color {
  /// A colour of the portal: red, green and blue from 0 to 1; nil for anything else.
  init?(_ value: BusValue) {
    let parts = (value.fields ?? []).compactMap { part -> Double? in
      if case .double(let number) = part, (0...1).contains(number) { number } else { nil }
    }
    guard parts.count == 3, value.fields?.count == 3 else { return nil }
    self.init(rgb: parts.reduce(0) { $0 << 8 | UInt32(($1 * 255).rounded()) })
  }
}
