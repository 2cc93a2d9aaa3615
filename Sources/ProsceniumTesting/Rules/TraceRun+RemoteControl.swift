import ProsceniumJSON
import ProsceniumTrace

extension TraceRun {
  mutating func checkRemoteControl(_ details: TraceDetails) {
    if isSuspended || phase >= .terminated { fail(.remoteControl, "the program does not run") }
    let key = "remoteControl receives"
    let receives = facts[key] == .flag(true)
    if let value = details["receives"] {
      if value == .bool(receives) { fail(.remoteControl, "receiving begins or ends twice") }
      facts[key] = .flag(value == .bool(true))
    } else if !receives {
      fail(.remoteControl, "\(details["command"].map { "\($0)" } ?? "a command") is delivered, and none are received")
    }
  }
}
