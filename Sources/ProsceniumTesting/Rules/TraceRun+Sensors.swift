import ProsceniumJSON
import ProsceniumTrace

/// What is said of shakes.
extension TraceRun {
  private static let shaken = "shake"

  mutating func checkShake(_ details: TraceDetails) {
    guard case .string(let phase)? = details["phase"], case .string(let scene)? = details["scene"] else {
      return fail(.sensors, "the line lacks a key of its kind")
    }
    let begins = phase == "began"
    if begins, scenes[scene].state != .foregroundActive {
      fail(.sensors, scene, "a shake begins in \(scenes[scene].state.rawValue)")
    }
    if begins, facts[Self.shaken] != nil { fail(.sensors, scene, "a shake begins within another one") }
    if !begins, facts[Self.shaken] != .text(scene) { fail(.sensors, scene, "a shake is over that has not begun") }
    facts[Self.shaken] = begins ? .text(scene) : nil
  }

  /// A scene resigns.
  mutating func checkShake(isOverIn scene: String) {
    if facts[Self.shaken] == .text(scene) { fail(.sensors, scene, "it resigns within a shake") }
  }
}
