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
  private let isHurried = DispatchSemaphore(value: 0)
  /// How long a patient write waits before it tries again.
  private static let patience = DispatchTimeInterval.seconds(1)

  init(number: Int) { self.number = number }

  /// Changes the file.
  /// - Parameters:
  ///   - isPatient: Whether what fails is tried again, until ``hurry()`` is called.
  ///   - body: Changes the file.
  ///   - whenDone: Called on the main thread, later.
  func start(
    isPatient: Bool = false, _ body: @escaping @Sendable () -> PreferencesFile.Outcome,
    whenDone: @escaping @MainActor () -> Void
  ) {
    let change: @Sendable (Bool) -> Void = { [self] isPatient in
      var outcome = body()
      while isPatient, outcome.failure != nil, !outcome.isRefused,
        isHurried.wait(timeout: .now() + Self.patience) == .timedOut
      { outcome = body() }
      result.withLock { $0 = outcome }
      isDone.signal()
      DispatchQueue.main.async { whenDone() }
    }
    // Without a thread the file is changed here, which blocks.
    if !DetachedThread.run({ change(isPatient) }) { change(false) }
  }

  /// Ends the patience of a patient write.
  func hurry() { isHurried.signal() }

  /// The outcome; nil while the write is under way.
  var outcome: PreferencesFile.Outcome? { result.withLock { $0 } }

  /// Waits until it is done, or the time is over; returns whether it is.
  func wait(until end: DispatchTime) -> Bool { outcome != nil || isDone.wait(timeout: end) == .success }
}
