internal import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Writes batches one after another, on a thread that exists while there is something to write, and a moment longer.
///
/// A thread of its own, not a queue of libdispatch's: those look after their threads once a second for ever, and an
/// idle program would never sleep. It stays for the next batch of a burst, because making a thread costs the main one
/// more than handing over what is to be written.
final class StoreWriter: @unchecked Sendable {
  private let files: any StoreFiles
  private let runsInline: Bool
  /// How many milliseconds the thread stays when there is nothing more to write.
  private let patience: Int
  /// Called on any thread when there are failures to take.
  private let notify: @Sendable () -> Void

  // Everything below is guarded by the mutex.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Everything has been written.
  private let idle = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Every record has been written.
  private let written = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// There is something to write, or the end has come.
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting = StoreBatch()
  /// What failed is tried again with the next batch, not at once.
  private var left = StoreBatch()
  /// Whether somebody takes batches.
  private var isRunning = false
  /// Whether somebody writes, or is about to.
  private var isWriting = false
  private var isEnding = false
  /// What the windows of sessions showed last, to be written when no record waits; nil where the file is to go.
  private var pictures: [(identifier: String, picture: Picture?)] = []
  /// Whether what is being written is a batch of records.
  private var isWritingRecords = false
  /// The picture that is being written.
  private var underWay: (identifier: String, picture: Picture?)?
  private var isFailing = false
  /// What a thread does last that has written pictures.
  private var tidy: (@Sendable () -> Void)?
  private var refused: Set<String> = []
  private var failures: [StoreFailure] = []

  init(files: any StoreFiles, runsInline: Bool, patience: Int, notify: @escaping @Sendable () -> Void) {
    self.files = files
    self.runsInline = runsInline
    self.patience = patience
    self.notify = notify
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(idle, &attributes)
    pthread_cond_init(written, &attributes)
    pthread_cond_init(arrival, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(idle)
    pthread_cond_destroy(written)
    pthread_cond_destroy(arrival)
    pthread_mutex_destroy(mutex)
    idle.deallocate()
    written.deallocate()
    arrival.deallocate()
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

  /// There is something to write.
  /// - Returns: Whether somebody has to be found to do it.
  private func start() -> Bool {
    isWriting = true
    guard !isRunning else {
      pthread_cond_signal(arrival)
      return false
    }
    isRunning = true
    return true
  }

  private func run() {
    if runsInline || !DetachedThread.run({ self.work(patience: self.patience) }) { work(patience: 0) }
  }

  private func work(patience: Int) {
    var hasWrittenPicture = false
    while let job = next(patience: patience) {
      switch job {
      case .batch(let batch):
        var writing = BatchWriting(files: files)
        writing.write(batch)
        if locked({ note(writing) }) { notify() }
      case .picture(let identifier, let picture):
        PictureWriting.write(picture, of: identifier, files)
        hasWrittenPicture = true
      }
    }
    // What encoding needed of the heap goes with the thread.
    if hasWrittenPicture { locked { tidy }?() }
  }

  /// Has something done by each thread that has written pictures, last.
  package func afterPictures(_ body: @escaping @Sendable () -> Void) { locked { tidy = body } }

  private enum Job {
    case batch(StoreBatch)
    case picture(identifier: String, Picture?)
  }

  private func next(patience: Int) -> Job? {
    locked {
      underWay = nil
      isWritingRecords = false
      if waiting.isEmpty { pthread_cond_broadcast(written) }
      if waiting.isEmpty, pictures.isEmpty {
        isWriting = false
        pthread_cond_broadcast(idle)
        var limit = Self.moment(milliseconds: patience)
        while waiting.isEmpty, pictures.isEmpty, !isEnding, patience > 0 {
          if pthread_cond_timedwait(arrival, mutex, &limit) == ETIMEDOUT { break }
        }
      }
      if !waiting.isEmpty {
        isWritingRecords = true
        let batch = waiting
        waiting = StoreBatch()
        return .batch(batch)
      }
      guard !pictures.isEmpty else {
        isRunning = false
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

  /// Waits until nothing is being written, and lets the thread go.
  /// - Returns: Whether that came to pass in time.
  func end(seconds: Int) -> Bool {
    locked {
      isEnding = true
      pthread_cond_signal(arrival)
      var limit = Self.moment(milliseconds: seconds * 1000)
      while isWriting {
        // A picture that is not finished can be done without.
        if pthread_cond_timedwait(idle, mutex, &limit) == ETIMEDOUT { return waiting.isEmpty && !isWritingRecords }
      }
      return true
    }
  }

  /// Waits until every record has been written; pictures may wait.
  /// - Returns: Whether that came to pass in time.
  func waitForRecords(milliseconds: Int) -> Bool {
    locked {
      var limit = Self.moment(milliseconds: milliseconds)
      while !waiting.isEmpty || isWritingRecords {
        if pthread_cond_timedwait(written, mutex, &limit) == ETIMEDOUT { return waiting.isEmpty && !isWritingRecords }
      }
      return true
    }
  }

  private static func moment(milliseconds: Int) -> timespec {
    var moment = timespec()
    clock_gettime(CLOCK_MONOTONIC, &moment)
    let nanoseconds = moment.tv_nsec + milliseconds % 1000 * 1_000_000
    moment.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    moment.tv_nsec = nanoseconds % 1_000_000_000
    return moment
  }

  /// Does something while nothing is being written, and nothing begins to be; waits for that without a limit.
  func whileIdle(_ body: () -> Void) {
    locked {
      while isWriting { pthread_cond_wait(idle, mutex) }
      body()
    }
  }
}
