import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumTrace

/// Tracks the user's language and formats, and reports changes to the program.
final class LocaleChanges: FeatureBase, Feature {
  private let environment = LocaleVariables(environment: LocaleVariables.names)
  private var desktop = DesktopSettings()
  /// The machine's variables that were known first, and the present ones.
  private var machine: (first: LocaleVariables, now: LocaleVariables)?
  /// The present settings.
  private(set) lazy var settings = makeSettings()

  /// The program wants to know the machine's locale.
  func follow() { application.host.machine.locale?.follow() }

  override func join(_ lists: inout FeatureLists) { lists.answer(.handle, .whileSuspended, by: self) }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    let before = settings
    switch event {
    case .settings(let settings): desktop = settings
    case .machineLocale(let variables): machine = (machine?.first ?? variables, variables)
    default: return []
    }
    settings = makeSettings()
    let changes = settings.difference(from: before)
    guard !changes.isEmpty else { return [] }
    let parts = changes.map(\.rawValue).sorted().map { JSONValue.string($0) }
    let numbers = settings.numberRegion == settings.region ? nil : JSONValue.string(settings.numberRegion)
    return [
      .traceSystem(
        "locale", ["to": .string(settings.region), "numbers": numbers, "changes": .array(parts)]),
      .callAfterSettling(LocaleCall(changes: changes)),
    ]
  }

  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .machineLocale = event { .kept(kind: "locale", rank: 2) } else { nil }
  }

  private func makeSettings() -> LocaleSettings {
    let variables = machine.map { environment.following($0.first, to: $0.now) } ?? environment
    var settings = LocaleSettings()
    settings.languages = variables.languages
    settings.region = desktop.region ?? variables.region ?? settings.region
    settings.numberRegion = desktop.region ?? variables.numberRegion ?? settings.numberRegion
    settings.calendar = RegionCalendar.identifier(settings.region)
    let known = RegionFormats(settings.region)
    settings.firstWeekday = desktop.firstWeekday ?? known.firstWeekday
    settings.usesTwelveHourClock = desktop.usesTwelveHourClock ?? known.usesTwelveHourClock
    return settings
  }
}

/// Posts that the user's language or formats are other ones.
private struct LocaleCall: Notice {
  var changes: Set<LocaleSettings.Part>
  var call: CallDescription { CallDescription("Application.LocaleDidChangeMessage", phase: .event) }

  func send(to application: Application) {
    Application.LocaleDidChangeMessage(application: application, changes: changes).post()
  }
}

extension LocaleVariables {
  /// Reads the variables of these names.
  fileprivate init(environment names: [String]) {
    var values: [String: String] = [:]
    for name in names { values[name] = getenv(name).map { String(cString: $0) } }
    self.init(values)
  }
}

extension LocaleSettings {
  /// The user's present settings.
  ///
  /// The first use asks the machine's service (`locale1`) too, which is not waited for: a difference is reported by
  /// ``Application/LocaleDidChangeMessage``. The C library's own locale does not change.
  @MainActor public static var current: LocaleSettings {
    guard let feature = Application.shared.conductor?.feature(LocaleChanges.self) else { return LocaleSettings() }
    feature.follow()
    return feature.settings
  }
}
