import ProsceniumJSON
import ProsceniumTrace

extension TraceRun {
  private static let offered = "handoff offered"

  mutating func checkHandoff(_ details: TraceDetails) {
    if isSuspended || phase == .ended { return fail(.handoff, "the program is suspended") }
    let offer = facts[Self.offered]
    for field in details.fields {
      let (key, value) = (field.key, field.value)
      let type = TraceRecord.Fact.Value.text("\(value)")
      switch key {
      case "offered":
        if offer != nil { fail(.handoff, "\(value) is offered, and another activity is") }
        if scenes.mostActive < .foregroundInactive { fail(.handoff, "\(value) is offered in the background") }
        facts[Self.offered] = type
      case "withdrawn":
        if offer != type { fail(.handoff, "\(value) is withdrawn, and was not offered") }
        facts[Self.offered] = nil
      case "given":
        if offer != type { fail(.handoff, "\(value) is given, and is not offered") }
        facts["handoff given \(value)"] = .flag(true)
      case "continued":
        if facts["handoff given \(value)"] == nil { fail(.handoff, "\(value) is continued, and was not given") }
      default: break
      }
    }
  }

  /// Checks that a program that is suspended offers nothing.
  mutating func checkOffer() { if let offer = facts[Self.offered] { fail(.handoff, "\(offer) is offered") } }
}
