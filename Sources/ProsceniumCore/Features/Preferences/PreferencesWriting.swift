internal import Dispatch
import ProsceniumLoop
import ProsceniumStore
import Synchronization

/// One change of the file, in progress on a thread of its own.
final class PreferencesWriting: Sendable {
  /// The number of the last choice in it.
  let number: Int
  private let result = Mutex<PreferencesFile.Outcome?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(number: Int) { self.number = number }

  /// Changes the file; `whenDone` is called on the main thread, later.
  func start(_ body: @escaping @Sendable () -> PreferencesFile.Outcome, whenDone: @escaping @MainActor () -> Void) {
    let change: @Sendable () -> Void = { [self] in
      let outcome = body()
      result.withLock { $0 = outcome }
      isDone.signal()
      DispatchQueue.main.async { whenDone() }
    }
    // Without a thread the file is changed here, which blocks.
    if !DetachedThread.run(change) { change() }
  }

  /// The outcome; nil while the write is under way.
  var outcome: PreferencesFile.Outcome? { result.withLock { $0 } }

  /// Waits until it is done, or the time is over; returns whether it is.
  func wait(until end: DispatchTime) -> Bool { outcome != nil || isDone.wait(timeout: end) == .success }
}
