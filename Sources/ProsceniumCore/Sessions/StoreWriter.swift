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
  /// What the windows of sessions showed last, to be written when no record waits; nil where the file is to go.
  private var pictures: [(identifier: String, picture: Picture?)] = []
  /// Whether what is being written is a batch of records.
  private var isWritingRecords = false
  /// The picture that is being written.
  private var underWay: (identifier: String, picture: Picture?)?
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
      pictures.removeAll { waiting.entries[$0.identifier]?.discard == true }
      return !waiting.isEmpty && start()
    }
    if starts { run() }
  }

  /// Takes what the window of a session showed last, or that there is nothing of the kind any more.
  ///
  /// Where too much waits already the file goes instead: no picture is better than an old one.
  func submit(_ picture: Picture?, of identifier: String) {
    let starts = locked {
      pictures.removeAll { $0.identifier == identifier }
      let waits = pictures.reduce(underWay?.picture?.byteCount ?? 0) { $0 + ($1.picture?.byteCount ?? 0) }
      pictures.append((identifier, waits > Self.mostWaiting ? nil : picture))
      return start()
    }
    if starts { run() }
  }

  /// How many bytes of pictures may wait before no more are taken.
  private static let mostWaiting = 128 << 20

  /// What waits to be written of a session's picture; nil where nothing does.
  func waitingPicture(of identifier: String) -> Picture?? {
    locked {
      if let waits = pictures.last(where: { $0.identifier == identifier }) { return .some(waits.picture) }
      guard let underWay, underWay.identifier == identifier else { return nil }
      return .some(underWay.picture)
    }
  }

  /// - Returns: Whether somebody has to be found to do the work.
  private func start() -> Bool {
    guard !isRunning else { return false }
    isRunning = true
    return true
  }

  private func run() { if runsInline || !WriterThread.run({ self.work() }) { work() } }

  private func work() {
    while let job = next() {
      switch job {
      case .batch(let batch):
        var writing = BatchWriting(files: files)
        writing.write(batch)
        if locked({ note(writing) }) { notify() }
      case .picture(let identifier, let picture): PictureWriting.write(picture, of: identifier, files)
      }
    }
  }

  private enum Job {
    case batch(StoreBatch)
    case picture(identifier: String, Picture?)
  }

  private func next() -> Job? {
    locked {
      underWay = nil
      isWritingRecords = !waiting.isEmpty
      if !waiting.isEmpty {
        let batch = waiting
        waiting = StoreBatch()
        return .batch(batch)
      }
      guard !pictures.isEmpty else {
        isRunning = false
        pthread_cond_broadcast(idle)
        return nil
      }
      let first = pictures.removeFirst()
      underWay = first
      return .picture(identifier: first.identifier, first.picture)
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
        // A picture that is not finished can be done without.
        if pthread_cond_timedwait(idle, mutex, &limit) == ETIMEDOUT { return waiting.isEmpty && !isWritingRecords }
      }
      return true
    }
  }
}
