internal import Glibc

/// Writes batches one after another, on a thread that exists while there is something to write.
///
/// A thread of its own, not a queue of libdispatch's: those look after their threads once a second for ever, and an
/// idle program would never sleep.
final class StoreWriter: @unchecked Sendable {
  private let files: any StoreFiles
  private let runsInline: Bool
  /// Called on any thread when there are failures to take.
  private let notify: @Sendable () -> Void

  // Everything below is guarded by the mutex.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let idle = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting = StoreBatch()
  /// What failed is tried again with the next batch, not at once.
  private var left = StoreBatch()
  private var isRunning = false
  private var isFailing = false
  private var refused: Set<String> = []
  private var failures: [StoreFailure] = []

  init(files: any StoreFiles, runsInline: Bool, notify: @escaping @Sendable () -> Void) {
    self.files = files
    self.runsInline = runsInline
    self.notify = notify
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(idle, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(idle)
    pthread_mutex_destroy(mutex)
    idle.deallocate()
    mutex.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Takes a batch, and what failed before.
  func submit(_ batch: StoreBatch) {
    let starts = locked {
      var all = left
      all.append(batch)
      left = StoreBatch()
      waiting.append(all)
      guard !waiting.isEmpty, !isRunning else { return false }
      isRunning = true
      return true
    }
    guard starts else { return }
    if runsInline || !WriterThread.run({ self.work() }) { work() }
  }

  private func work() {
    while let batch = next() {
      var writing = BatchWriting(files: files)
      writing.write(batch)
      if locked({ note(writing) }) { notify() }
    }
  }

  private func next() -> StoreBatch? {
    locked {
      guard !waiting.isEmpty else {
        isRunning = false
        pthread_cond_broadcast(idle)
        return nil
      }
      let batch = waiting
      waiting = StoreBatch()
      return batch
    }
  }

  /// - Returns: Whether there is something new to tell.
  private func note(_ writing: BatchWriting) -> Bool {
    left = writing.left
    let before = failures.count
    if let trouble = writing.trouble {
      if !isFailing { failures.append(trouble) }
      isFailing = true
    } else {
      isFailing = false
    }
    refused.subtract(writing.saved)
    for failure in writing.refused where failure.identifier.map({ refused.insert($0).inserted }) ?? true {
      failures.append(failure)
    }
    return failures.count > before
  }

  /// Something that failed elsewhere, to be told like the rest.
  func report(_ failure: StoreFailure) {
    locked { failures.append(failure) }
    notify()
  }

  /// What has failed since this was last asked.
  func takeFailures() -> [StoreFailure] {
    locked {
      defer { failures = [] }
      return failures
    }
  }

  /// Waits until nothing is being written.
  /// - Returns: Whether that came to pass in time.
  @discardableResult
  func wait(seconds: Int) -> Bool {
    locked {
      var limit = timespec()
      clock_gettime(CLOCK_MONOTONIC, &limit)
      limit.tv_sec += seconds
      while isRunning {
        if pthread_cond_timedwait(idle, mutex, &limit) == ETIMEDOUT { return !isRunning }
      }
      return true
    }
  }

  /// Does something while nothing is being written, and nothing begins to be; waits for that without a limit.
  func whileIdle(_ body: () -> Void) {
    locked {
      while isRunning { pthread_cond_wait(idle, mutex) }
      body()
    }
  }
}
