import ProsceniumLoop
import ProsceniumPlatform

/// Watches the counters of the limits of the process's control group (`memory.events`).
@MainActor final class MemoryEventsWatch {
  private let path: String
  private var counters: MemoryEvents
  private var watch: FileWatch?
  private let onPressure: (MemoryPressure) -> Void

  /// Begins to watch; nil where there are no such counters: the group has no limits, or is the first of all.
  /// - Parameters:
  ///   - path: The path of `memory.events`.
  ///   - host: The loop.
  ///   - onPressure: Called when the counters show that memory is short.
  init?(path: String, host: any SystemHost, onPressure: @escaping (MemoryPressure) -> Void) {
    guard let text = KernelFile.text(of: path) else { return nil }
    self.path = path
    self.onPressure = onPressure
    counters = MemoryEvents(text: text)
    watch = try? FileWatch(path, for: .contents, host: host) { [weak self] _ in self?.readCounters() }
    if watch == nil { return nil }
  }

  private func readCounters() {
    // A group that is removed takes its file with it.
    guard let text = KernelFile.text(of: path) else { return watch = nil }
    let now = MemoryEvents(text: text)
    let before = counters
    counters = now
    if let pressure = now.pressure(since: before) { onPressure(pressure) }
  }
}
