import Glibc
import Proscenium

/// All events since the launch, and their listeners.
@MainActor final class EventLog {
  /// Where an event comes from; each has its colour.
  enum Source: String, CaseIterable {
    case launch, scene, request, user, time, power, display, preference, memory, media
  }

  struct Entry {
    var time: String
    var source: Source
    var text: String
  }

  static let shared = EventLog()
  /// The number of stored events.
  private static let limit = 500

  /// The latest one first.
  private(set) var entries: [Entry] = []
  /// Called for every new event.
  var listeners: [ObjectIdentifier: @MainActor () -> Void] = [:]

  /// Shows an event in every window, and as a line on standard output.
  func record(_ source: Source, _ text: String) {
    let text = Self.printable(text)
    let time = Self.time
    entries.insert(Entry(time: time, source: source, text: text), at: 0)
    if entries.count > Self.limit { entries.removeLast() }
    let line = "\(time) \(source.rawValue): \(text)\n"
    _ = line.withCString { write(1, $0, strlen($0)) }
    for listener in listeners.values { listener() }
  }

  /// Text of other programs is shown without control characters.
  private static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(500).map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static var time: String {
    var now = time_t()
    Glibc.time(&now)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
