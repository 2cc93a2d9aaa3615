import FoundationEssentials
import Proscenium

/// The current activity, which other programs may continue.
@MainActor enum Offers {
  private static var activity: UserActivity?

  /// `offer`: begins an activity; `offer 500`: lets it expire in so many milliseconds.
  static func perform(_ words: [Substring]) -> Bool {
    switch words.count {
    case 1:
      activity = UserActivity(activityType: "org.proscenium.Scenario.page")
      activity?.becomeCurrent()
      return true
    case 2:
      guard let activity, let milliseconds = Double(words[1]) else { return false }
      activity.expirationDate = Date(timeIntervalSinceNow: milliseconds / 1000)
      return true
    default: return false
    }
  }
}
