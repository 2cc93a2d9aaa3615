import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Reads the accelerometer again and again while it is wanted, and tells of shakes.
///
/// A sensor may take its time, and the kernel reports no acceleration by itself, so a thread reads it and looks for
/// shakes; the main thread wakes up for what it finds. There is one thread at a time, also where a sensor hangs, and
/// none where the machine has no accelerometer.
@MainActor final class ShakeWatch {
  private enum News: Sendable {
    case phase(ShakePhase)
    /// The thread has ended.
    case over
  }

  /// A thread, and the ways to it and from it.
  private struct Reader {
    let mailbox: Mailbox<News>
    let pipe: SelfPipe
    let end: SelfPipe
    /// Whether it has been told to end.
    var isEnding = false
    var registration: LoopRegistration?
  }

  /// The time between attempts to read a sensor that cannot be read, in seconds.
  private nonisolated static let patience = 1.0

  /// Whether shakes are told of.
  var isWanted = false {
    didSet {
      guard isWanted != oldValue else { return }
      if isWanted { start() } else { end() }
    }
  }

  private let folder: String
  private weak var host: (any SystemHost)?
  private let onPhase: @MainActor (ShakePhase) -> Void
  private var reader: Reader?

  /// Makes a watch that reads nothing yet.
  /// - Parameters:
  ///   - folder: The folder of the kernel's sensors.
  ///   - host: The loop.
  ///   - onPhase: Called with each step of a shake.
  init(folder: String, host: any SystemHost, onPhase: @escaping @MainActor (ShakePhase) -> Void) {
    self.folder = folder
    self.host = host
    self.onPhase = onPhase
  }

  isolated deinit { end() }

  private func start() {
    // One that ends now is followed by another one when it has ended.
    guard reader == nil, let host else { return }
    guard let pipe = SelfPipe(), let end = SelfPipe() else {
      return host.log("Shakes cannot be found: the process has no descriptors left.")
    }
    let mailbox = Mailbox<News>(waking: pipe)
    var reader = Reader(mailbox: mailbox, pipe: pipe, end: end)
    reader.registration = LoopRegistration(pipe.readEnd, host: host) { [weak self] _ in self?.receive() }
    let folder = folder
    let isRunning = DetachedThread.run {
      Self.read(folder, until: end) { mailbox.post(.phase($0)) }
      mailbox.post(.over)
    }
    if isRunning { self.reader = reader } else { host.log("Shakes cannot be found: the process has no threads left.") }
  }

  private func end() {
    reader?.isEnding = true
    reader?.end.wake()
  }

  private func receive() {
    guard let reader else { return }
    _ = reader.pipe.drain()
    for news in reader.mailbox.removeAll() {
      switch news {
      case .phase(let phase): if isWanted, !reader.isEnding { onPhase(phase) }
      case .over:
        self.reader = nil
        // A machine without an accelerometer is not asked again before the program is.
        if isWanted, reader.isEnding { start() }
      }
    }
  }

  // MARK: The thread

  private nonisolated static func read(
    _ folder: String, until end: SelfPipe, _ report: (ShakePhase) -> Void
  ) {
    guard let sensor = Accelerometer.main(in: folder) else { return }
    var detector = ShakeDetector()
    let start = ContinuousClock.now
    var pause = 0.0
    while !waits(end, pause) {
      let sample = sensor.acceleration
      let now = start.duration(to: .now) / .seconds(1)
      let phase = if let sample { detector.add(sample, at: now) } else { detector.interrupt() }
      phase.map(report)
      pause = sample == nil ? patience : ShakeDetector.interval
    }
  }

  /// Waits for some seconds; true where the thread has to end.
  private nonisolated static func waits(_ end: SelfPipe, _ seconds: Double) -> Bool {
    var entry = pollfd(fd: end.readEnd, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, Int32(seconds * 1000)) > 0
  }
}
