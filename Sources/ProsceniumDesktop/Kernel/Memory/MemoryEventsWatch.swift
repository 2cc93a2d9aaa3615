import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The counters of the own control group's limits, which the kernel says have changed (inotify(7)).
@MainActor final class MemoryEventsWatch {
  private let path: String
  private let file: KernelFile
  private var counters: MemoryEvents
  private var id: LoopSourceID?
  private weak var host: (any SystemHost)?
  private let onPressure: (MemoryPressure) -> Void

  /// nil where there are no such counters: the group has no limits, or is the first of all.
  init?(path: String, host: any SystemHost, onPressure: @escaping (MemoryPressure) -> Void) {
    guard let text = KernelFile.text(of: path) else { return nil }
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    file = KernelFile(descriptor)
    guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else { return nil }
    self.path = path
    self.host = host
    self.onPressure = onPressure
    counters = MemoryEvents(text: text)
    id = host.watch(
      LoopSource(descriptor: descriptor, interest: .readable) { [weak self] isGone in self?.heard(isGone: isGone) })
  }

  func stop() {
    if let id { host?.unwatch(id) }
    id = nil
  }

  private func heard(isGone: Bool) {
    _ = file.drain()
    // A group that is gone takes its file with it.
    guard !isGone, let text = KernelFile.text(of: path) else { return stop() }
    let now = MemoryEvents(text: text)
    let before = counters
    counters = now
    if let pressure = now.pressure(since: before) { onPressure(pressure) }
  }
}
