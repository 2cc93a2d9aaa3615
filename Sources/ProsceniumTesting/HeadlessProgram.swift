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
    self.application.attach(platform: platform, trace: TraceRecorder { [weak self] in self?.take($0) })
  }

  /// Launches with a delegate, and lets everything happen that follows at once.
  package func launch(_ delegate: any ApplicationDelegate, arguments: [String] = []) {
    status = application.run(delegate: delegate, arguments: ["program"] + arguments)
    platform.deliver()
  }

  /// The lines of the trace that tell of the life cycle, in the form of ``GoldenTrace``.
  package private(set) var golden: [String] = []

  /// The lines since the last call, in the form of ``GoldenTrace``.
  package func newLines() -> [String] {
    defer { taken = golden.count }
    return Array(golden[taken...])
  }
  private var taken = 0
  private var goldenTrace = GoldenTrace()

  private func take(_ entry: TraceEntry) {
    trace.append(entry)
    if let line = goldenTrace.line(entry) { golden.append(line) }
  }
}
