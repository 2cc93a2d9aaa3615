import ProsceniumJSON
import ProsceniumStore
import ProsceniumTrace

/// Copies the program's default data before the launch callbacks, and tells them which launch it is.
///
/// A program whose manifest has neither data nor a version opens nothing.
final class FirstLaunch: FeatureBase, Feature {
  static let manifestProperties: [ManifestProperty] = [
    .value("version", "a string", \.version) { value in value.text.map { .some($0) } },
    .object("defaultData", \.defaultData, DefaultData.properties),
  ]

  override func moment(_ moment: Moment) -> [FeatureAction] {
    guard case .launching = moment else { return [] }
    let manifest = application.resolvedManifest
    guard manifest.version != nil || !manifest.defaultData.isEmpty, let open = application.host.programData
    else { return [] }
    let copy = DefaultDataCopy(data: manifest.defaultData, version: manifest.version ?? "")
    var outcome = DefaultDataCopy.Outcome()
    do throws(StoreError) {
      let support = try open(.support(applicationIdentifier: conductor.identity.id))
      outcome = copy.run(
        from: { names throws(StoreError) in
          try open(.program(folder: manifest.defaultData.folder, names: names))
        }, to: support)
    } catch {
      outcome.problem = "\(error)"
    }
    conductor.feature(Launch.self)?.options.firstLaunch = outcome.launch
    return lines(outcome)
  }

  private func lines(_ outcome: DefaultDataCopy.Outcome) -> [FeatureAction] {
    var actions: [FeatureAction] = []
    if let problem = outcome.problem {
      actions.append(
        .report("The default data of \(conductor.identity.id) were not copied as they should be: \(problem)."))
    }
    var details: TraceDetails = [:]
    switch outcome.launch {
    case .no: return actions
    case .ofProgram: break
    case .ofVersion(let last): details.append("from", .string(last))
    }
    details.append("copied", .int(outcome.copied))
    details.append("kept", .int(outcome.kept))
    return actions + [.trace(.system("firstLaunch", details))]
  }
}
