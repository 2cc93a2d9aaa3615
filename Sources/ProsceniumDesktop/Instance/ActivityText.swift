import FoundationEssentials
import ProsceniumPlatform

/// An activity as a text for another instance: the JSON in which activities are stored.
enum ActivityText {
  static func write(_ activity: StoredActivity) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(activity)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func read(_ text: String) -> StoredActivity? {
    try? JSONDecoder().decode(StoredActivity.self, from: Data(text.utf8))
  }
}
