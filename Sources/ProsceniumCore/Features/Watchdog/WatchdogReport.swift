/// The report of a callback that exceeded its time limit.
struct WatchdogReport {
  /// The watched call.
  var watch: WatchdogState.Watch
  /// The callback that was running, where the launch exceeded its limit.
  var running: CallDescription?
  var application: String
  var process: Int32
  /// As `2026-01-31T23:59:59Z`.
  var date: String
  /// Whether the process is ended now.
  var ends: Bool
  var threads: [ThreadBacktrace] = []

  /// Longer ones are cut.
  static let mostCharacters = 64 * 1024

  /// One sentence: which callback, which scene, how long.
  var headline: String {
    let seen = Self.seconds(watch.seen)
    let limit = Self.seconds(watch.limit ?? 0)
    let scene = (watch.callback.scene ?? running?.scene).map { " of the scene \($0)" } ?? ""
    if watch.callback.phase == .launch {
      let place = running.map { "\($0.name)\(scene) is running" } ?? "no callback is running"
      return "The launch has taken \(seen) s, and the limit is \(limit) s: \(place)."
    }
    return "\(watch.callback.name)\(scene) has not returned for \(seen) s, and the limit is \(limit) s (\(phase))."
  }

  /// The phase that the limit belongs to.
  private var phase: String {
    switch watch.callback.phase {
    case .launch: "launch"
    case .background: "return from an entry to the background"
    case .termination: "willTerminate"
    case .update: "answer to a scene update"
    case .event, .question: "event"
    }
  }

  /// The whole report.
  var text: String {
    var symbols = Symbolizer()
    var lines = [
      "Proscenium: \(headline)",
      "Program \(application), process \(process), \(date). \(ends ? "The process is killed." : "The program runs on.")",
    ]
    for thread in threads {
      lines.append("")
      lines.append("Thread \(thread.thread) \"\(thread.name)\"\(thread.thread == process ? ", the main thread" : "")")
      guard let frames = thread.frames else {
        lines.append("  did not answer: it takes no signals, or has ended")
        continue
      }
      for (index, frame) in frames.enumerated() {
        // A return address belongs to the instruction after the call.
        lines.append("  \(index)  \(symbols.describe(index == 0 ? frame : frame &- 1))")
      }
    }
    return String(lines.joined(separator: "\n").prefix(Self.mostCharacters)) + "\n"
  }

  /// With two decimals, rounded down.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let hundredths = nanoseconds / 10_000_000
    let (whole, part) = (hundredths / 100, hundredths % 100)
    if part == 0 { return "\(whole)" }
    return "\(whole)." + (part < 10 ? "0" : "") + (part % 10 == 0 ? "\(part / 10)" : "\(part)")
  }
}
