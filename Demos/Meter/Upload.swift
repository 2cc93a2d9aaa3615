import Dispatch
import Proscenium

/// A hundred pieces that are sent one after the other, slowly: work that completes in the background.
///
/// Belongs to its session, and not to a scene or a window: it outlives both.
@MainActor final class Upload {
  static var seconds = 10.0
  static var beginsAtOnce = false
  private static var all: [String: Upload] = [:]

  /// The upload of a session, from an earlier connection or none yet.
  static func of(_ session: SceneSession) -> Upload {
    let upload = all[session.persistentIdentifier] ?? Upload(session)
    all[session.persistentIdentifier] = upload
    return upload
  }

  /// How many pieces have arrived.
  var sent = 0
  var isRunning: Bool { timer != nil }
  /// The background time ran out; the upload continues when the scene is back.
  private(set) var isInterrupted = false
  /// Called for every piece.
  var changed: () -> Void = {}
  private let session: SceneSession
  private var timer: (any DispatchSourceTimer)?
  private var task = BackgroundTaskIdentifier.invalid

  private init(_ session: SceneSession) { self.session = session }

  func begin() {
    guard timer == nil else { return }
    if sent >= 100 { sent = 0 }
    task = Application.shared.beginBackgroundTask(withName: "upload") { [weak self] in self?.interrupt() }
    guard task != .invalid else {
      isInterrupted = true
      return log("no time for the upload", session)
    }
    isInterrupted = false
    log("upload begins at \(sent) %", session)
    let timer = DispatchSource.makeTimerSource(queue: .main)
    let step = Upload.seconds / 100
    timer.schedule(deadline: .now() + step, repeating: step)
    timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.send() } }
    timer.resume()
    self.timer = timer
  }

  private func send() {
    sent += 1
    changed()
    if sent >= 100 { end("upload done") }
  }

  /// The time is nearly over: pieces that have arrived are kept, the rest waits.
  private func interrupt() {
    isInterrupted = true
    end("upload interrupted at \(sent) %, to go on later")
  }

  private func end(_ message: String) {
    timer?.cancel()
    timer = nil
    let left = Application.shared.backgroundTimeRemaining
    log(message + (left < .seconds(1_000_000) ? ", \(left.components.seconds) s of background time left" : ""), session)
    Application.shared.endBackgroundTask(task)
    task = .invalid
    changed()
  }
}
