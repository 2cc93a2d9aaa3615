import Glibc
import Proscenium

/// A thread that begins a background task, and ends it, when a byte comes through the pipe that `--hold=` names:
/// while the loop sleeps.
enum Holding {
  private final class Work: Sendable {
    let path: String
    let application: Application
    init(_ path: String, _ application: Application) { (self.path, self.application) = (path, application) }

    func run() {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0, waits(descriptor) else { return }
      let task = application.beginBackgroundTask(withName: "held by a thread")
      say("held")
      guard waits(descriptor) else { return }
      say("let go")
      application.endBackgroundTask(task)
    }

    private func waits(_ descriptor: Int32) -> Bool {
      var byte: UInt8 = 0
      return read(descriptor, &byte, 1) == 1
    }

    private func say(_ line: String) { _ = (line + "\n").withCString { write(1, $0, strlen($0)) } }
  }

  @MainActor static func begin(_ arguments: [String]) {
    guard let path = arguments.first(where: { $0.hasPrefix("--hold=") })?.dropFirst(7) else { return }
    start(Work(String(path), Application.shared))
  }

  private static func start(_ body: Work) {
    let work = Unmanaged.passRetained(body).toOpaque()
    var thread: pthread_t = 0
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, work)
  }
}
