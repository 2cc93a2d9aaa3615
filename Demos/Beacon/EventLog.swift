import FoundationEssentials
import Glibc
import Proscenium

/// All events since the launch, and their listeners.
@MainActor final class EventLog {
  /// Where an event comes from; each has its colour.
  enum Source: String, CaseIterable {
    case launch, scene, request, user, time, power, accessory, sensor, location, display, preference, memory, media
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

  /// Keeps the program running although nobody looks, as one that waits for others does.
  private var hold: ExecutionToken?

  /// Holds the execution mode, or ends it.
  func toggleHold() {
    hold = hold == nil ? Application.shared.beginExecution(.network, reason: "listening") : nil
    let modes = ExecutionMode.held.map(\.rawValue).sorted().joined(separator: ", ")
    record(.launch, modes.isEmpty ? "holds no execution mode" : "holds the execution mode \(modes)")
  }

  static let task = "org.proscenium.Beacon.task"

  /// Lists its task when it runs; where Beacon has ended, it is started for it.
  func registerTask() {
    BackgroundScheduler.shared.register(forTaskWithIdentifier: Self.task) { [weak self] task in
      self?.record(.time, "the task runs")
      task.setTaskCompleted(success: true)
    }
  }

  /// Requests the task, a second from now.
  func requestTask() {
    do {
      try BackgroundScheduler.shared.submit(
        ProcessingTaskRequest(identifier: Self.task, earliestBeginDate: Date(timeIntervalSinceNow: 1)))
      record(.time, "a task is requested")
    } catch {
      record(.time, "\(error)")
    }
  }

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
