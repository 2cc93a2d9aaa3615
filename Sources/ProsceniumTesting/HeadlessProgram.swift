package import ProsceniumCore
import SceneLifecycle

/// A program on the headless platform: an application, its delegate, and the trace as it grows.
@MainActor package final class HeadlessProgram {
  package let application: Application
  package let platform = HeadlessPlatform()
  package private(set) var trace: [TraceEntry] = []
  package private(set) var status: Int32?

  /// An application that has not been launched yet.
  package init(application: Application? = nil) {
    self.application = application ?? Application()
    self.application.attach(platform: platform, trace: TraceRecorder { [weak self] in self?.trace.append($0) })
  }

  /// Launches with a delegate, and lets everything happen that follows at once.
  package func launch(_ delegate: any ApplicationDelegate, arguments: [String] = []) {
    status = application.run(delegate: delegate, arguments: ["program"] + arguments)
    platform.deliver()
  }

  /// The lines of the trace so far that tell of the life cycle, in the form of ``GoldenTrace``.
  package var golden: [String] { GoldenTrace.lines(trace) }

  /// The lines since the last call, in the form of ``GoldenTrace``.
  package func newLines() -> [String] {
    let all = golden
    defer { taken = all.count }
    return Array(all.dropFirst(taken))
  }
  private var taken = 0
}
