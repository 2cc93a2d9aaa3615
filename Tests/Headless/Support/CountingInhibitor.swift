import ProsceniumPlatform

/// An inhibitor of sleep that records its calls.
@MainActor final class CountingInhibitor: SleepInhibitor {
  private(set) var calls: [String] = []
  func inhibit(reason: String) { calls.append("inhibit") }
  func release() { calls.append("release") }
  func saved() { calls.append("saved") }
  var savingTime = 4000
}
